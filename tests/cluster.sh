#!/usr/bin/env bash
# The same set of runs on threads, on the ranks of mpirun, as a Slurm array and as shards by hand, workers killed on the
# way: equal bits.
# Run: cluster.sh PROGRAM. Exit code 77 where neither MPI nor Slurm is there.
set -euo pipefail
program=$(readlink -f -- "$1")
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# 48 runs of 0.04 to 0.2 s, every second one with a trajectory.
cat >config.json <<'EOT'
{
  "name": "motions",
  "experiment": "drift",
  "common": {"problem": "two-link-manipulator", "method": "pade-block:r=4", "t_end": 5, "trajectory": [0, 100]},
  "runs": {"formulation": ["index-1", "index-2", "index-3"], "h": ["0.002", "0.0016", "0.00125", "0.001", "0.0008", "0.00064", "0.0005", "0.0004"]}
}
EOT

fail() {
  printf 'cluster: %s\n' "$*" >&2
  tail -n 20 "$tmp"/*.err >&2 || true
  exit 1
}
# run NAME OPTION...: into the folder NAME, messages in NAME.err
run() {
  "$program" run config.json --out "$1" "${@:2}" >"$1.out" 2>"$1.err" || fail "$1: exit code $?"
}
equal() { # NAME
  "$program" compare threads/motions "$1/motions" >"$1.differences" || fail "$1: $(tail -n 3 "$1.differences")"
  [[ $(sort -u "$1/motions/runs.jsonl" | wc -l) == 48 && $(wc -l <"$1/motions/runs.jsonl") == 48 ]] ||
    fail "$1: $(wc -l <"$1/motions/runs.jsonl") lines instead of 48"
  printf 'cluster: %s: equal\n' "$1"
}
# Kills one of the processes whose command line matches, once so many runs are stored below a folder.
kill_one() { # PATTERN FOLDER RUNS
  for ((look = 0; look < 600; ++look)); do
    if (($(cat "$2"/*/runs.jsonl "$2"/*/*/*/runs.jsonl 2>/dev/null | wc -l) >= $3)); then
      pkill --signal KILL --newest --full "$1" && return 0
    fi
    sleep 0.05
  done
  return 1
}

run threads --jobs 2

# Shards by hand, the last one first; what they leave is all there is.
for part in 3/3 1/3 2/3; do
  "$program" shard config.json "$part" --out shards --jobs 1 2>shards.err || fail "shard $part"
done
"$program" merge shards/motions.shards/* --to shards/motions 2>>shards.err || fail "merge"
run shards
grep -q ' 0 runs computed, 48 reused\|^0 runs computed, 48 reused' shards.err || fail "shards: computed again: $(cat shards.err)"
equal shards

tried=0
if [[ -x $(dirname -- "$program")/daelab_mpi ]] && command -v mpirun >/dev/null; then
  tried=1
  run ranks --engine mpi --ranks 4
  equal ranks
  kill_one "daelab_mpi .*--out lost" lost 10 &
  run lost --engine mpi --ranks 4
  wait $! || fail "lost: no rank was killed"
  grep -q 'starting again' lost.err || fail "lost: $(cat lost.err)"
  equal lost

  # mpirun itself is killed: its ranks end with it, and do not keep the result set locked.
  kill_one "^mpirun .*--out without" without 10 &
  run without --engine mpi --ranks 4
  wait $! || fail "without: mpirun was not killed"
  grep -q 'exit code 137: starting again' without.err || fail "without: $(cat without.err)"
  equal without
  "$program" run config.json --out many --engine mpi --ranks 100000 2>many.err && fail "100000 ranks are not refused"
  grep -q -- '--ranks: 100000 on the' many.err || fail "many: $(cat many.err)"

  # So many short runs that lots and results are longer than what MPI sends without waiting for the receiver.
  numbers() { seq -f "\"$1%.0f\"" -s , "$2" "$3"; }
  printf '{"name": "short", "experiment": "drift", "runs": {"problem": "pendulum", "formulation": "index-3",
    "method": "generalized-alpha", "h": [%s], "t_end": [%s]}}' "$(numbers 0.0 5000 5099)" "$(numbers 0. 20000 20059)" >short.json
  timeout 120 "$program" run short.json --out short --no-report --engine mpi --ranks 2 >short.out 2>short.err ||
    fail "short: exit code $?"
  [[ $(wc -l <short/short/runs.jsonl) == 6000 ]] || fail "short: $(wc -l <short/short/runs.jsonl) runs"
fi

# Strict arithmetic is another key of every run: what tasks compute without it is thrown away.
small=(--strict --set /common/t_end=1)
"$program" run config.json --out strict --jobs 2 "${small[@]}" >strict.out 2>strict.err || fail "strict: exit code $?"

slurm=0
"$here/one_node_slurm" true 2>one_node_slurm.err || slurm=$?
[[ $slurm == 0 || $slurm == 77 ]] || fail "Slurm does not start and stop"
if [[ $slurm == 0 ]]; then
  tried=1
  export program
  export -f run fail kill_one
  # shellcheck disable=SC2016
  "$here/one_node_slurm" bash -c '
    set -euo pipefail
    tmp=$PWD
    kill_one "daelab shard .*--out array" array 10 &
    run array --engine slurm --shards 4 --slurm=--time=10
    wait $! || fail "array: no task was killed"
    # A folder of an odd name, tasks without this environment, and an sbatch that warns.
    mkdir bin
    printf "#!/bin/sh\necho sbatch: warning: of nothing >&2\nexec %s \"\$@\"\n" "$(command -v sbatch)" >bin/sbatch
    chmod +x bin/sbatch
    PATH=$tmp/bin:$PATH "$program" run config.json --out "it'"'"'s 5 %" "$@" --engine slurm --shards 2 \
      --slurm=--export=NONE --slurm=--time=10 >odd.out 2>odd.err || fail "odd: exit code $?"
    ' bash "${small[@]}" || fail "array"
  [[ $(grep -c '^job ' odd.err) == 1 ]] || fail "odd: submitted again"
  grep -q 'sbatch: warning: of nothing' odd.err || fail "odd: the warning is not told"
  "$program" compare strict/motions "it's 5 %/motions" >odd.differences || fail "odd: $(tail -n 3 odd.differences)"
  [[ $(grep -c '^job ' array.err) == 2 ]] || fail "array: the lost task was not submitted again"
  equal array
fi
((tried == 1)) || { echo "cluster: neither MPI nor Slurm on this machine"; exit 77; }
