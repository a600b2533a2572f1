#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET…]: runs each target of fuzz/ for so long under libFuzzer with AddressSanitizer.
# What it learns is kept in target/fuzz/corpus; an input that fails is left in target/fuzz/found and fails the run.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
seconds=${1:?SECONDS is missing}; shift
scripts/setup/apt.sh; scripts/setup/rust.sh
host=$(rustc -vV | sed -n 's/^host: //p')
# The flags of the stable compiler that libFuzzer needs: coverage counters, traced comparisons, the sanitizer.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$PWD/target/fuzz
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
  -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address -Cdebug-assertions -Ccodegen-units=1"
cargo build --quiet --release --manifest-path fuzz/Cargo.toml --target "$host"

[ $# -gt 0 ] || set -- $(basename -s .rs fuzz/fuzz_targets/*.rs)
passed=0 failed=0
for target; do
  mkdir -p "target/fuzz/corpus/$target" "target/fuzz/found"
  if "target/fuzz/$host/release/$target" "target/fuzz/corpus/$target" -max_total_time="$seconds" -artifact_prefix="target/fuzz/found/$target-" \
       -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 >"target/fuzz/$target.log" 2>&1; then
    passed=$((passed + 1))
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "target/fuzz/$target.log") inputs, nothing found"
  else
    failed=$((failed + 1)); echo "FAIL $target:"; tail -n 40 "target/fuzz/$target.log"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
