#!/usr/bin/env bash
# The documents: what they link to and the files they name exist, the README fits two screens, and comments and documents
# avoid turns that make a reader stop; lines of documents have at most 125 columns, except tables and links.
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
bad=0
report() {
  printf 'documents: %s\n' "$1"
  bad=1
}

headings() { # of a document, as links name them
  grep -E '^#+ ' "$1" | sed -E 's/^#+ +//' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'
}

folders=$(sed '/^#/d; s/[ /].*//' cmake/source_folders.txt | sort -u | paste -sd '|')
shopt -s globstar nullglob
for document in *.md docs/**/*.md .github/**/*.md; do
  folder=$(dirname "$document")
  while read -r link; do
    file=$folder/${link%%#*}
    [[ $link != '#'* ]] || file=$document
    [[ -e $file ]] || report "$document: no such file: $link"
    [[ $link != *.md'#'* && $link != '#'* ]] || headings "$file" | grep -qxF -- "${link#*#}" || report "$document: no such heading: $link"
  done < <(grep -oP '\]\(\K[^)]+(?=\))' "$document" | grep -v '^https\?:' || true)
  while read -r file; do
    # shellcheck disable=SC2206  # a pattern names several files
    found=($file)
    [[ -n ${found[*]} && -e ${found[0]} ]] || report "$document: no such file: $file"
  done < <(grep -oP "(?<=\`)($folders|\.ci|cmake)/[A-Za-z0-9_./*-]*(?=\`)" "$document" || true)
done
# The first build takes what the launcher says, wherever it is told.
job_count() { echo 2; }
eval "$(sed -n '/^first_build_minutes()/,/^}/p' daelab)"
program=$(first_build_minutes release daelab_program) all=$(first_build_minutes release all)
grep -q "takes $program minutes longer, or $all with" README.md || report "README.md: the first build takes $program minutes, $all with the tests"
grep -q "takes $program minutes on two cores, $all with" docs/command-line.md || report "docs/command-line.md: the first build takes $program minutes, $all with the tests"
version=$(sed -n 's/^project(daelab VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -qxF "version: $version" CITATION.cff || report "CITATION.cff: the version of CMakeLists.txt is $version"
grep -qxF "  version: \"$version\"" conda/recipe.yaml || report "conda/recipe.yaml: the version of CMakeLists.txt is $version"
python3 .ci/proofs --check >/dev/null || report "docs/references.md: its tables are not those of results/reference: .ci/proofs"
(($(wc -l <README.md) <= 120)) || report "README.md: longer than two screens of 60 lines"

while read -r line; do
  report "${line%%:*}: more than 125 columns in line $(cut -d: -f2 <<<"$line")"
done < <(git ls-files '*.md' ':!docs/notes' ':!.github' ':!report' | LC_ALL=C.UTF-8 xargs grep -nP '^(?! *\|)(?!.*\]\()(?!.*https?:).{126,}' /dev/null | grep -vP '^[^:]+:\d+:( {4}|\S*```|.*":)' || true)

# Each turn with a better one. docs/notes/ keeps the words of its day.
turns=(
  "\bwhat (is|are) no\b -> what it is: text that is not JSON"
  "\b(that|what) (is|are) none\b -> what it is instead"
  "\bof which\b -> a new sentence, or whose"
  "\bthose (that|which)\b -> the noun: runs that"
  "\bstands?\b(?! (for|out|still)\b|-) -> is, or the verb that says what it does"
  "\bto be (asked|called|done|found|given|had|kept|known|made|read|seen|set|taken|told|used)\b -> the active verb: call after, must know"
  "\bbut for\b -> except"
  "\bnothing but\b -> only, alone"
  "\bis of use\b -> stays valid, helps"
  "(?-i)^[^:]+:\d+:(//+<?|#) Of (a|an|the|what)\b -> the noun that is described"
)
# Turns of documents alone; comments of the sources still have many. Not meant: names of options, files and headings (`none`, `--beside`,
# beside.json, a title "... beside others", "Where it pays"), "none of them", and a table cell or an answer that is "none".
document_turns=(
  "\\bof (theirs|ours|yours)\\b -> of daelab, your own"
  "\\bso (many|often)\\b(?! (digits|that)\\b) -> the number: N, that many"
  "(?<![-#\`\"/])\\bbeside\\b(?![-.=\`\"]| others on) -> next to, compared with, and"
  "(?-i)(?<![|:(] )(?<!reference )\\bnone\\b(?! of\\b| \\|) -> no and the noun"
  "\\bwhere (there (is|are)|none|no|nothing|both)\\b -> if"
  "(?-i)(^|[.;:] |\\| )Where (?!(is|it pays|the|a part)\\b) -> If"
  "(?-i)(^|[.;:] )(Those|That) (of|with|from)\\b -> the noun"
  "\\b(what|which) (is|are|was|were) (left|missing|said|asked|looked at|found|told|meant)\\b -> the noun: the rest, missing files"
  "\\bhangs? on\\b -> depends on"
  "\\bis (looked|asked) (at|for)\\b -> the active verb: daelab checks"
  "\\bgoes? on\\b -> continues"
  "\\bgo(es)? like\\b -> is proportional to"
  "\\bat hand\\b -> present, or our copy"
  "\\bspeaks? of\\b -> concerns"
  "\\b(says?|said) too (little|much)\\b -> is too small, too large"
  "\\b(is|are|was|were) made (once more|anew|again)\\b -> repeats, computes again"
  "\\bof (its|their) own\\b -> separate"
  "\\bhand(s|ed)? on\\b -> passes"
  "\\bon the way\\b(?! to) -> during the run"
  "\\b(that|so|too) far off\\b -> the error and its limit"
  "\\ball the same\\b -> nevertheless, but"
  "\\bas far as (it|they) (came|goe?s?|went)\\b -> up to"
  "\\bwhat (becomes?|became) of\\b -> the result of"
  "\\bknow(s|n|ing) (nothing )?of (it|them|each other)\\b -> the facts"
  "(?-i)(^|[.;] )(Stated|Refused|Needed|Measured|Meant|Judged|Not judged|Not tested|Not taken) (are|is|were|was|by|because|for|on)\\b -> a subject: daelab refuses"
)
prose() { # path:line:text of all comments and documents
  git ls-files '*.cpp' '*.hpp' | xargs grep -noP '//.*' /dev/null
  git ls-files '*.sh' '*.cmake' '*CMakeLists.txt' '.ci/*' daelab | xargs grep -noP '(^|\s)#(?!!).*' /dev/null
  git ls-files '*.md' ':!docs/notes' | xargs grep -n '' /dev/null
}
if git rev-parse --git-dir >/dev/null 2>&1; then
  comments=$(prose)
  for turn in "${turns[@]}"; do
    found=$(grep -P "(?i)${turn%% -> *}" <<<"$comments") || (($? == 1)) || report "grep refuses ${turn%% -> *}"
    while read -r place; do
      [[ -z $place ]] || report "${place:0:160} - better: ${turn#* -> }"
    done <<<"$found"
  done
  for turn in "${document_turns[@]}"; do
    found=$(git ls-files '*.md' ':!docs/notes' | xargs grep -nP "(?i)${turn%% -> *}" /dev/null) || (($? == 1 || $? == 123)) || report "grep refuses ${turn%% -> *}"
    while read -r place; do
      [[ -z $place ]] || report "${place:0:160} - better: ${turn#* -> }"
    done <<<"$found"
  done
fi
exit $bad
