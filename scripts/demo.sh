#!/usr/bin/env bash
# The demonstration: builds the C++ server and lets the Python client talk to it.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
for s in apt rust python; do scripts/setup/$s.sh; done
echo "building the library and the C++ server (the first time takes a few minutes) …"
examples/cpp/build.sh
exec scripts/python.sh examples/python/demo.py target/cpp-examples/server
