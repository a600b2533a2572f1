#!/usr/bin/env bash
# Builds the library (debug) and the C++ examples on it: target/examples/cpp/…
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
cargo build --quiet --lib
{ cmake -S examples/cpp -B target/examples/cpp -DMRTR_LIBRARY="$PWD/target/debug/libmrtr.so" && cmake --build target/examples/cpp -j "$(nproc)"; } > target/examples-cpp.log 2>&1 ||
  { tail -n 40 target/examples-cpp.log >&2; exit 1; }
