#!/usr/bin/env bash
# The official conformance suite against the C++ example client.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
scripts/setup/node.sh
examples/cpp/build.sh
exec python3 tests/conformance/gate.py client target/cpp-examples/conformance "$@"
