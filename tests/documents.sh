#!/usr/bin/env bash
# The documents: what they link to and the files they name exist, and the README fits two screens.
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
    # shellcheck disable=SC2206  # patterns stand for several files
    found=($file)
    [[ -n ${found[*]} && -e ${found[0]} ]] || report "$document: no such file: $file"
  done < <(grep -oP "(?<=\`)($folders|\.ci|cmake)/[A-Za-z0-9_./*-]*(?=\`)" "$document" || true)
done
(($(wc -l <README.md) <= 120)) || report "README.md: longer than two screens of 60 lines"
exit $bad
