#!/usr/bin/env bash
# Builds the library, the C++ example server and the Python package, and lets them hold a conversation.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
for s in apt rust python; do scripts/setup/$s.sh; done
echo "building the library and the example server …"
cargo build --quiet --lib
cmake -S examples/cpp -B target/cpp -DMRTR_LIBRARY_DIR="$PWD/target/debug" >target/cpp.log 2>&1 && cmake --build target/cpp --parallel 2 >>target/cpp.log 2>&1 ||
  { tail -n 20 target/cpp.log; exit 1; }
MRTR_LIBRARY=$PWD/target/debug/libmrtr.so PYTHONPATH=bindings/python/src:examples/python LD_LIBRARY_PATH=target/debug \
  target/venv/bin/python examples/python/demo.py target/cpp/server
