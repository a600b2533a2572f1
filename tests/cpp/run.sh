#!/usr/bin/env bash
# Tests of mrtr.hpp, built by both compilers and in both standards; under valgrind where there is one.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
cargo build --quiet --locked --lib
library=$(readlink -f "${CARGO_TARGET_DIR:-target}/debug/libmrtr.so")
build() {  # build COMPILER STANDARD
  CXX=$1 cmake -S tests/cpp -B "target/cpp-tests/$1" -DCMAKE_CXX_STANDARD="$2" -DMRTR_LIBRARY="$library" >/dev/null
  cmake --build "target/cpp-tests/$1" --parallel 2 | grep -v '^\[' || true
}
build g++ 17
target/cpp-tests/g++/cpp_tests
build clang++ 20
check=()
if command -v valgrind >/dev/null; then
  # The AES instructions of the default cipher look undefined to valgrind, so it looks at memory alone.
  check=(valgrind --quiet --undef-value-errors=no --error-exitcode=9 --leak-check=full
         --errors-for-leak-kinds=definite,indirect --show-leak-kinds=definite,indirect)
fi
"${check[@]}" target/cpp-tests/clang++/cpp_tests
