#!/usr/bin/env bash
# Builds the case driver on mrtr.hpp into target/cpp-driver.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../../.."
cargo build --quiet --locked --lib
library=$(readlink -f "${CARGO_TARGET_DIR:-target}/debug/libmrtr.so")
cmake -S tests/drivers/cpp -B target/cpp-driver -DCMAKE_BUILD_TYPE=Debug -DMRTR_LIBRARY="$library" >/dev/null
cmake --build target/cpp-driver --parallel 2
