#!/usr/bin/env bash
# Tests of mrtr.hpp, built by both compilers and in both standards.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
cargo build --quiet --locked --lib
library=${CARGO_TARGET_DIR:-target}/debug/libmrtr.so
for pair in "g++ 17" "clang++ 20"; do
  read -r compiler standard <<<"$pair"
  build=target/cpp-tests/$compiler
  CXX=$compiler cmake -S tests/cpp -B "$build" -DCMAKE_CXX_STANDARD="$standard" -DMRTR_LIBRARY="$(readlink -f "$library")" >/dev/null
  cmake --build "$build" --parallel 2 | grep -v '^\[' || true
  "$build/cpp_tests"
done
