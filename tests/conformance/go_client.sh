#!/usr/bin/env bash
# The official conformance suite against the Go client.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
scripts/setup/node.sh
scripts/prefix.sh
(cd examples/go && ../../scripts/with-prefix go build -o ../../target/examples/go/ ./...)
exec python3 tests/conformance/gate.py client "scripts/with-prefix target/examples/go/conformance" "$@"
