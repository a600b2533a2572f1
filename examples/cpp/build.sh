#!/usr/bin/env bash
# Builds the C++ examples with the library of this tree, into target/cpp-examples.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
cargo build --quiet --locked --lib
library=$(readlink -f "${CARGO_TARGET_DIR:-target}/debug/libmrtr.so")
build=target/cpp-examples
cmake -S examples/cpp -B "$build" -DCMAKE_BUILD_TYPE=Debug -DMRTR_LIBRARY="$library" >/dev/null
cmake --build "$build" --parallel 2 | grep -v '^\[' || true
[ -x "$build/server" ]
