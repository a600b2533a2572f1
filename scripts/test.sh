#!/usr/bin/env bash
# test.sh [fast|full] [STEP…]: runs the steps of the file `steps`, all of them whatever fails, and says how each ended.
# A step's output is kept in target/logs/STEP.log; shown are its closing lines, or its end if it failed.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.." || exit 1
tier=${1:-full}; shift || true
STEP_SECONDS=${STEP_SECONDS:-1500}
export VENV=$PWD/target/venv NODE=$PWD/target/node
logs=$PWD/target/logs
mkdir -p "$logs"
closing='^test result: |^(ok|FAIL)?[[:space:]]*[0-9]+ passed|^=+ .*(passed|failed)|^[A-Za-z]*:? ?[0-9]+ passed, [0-9]+ failed|^Executed [0-9]+ tests?|^(ok|FAIL)'$'\t''|^[0-9]+% tests passed|^wait'

failures=0 passes=0
step() {  # step NAME COMMAND
  local name=$1 began=$SECONDS code
  timeout --kill-after=10 "$STEP_SECONDS" bash -c "$2" >"$logs/$name.log" 2>&1 </dev/null
  code=$?
  if [ "$code" = 0 ]; then
    passes=$((passes + 1))
    printf 'ok    %-16s %4d s\n' "$name" $((SECONDS - began))
    grep -E "$closing" "$logs/$name.log" | grep -v '^test result: ok. 0 passed; 0 failed; 0 ignored' | tail -n 40
  else
    failures=$((failures + 1))
    [ "$code" = 124 ] && echo "ended after $STEP_SECONDS s" >>"$logs/$name.log"
    printf 'FAIL  %-16s %4d s  exit %d, see target/logs/%s.log; its end:\n' "$name" $((SECONDS - began)) "$code" "$name"
    tail -n 60 "$logs/$name.log"
  fi
}

setups="apt rust python"
[ "$tier" = full ] && setups="$setups node swift"
for s in $setups; do
  scripts/setup/$s.sh || { echo "0 passed, 1 failed"; exit 1; }
done

known=0
while read -r when name command; do
  case $when in ''|\#*) continue ;; esac
  [ "$when" = fast ] || [ "$tier" = full ] || continue
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  known=$((known + 1))
  step "$name" "$command"
done < scripts/steps
[ "$known" -gt 0 ] || { echo "no such step: $*"; failures=1; }
echo "$passes passed, $failures failed"
[ "$failures" = 0 ]
