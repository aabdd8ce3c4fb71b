#!/usr/bin/env bash
# The tutorials: their files are written and their commands carried out, as a reader does both, in a folder of its own.
# Run: bash tests/tutorials.sh PROGRAM
set -euo pipefail
program=$(readlink -f -- "$1")
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
export DAELAB_ROOT=$root
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$root/experiments" experiments
ln -s "$program" daelab

commands=0
for tutorial in "$root"/docs/tutorials/*.md; do
  # A block with a title is a file, as ```json title="mine.json".
  awk '/^```[a-z]* title="/ { split($0, part, "\""); file = part[2]; next }
       /^```/ { file = "" }
       file != "" { print > file }' "$tutorial"
  while IFS= read -r command; do
    commands=$((commands + 1))
    if ! bash -c "$command" >log 2>&1 </dev/null; then
      printf '%s: this command failed: %s\n' "$(basename "$tutorial")" "$command"
      cat log
      exit 1
    fi
  done < <(sed -n 's/^    \(\.\/daelab .*\)/\1/p' "$tutorial")
done
printf '%s commands\n' $commands
# What the texts say is there.
for file in out/figure-7/report/index.html paper/report.tex swing.svg swing.csv swing.html one/report.tex two/report.tex; do
  [[ -s $file ]] || { printf 'no %s\n' "$file" && exit 1; }
done
