#!/usr/bin/env bash
# The n-th change of a file, or the n-th allocation, fails: a small run, its store and its report, n = 1, 2, ... until
# nothing fails. Each time the program says so and ends with 1 or 2, leaves no part of a file, and the same command
# without the fault completes the set, with the numbers and the files of an undisturbed one.
#
#   tests/faults.sh PROGRAM FAIL_NTH WORK [all]     all: every allocation, hours; else 20 spread over the run
set -euo pipefail
program=$1 fail_nth=$2 work=$3 which=${4:-}
bad=0 tried=0 crashed=()
report() {
  printf 'faults: %s\n' "$*"
  bad=1
}

rm -rf "$work"
mkdir -p "$work"
cd "$work"
cat >small.json <<'END'
{
  "name": "small",
  "experiment": "drift",
  "title": "A pendulum, two runs",
  "common": {"problem": "pendulum", "formulation": "index-2", "t_end": "1/10", "h": "1/50", "trajectory": 1},
  "runs": [{"method": "radau-iia:s=2"}, {"method": "gauss:s=2", "formulation": "index-1"}]
}
END

run() { "$program" run small.json --jobs 1 --out "$1"; } # folder
with_fault() { # VARIABLE=value... folder
  env LD_PRELOAD="$fail_nth" FAULT_COUNT="$work/count" "${@:1:$#-1}" "$program" run small.json --jobs 1 --out "${!#}"
}
files() { (cd "$1" && find . -type f | sort); } # folder

check() { # VARIABLE n: 0 when it failed as it should, 1 when nothing failed
  local code=0
  rm -rf broken
  with_fault "$1=$2" broken >out 2>err || code=$?
  if ((code == 0)); then
    [[ -s err ]] || report "$1 $2: exit code 0 and no message, though a call failed"
  elif [[ $1 == FAIL_ALLOCATION && ! -e broken ]] && ((code > 128)); then
    crashed+=("$2")
  elif ((code > 2)); then
    report "$1 $2: exit code $code, $(tail -n 1 err)"
  elif [[ ! -s err ]]; then
    report "$1 $2: exit code $code without a message"
  fi
  code=0
  run broken >out 2>again || code=$?
  ((code == 0)) || report "$1 $2: resuming ends with $code, $(tail -n 1 again), after $(tail -n 1 err)"
  [[ $(files broken) == "$expected" ]] || report "$1 $2: files differ: $(diff <(echo "$expected") <(files broken) | grep '^[<>]' | paste -sd ' ')"
  "$program" compare whole/small broken/small --rtol 0 >out 2>&1 || report "$1 $2: other numbers: $(tail -n 1 out)"
}

run whole >out 2>&1
expected=$(files whole)
env LD_PRELOAD="$fail_nth" FAULT_COUNT="$work/count" "$program" --version >out
read -r start _ <count
rm -rf broken
with_fault FAIL_WRITE=0 broken >out 2>&1
read -r allocations writes <count
((writes > 20 && allocations > start + 1000)) || report "only $writes changes of files and $allocations allocations are seen"

for ((n = 1; n <= writes; ++n)); do check FAIL_WRITE "$n"; done
step=$(((allocations - start) / 20))
[[ $which != all ]] || step=1
# What is made before main() begins, tables of the components, has nobody to report to.
for ((n = start + 1; n <= allocations; n += step)); do
  check FAIL_ALLOCATION "$n"
  tried=$((tried + 1))
done
# Before the set is begun a crash loses nothing. Two libraries are known to crash there: valijson does not look at what
# its allocations return, and where libstdc++ 12 reads a folder, the function that throws is noexcept.
((${#crashed[@]} * 4 <= tried)) || report "the program crashed at allocations ${crashed[*]}, ${#crashed[@]} of $tried"

printf 'faults: %d changes of files, %d of %d allocations, %d crashes\n' "$writes" "$tried" "$((allocations - start))" "${#crashed[@]}"
exit $bad
