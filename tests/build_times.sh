#!/usr/bin/env bash
# The guard of compile times: what it prints, and that it does not fail for a slow one; and the compiler launcher that feeds it.
set -euo pipefail
ci=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.ci
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
  printf 'build_times: %s\n%s\n' "$1" "$(cat "$tmp/out")"
  exit 1
}
expect() { # CODE TEXT ARGUMENT...: exit code and a line of the output
  local code=0
  "$ci/build_times" "${@:3}" >"$tmp/out" 2>&1 || code=$?
  [[ $code == "$1" ]] || fail "exit code $code instead of $1"
  grep -qF -- "$2" "$tmp/out" || fail "output lacks: $2"
}

cat >"$tmp/times" <<'END'
2.5 0.5 CMakeFiles/daelab_objects.dir/core/a.cpp.o
11.9 0.2 CMakeFiles/unit_tests.dir/tests/b.cpp.o
4.0 0.0 CMakeFiles/app_objects.dir/app/c.cpp.o
END
expect 2 "no times of the reference" "$tmp/times"
# A machine twice as slow is no reason to fail: what counts is the quotient.
printf '%s\n' '3.5 0.5 /tmp/x/reference-1a.o' '3.8 0.2 /tmp/x/reference-2b.o' >>"$tmp/times"
expect 0 "b.cpp.o, more than 3" "$tmp/times"
expect 0 "   7.0 s    1.8 references  the program" "$tmp/times" --file 4
expect 0 "  19.1 s    4.8 references  all 3 files" "$tmp/times" --file 4
expect 0 "the program, more than 1" "$tmp/times" --file 4 --program 1
expect 0 "compiling takes longer than it should" "$tmp/times" --file 4 --program 1
expect 0 "c.cpp.o" "$tmp/times" --file 4 --slowest 2
! grep -qF "longer than it should" "$tmp/out" || fail "a build within its limits is blamed"
! grep -qF a.cpp.o "$tmp/out" || fail "more than the two slowest"
expect 2 "no compile times" "$tmp/nothing"
expect 2 "unknown option '--fil'" "$tmp/times" --fil 3
expect 2 "--file needs a whole number" "$tmp/times" --file

# The launcher hands on output, errors and the exit code.
export DAELAB_COMPILE_TIMES=$tmp/timed
code=0
"$ci/timed" bash -c 'echo out; echo err >&2; exit 3' -o "$tmp/x.o" -c x.cpp >"$tmp/out" 2>"$tmp/err" || code=$?
[[ $code == 3 && $(<"$tmp/out") == out && $(<"$tmp/err") == err ]] || fail "launcher: exit code $code"
grep -qE "^[0-9.]+ [0-9.]+ $tmp/x.o$" "$tmp/timed" || fail "launcher: $(<"$tmp/timed")"
