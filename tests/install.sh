#!/usr/bin/env bash
# An installed program needs nothing of the folder it was built from: cmake --install, the prefix moved, the sources hidden.
# Nor does the installed library, which an example is built with.
# Run: install.sh BUILD SOURCE REAL50, which is 1, or 0 in a double-only build. Exit code 77 where the sources cannot be hidden.
set -euo pipefail
build=$1 source=$(readlink -f -- "$2") real50=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset DAELAB_ROOT

fail() {
  printf 'install: %s\n' "$*" >&2
  tail -n 20 "$tmp"/err >&2 || true
  exit 1
}
for component in program library; do
  cmake --install "$build" --component $component --prefix "$tmp/prefix" >"$tmp/out" 2>"$tmp/err" || fail "cmake --install: $component"
done
mv "$tmp/prefix" "$tmp/moved prefix"
program="$tmp/moved prefix/bin/daelab"
data="$tmp/moved prefix/share/daelab"
mkdir "$tmp/bare" "$tmp/work"
cp "$program" "$tmp/bare/daelab"

# hidden COMMAND...: in a name space where the folder of the sources is empty
namespace=(unshare --mount)
"${namespace[@]}" true 2>/dev/null || namespace=(unshare --mount --map-root-user)
# shellcheck disable=SC2016
hidden() {
  "${namespace[@]}" bash -c 'mount -t tmpfs none "$1" && cd "$2" && exec "${@:3}"' hidden "$source" "$tmp/work" "$@" >"$tmp/out" 2>"$tmp/err"
}
hidden true || { echo "install: this machine has no name spaces to hide the sources in"; exit 77; }

# The program alone says what it lacks: so the sources are hidden.
code=0
hidden "$tmp/bare/daelab" list || code=$?
[[ $code == 2 ]] && grep -q "are not beside this program: set DAELAB_ROOT" "$tmp/err" || fail "a copied program: exit code $code"

for file in man/man1/daelab.1 bash-completion/completions/daelab zsh/vendor-completions/_daelab fish/vendor_completions.d/daelab.fish; do
  [[ -s "$tmp/moved prefix/share/$file" ]] || fail "no share/$file"
done
before=$(cd "$tmp/moved prefix" && find . -printf '%p %T@ %s\n' | sort)
hidden "$program" list || fail "list"
grep -q '^ *li2019' "$tmp/out" || fail "list: no papers"
hidden "$program" show method runge-kutta || fail "show"
hidden "$program" solve --problem pendulum --method bdf --rtol 1e-6 --atol 1e-6 || fail "solve"
grep -q 'status *ok' "$tmp/out" || fail "solve: $(cat "$tmp/out")"
hidden "$program" run "$data/experiments/museum/rk4-energy.json" --trajectories hdf5 || fail "run"
grep -q 'rk4-energy/report/index.html' "$tmp/out" || fail "run: no report"
hidden "$program" rerun out/rk4-energy || fail "rerun"
hidden "$program" export out/rk4-energy --to csv || fail "export"
# A pack is made, put into one file and carried to where nothing else is.
pack=(--author Ada --licence CC0-1.0)
hidden "$program" pack new mine out/rk4-energy "${pack[@]}" || fail "pack new: $(cat "$tmp/err")"
hidden "$program" pack build mine --to mine.zip || fail "pack build: $(cat "$tmp/out" "$tmp/err")"
rm -r "$tmp/work/mine" "$tmp/work/out/mine"
hidden "$program" reproduce mine.zip || fail "reproduce a pack: $(cat "$tmp/out" "$tmp/err")"
hidden "$program" rerun mine.zip || fail "rerun a pack: $(cat "$tmp/out" "$tmp/err")"
hidden "$program" reproduce genalpha || fail "reproduce audits: $(cat "$tmp/out" "$tmp/err")"
if [[ $real50 == 1 ]]; then
  hidden "$program" reproduce ivanov2023 || fail "reproduce"
  grep -q 'all printed digits' "$tmp/out" || fail "reproduce: no verdicts"
  [[ -s $tmp/work/out/ivanov2023/report/index.html ]] || fail "reproduce: no report"
fi

cp -r "$source/docs/examples/library" "$tmp/example"
# Without the launcher of the build at hand, which may be a file of the hidden sources.
hidden env -u CMAKE_CXX_COMPILER_LAUNCHER CXX="${CXX:-c++}" bash -c 'cmake -S "$1" -B "$1/build" -D CMAKE_PREFIX_PATH="$2" && cmake --build "$1/build"' \
  build "$tmp/example" "$tmp/moved prefix" || fail "the example does not build: $(tail -n 20 "$tmp/out")"
hidden "$tmp/example/build/error" || fail "the example does not run"
grep -q 'status ok' "$tmp/out" && grep -q 'error of q: [0-9.]*e-' "$tmp/out" || fail "the example: $(cat "$tmp/out")"

[[ $before == "$(cd "$tmp/moved prefix" && find . -printf '%p %T@ %s\n' | sort)" ]] || fail "the prefix was written to"
