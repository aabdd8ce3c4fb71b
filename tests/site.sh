#!/usr/bin/env bash
# The site of a small result set and of a paper's folder: every link leads somewhere, and what a folder holds is not overwritten.
# Run: bash tests/site.sh PROGRAM; exit code 77 without mkdocs.
set -euo pipefail
program=$(readlink -f -- "$1")
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
export DAELAB_ROOT=$root
command -v mkdocs >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
  printf 'site: %s\n' "$1"
  exit 1
}
site() { python3 "$root/docs/site/make.py" "$program" --work "$work/build" "$@" >log 2>&1; }

"$program" run "$root/experiments/museum/rk4-energy.json" --quiet
# A title as from a stranger, and the same name again.
mkdir more && cp -r out/rk4-energy more/
sed -i '/"checksum"/d; s/^\( "notes": \[.*\],\)$/\1/; s/"title": "/&<script>alert(1)<\/script> [x](y) | /' more/rk4-energy/result.json
python3 - <<'PYTHON'
import json
text = open("more/rk4-energy/result.json").read().rstrip().removesuffix("}").rstrip().removesuffix(",") + "}"
json.loads(text)
open("more/rk4-energy/result.json", "w").write(text)
PYTHON
site out more --to www || { cat log && fail "not made"; }
grep -q ' 0 of them dead' log || { cat log && fail "dead links"; }
for page in index.html gallery.html results.html docs/survey.html docs/tutorials/figure.html results/rk4-energy/index.html \
  results/rk4-energy-2/index.html results/rk4-energy/rk4-energy/config.json search/search_index.json; do
  [[ -s www/$page ]] || fail "no $page"
done
grep -q 'results/rk4-energy/rk4-energy/rk4-energy.svg' www/gallery.html || fail "no figure in the gallery"
! grep -qi '<script>alert' www/*.html www/results/*/index.html || fail "markup of a result is markup of the site"
! grep -rhoE '(src|href)="https?://(fonts|cdn|unpkg)[^"]*' www --include=*.html | grep . || fail "something is loaded from elsewhere"

site out --to www || { cat log && fail "not made again"; }
refused() { # message, arguments
  local code=0
  site "${@:2}" || code=$?
  ((code == 2)) && grep -q "$1" log || { cat log && fail "expected: $1"; }
}
mkdir mine && touch mine/thesis.tex
refused 'holds something else than a site' out --to mine
[[ -e mine/thesis.tex ]] || fail "what was there is gone"
refused 'no folder none' none
refused 'holds no results' mine
