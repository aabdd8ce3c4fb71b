#!/usr/bin/env bash
# The launcher in a copy of its own, with stand-ins for the package manager and the compiler: fast,
# no network, nothing built.
set -euo pipefail
source_dir=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/..
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset DAELAB_PRESET DAELAB_SKIP_PACKAGES DAELAB_ROOT

fail() {
  printf 'launcher: %s\n--- standard output\n%s\n--- standard error\n%s\n' "$1" "$(cat "$tmp/out")" "$(cat "$tmp/err")"
  exit 1
}

# expect CODE NAME COMMAND...: runs it, output in $tmp/out and $tmp/err
expect() {
  local code=0
  "${@:3}" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
  [[ $code == "$1" ]] || fail "$2: exit code $code instead of $1"
}
says() { grep -qF -- "$1" "$tmp/err" || fail "standard error lacks: $1"; }
prints() { grep -qxF -- "$1" "$tmp/out" || fail "standard output lacks: $1"; }
silent() { [[ ! -s $tmp/err ]] || fail "$1: standard error is not empty"; }
stand_in() { # name, body
  printf '#!/bin/bash\n%s\n' "$2" >"$tmp/bin/$1"
  chmod +x "$tmp/bin/$1"
}

# The lists of packages: a name or alternatives, then the reason, none twice.
for list in packages.txt cluster/packages.txt modules/peers/packages.txt python/packages.txt .ci/packages.txt .ci/clang_packages.txt cmake/deb_packages.txt; do
  grep -vE '^(#.*|[a-z0-9][a-z0-9.+-]+( \| [a-z0-9][a-z0-9.+-]+)* +# .+)$' "$source_dir/$list" >"$tmp/out" && fail "$list: odd lines"
  [[ -z $(sed '/^#/d; s/ *#.*//; s/ | /\n/g' "$source_dir/$list" | sort | uniq -d) ]] || fail "$list: a package twice"
done
: >"$tmp/out"
: >"$tmp/err"
bash -n "$source_dir/daelab" || fail "syntax of daelab"

# A PATH with the ordinary tools only.
mkdir -p "$tmp/bin" "$tmp/repo dir"/{core/base,cmake,cluster,multiplier_solvers} "$tmp/elsewhere"
for tool in bash dirname readlink find sort sed tail mkdir rm ln cat cp chmod flock nproc awk grep env sleep seq; do
  ln -s "$(command -v "$tool")" "$tmp/bin/$tool"
done
export PATH=$tmp/bin
cp "$source_dir/daelab" "$source_dir/packages.txt" "$source_dir/CMakePresets.json" "$tmp/repo dir/"
cp "$source_dir/cmake/source_folders.txt" "$tmp/repo dir/cmake/"
cp "$source_dir/cluster/packages.txt" "$tmp/repo dir/cluster/"
printf 'int x;\n' >"$tmp/repo dir/core/base/x.cpp"
launcher="$tmp/repo dir/daelab"
ln -s "$launcher" "$tmp/elsewhere/link"
cd "$tmp/elsewhere"

# No Debian.
expect 2 "no apt-get" "$launcher" list
says "no apt-get"
says "libeigen3-dev"

# A package missing and neither root nor sudo; then sudo that fails; then an installation that works.
# shellcheck disable=SC2016
stand_in dpkg-query 'for name in "${@:4}"; do
  [[ $name == g++ && ! -e $DAELAB_ROOT/installed ]] || echo "$name:installed"; done'
stand_in apt-get 'exit 100'
stand_in apt-cache 'exit 100'
stand_in id 'echo 1000'
expect 2 "no sudo" "$launcher" list
says "ask an administrator to run: apt-get install g++"
stand_in sudo '"$@"'
# 500 lines, then the reason: what is told is one line of names, the progress and the end.
stand_in apt-get 'seq -f "line %.0f" 500; echo "dlstatus:1:40.5:Retrieving" >&3; echo "pmstatus:g++:70:Unpacking" >&3; exit 100'
expect 2 "offline" "$launcher" list
says "installing Debian packages (log: $tmp/repo dir/build/packages.log; sudo may ask for your password): g++"
says "daelab: fetched 40 %"
says "daelab: installed 70 %"
says "line 500"
says "could not be installed"
grep -qxF "line 400" "$tmp/err" && fail "offline: the whole of the output of apt-get"
grep -qxF "line 400" "$tmp/repo dir/build/packages.log" || fail "offline: the log"
# shellcheck disable=SC2016
stand_in apt-get 'echo "apt-get $*"; [[ $* != *install* ]] || : >"$DAELAB_ROOT/installed"'

# A compiler that fails, then one that works. The program prints where it is and what it was given.
# shellcheck disable=SC2016
stand_in cmake 'case "$*" in
  *--preset*) mkdir -p "$DAELAB_ROOT/build/release" && cd "$DAELAB_ROOT/build/release" && : >build.ninja &&
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$DAELAB_ROOT" >CMakeCache.txt ;;
  *--build*) echo x >>"$DAELAB_ROOT/builds"; sleep 0.2; echo "${NINJA_STATUS/\%p/ 52%}Building y.o"; echo "y.cpp:1: warning"
    for product in daelab daelab_mpi unit_tests libdaelab.so daelab_command; do cp "$DAELAB_ROOT/program" "$DAELAB_ROOT/build/release/$product"; done ;;
esac'
expect 1 "build failure" "$launcher" list
says "repo dir/program"
says "the build failed"
# shellcheck disable=SC2016
printf '#!/bin/bash\n%s\n' 'pwd; echo "root $DAELAB_ROOT"; printf "[%s]" "$@"; echo; exit 7' >"$tmp/repo dir/program"
chmod +x "$tmp/repo dir/program"
builds() { grep -c x "$tmp/repo dir/builds"; }

rm "$tmp/repo dir/builds"
expect 7 "the program's exit code" "$tmp/elsewhere/link" run 'a b' --set x=1
prints "$tmp/elsewhere"
prints "root $tmp/repo dir"
prints "[run][a b][--set][x=1]"
says "building daelab_program, release: the first time takes about"
says "daelab: built 50 %"
says "y.cpp:1: warning"
grep -qF "Building y.o" "$tmp/err" && fail "a line for every file"
grep -qF "Building y.o" "$tmp/repo dir/build/release/build.log" || fail "the log of the build"

# Nothing changed: nothing said, nothing built. A changed, new or removed file: built again.
expect 7 "second call" "$launcher" list
silent "second call"
[[ $(builds) == 1 ]] || fail "built again without a change"
printf 'int y;\n' >"$tmp/repo dir/core/base/y.cpp"
expect 7 "new file" "$launcher" list
printf 'int z;\n' >>"$tmp/repo dir/core/base/y.cpp"
expect 7 "changed file" "$launcher" list
rm "$tmp/repo dir/core/base/y.cpp"
expect 7 "removed file" "$launcher" list
printf 'int s;\n' >"$tmp/repo dir/multiplier_solvers/s.cpp"
expect 7 "new multiplier solver" "$launcher" list
[[ $(builds) == 5 ]] || fail "$(builds) builds instead of 5"

# Two at once: one builds, the other waits and finds nothing to do.
printf 'int y;\n' >"$tmp/repo dir/core/base/y.cpp"
"$launcher" list >/dev/null 2>&1 &
expect 7 "two at once" "$launcher" list
wait $! || true
[[ $(builds) == 6 ]] || fail "two at once: $(builds) builds instead of 6"

# Packages: those daelab uses count, others do not.
mkdir -p "$tmp/info"
change() { for package in "$@"; do : >"$tmp/info/$package.list"; done; }
sed -i "s,/var/lib/dpkg/info,$tmp/info," "$launcher"
change libfmt-dev:amd64 g++
expect 7 "packages" "$launcher" list
change cowsay libfmt-dev-extra g++-mingw-w64
expect 7 "other packages" "$launcher" list
silent "other packages"
for package in libfmt-dev:amd64 g++; do
  sleep 0.01
  change "$package"
  expect 7 "new $package" "$launcher" list
  says "building"
done

# Another list of packages: its missing ones are installed, nothing is built.
printf 'g++ # compiler\nclang-14 # the second compiler\n' >"$tmp/repo dir/more.txt"
# shellcheck disable=SC2016
stand_in dpkg-query 'for name in "${@:4}"; do [[ $name == clang-14 ]] || echo "$name:installed"; done'
before=$(builds)
expect 0 "another list" "$launcher" packages more.txt
says "; sudo may ask for your password): clang-14"
grep -qE "^apt-get .* clang-14$" "$tmp/repo dir/build/packages.log" || fail "packages: $(cat "$tmp/repo dir/build/packages.log")"
grep -qF "g++" "$tmp/err" "$tmp/repo dir/build/packages.log" && fail "packages: one that is there is installed again"
# Alternatives: any of them will do; where none is there, the first that this release of Debian has.
printf 'libnew-dev | clang-14 | g++  # any\n' >"$tmp/repo dir/more.txt"
expect 0 "an alternative is there" "$launcher" packages more.txt
silent "an alternative is there"
printf 'libnew-dev | clang-14 | clang-15  # the second compiler\n' >"$tmp/repo dir/more.txt"
# shellcheck disable=SC2016
stand_in dpkg-query ':'
# shellcheck disable=SC2016
stand_in apt-cache '[[ $2 == clang-1* ]]'
expect 0 "alternatives" "$launcher" packages more.txt
says "; sudo may ask for your password): libnew-dev|clang-14|clang-15"
grep -qE "^apt-get .* clang-14$" "$tmp/repo dir/build/packages.log" || fail "alternatives: $(cat "$tmp/repo dir/build/packages.log")"
stand_in dpkg-query 'printf "%s:installed\n" "${@:4}"'
expect 0 "its own list" "$launcher" packages
silent "its own list"
[[ $(builds) == "$before" ]] || fail "packages: something was built"

# The engine mpi: its packages, and its program beside the other.
rm "$tmp/repo dir/build/release/daelab_mpi"
# shellcheck disable=SC2016
stand_in dpkg-query 'for name in "${@:4}"; do [[ $name == openmpi-bin ]] || echo "$name:installed"; done'
expect 7 "engine mpi" "$launcher" run x.json --engine mpi
says "; sudo may ask for your password): openmpi-bin"
says "building daelab_mpi, release"
prints "[run][x.json][--engine][mpi]"
[[ -x $tmp/repo\ dir/build/release/daelab_mpi ]] || fail "engine mpi: no program"

# Python: an environment with the package, made once, and once more when the package changes.
mkdir -p "$tmp/repo dir/python"
cp "$source_dir/python/packages.txt" "$tmp/repo dir/python/"
cp "$source_dir/pyproject.toml" "$tmp/repo dir/"
stand_in dpkg-query 'printf "%s:installed\n" "${@:4}"'
# shellcheck disable=SC2016
printf '#!/bin/bash\n%s\n' 'case "$*" in
  *"pip "*) echo "$*" >>"$DAELAB_ROOT/installed_python" ;;
  *import*) exit 1 ;;
  *) printf "[%s]" "$@"; echo; exit 5 ;;
esac' >"$tmp/repo dir/interpreter"
chmod +x "$tmp/repo dir/interpreter"
# shellcheck disable=SC2016
stand_in python3 'mkdir -p "$3/bin" && cp "$DAELAB_ROOT/interpreter" "$3/bin/python"'
installations() { grep -cF "/repo dir[all]" "$tmp/repo dir/installed_python"; }
expect 5 "python" "$launcher" python -c 'x y'
prints "[-c][x y]"
says "installing the Python package"
grep -qF "nanobind" "$tmp/repo dir/installed_python" || fail "python: what it is built with"
expect 5 "python again" "$launcher" python -c 'x y'
silent "python again"
[[ $(installations) == 1 ]] || fail "python: installed again without a change"
printf 'x = 1\n' >"$tmp/repo dir/python/module.py"
expect 5 "python with a new file" "$launcher" python -c 'x y'
[[ $(installations) == 2 ]] || fail "python: $(installations) installations instead of 2"
# shellcheck disable=SC2016
stand_in python3 'echo "no module named venv"; exit 1'
rm -r "$tmp/repo dir/build/python-venv"
expect 2 "python without venv" "$launcher" python -c 'x y'
says "no module named venv"

# Tests: --fast picks those with the label, further arguments go to ctest.
# shellcheck disable=SC2016
stand_in ctest 'printf "[%s]" "${@:3}"; echo'
expect 0 "all tests" "$launcher" test -R bdf
grep -qF -- "[-R][bdf]" "$tmp/out" || fail "test: arguments of ctest"
grep -qF -- "fast" "$tmp/out" && fail "test: not all of them"
expect 0 "fast tests" "$launcher" test --fast -R bdf
grep -qF -- "[-L][fast][-R][bdf]" "$tmp/out" || fail "test --fast: the label"
expect 2 "test --all with more" "$launcher" test --all -R bdf

expect 2 "unknown preset" env DAELAB_PRESET=fast "$launcher" list
says "no preset 'fast'; known: release, double, debug, asan, asan-all, clang, wheel"
