#!/usr/bin/env bash
# fuzz.sh SECONDS: runs each target of fuzz/ for so long; a finding is kept under fuzz/artifacts and fails.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
[ -d fuzz ] || { echo "fuzz: there is no fuzz target yet" >&2; exit 1; }
scripts/setup/apt.sh && scripts/setup/rust.sh
command -v cargo-fuzz >/dev/null || { echo "fuzz: missing cargo-fuzz (cargo install --locked cargo-fuzz)" >&2; exit 1; }
export RUSTC_BOOTSTRAP=1   # the sanitizer flags of the stable compiler
for target in fuzz/fuzz_targets/*.rs; do
  cargo fuzz run "$(basename "$target" .rs)" -- -max_total_time="$1" -print_final_stats=1
done
