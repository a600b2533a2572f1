#!/usr/bin/env bash
# The multi round-trip scenarios of the official conformance suite against the Go example server.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
scripts/setup/node.sh
scripts/prefix.sh
(cd examples/go && ../../scripts/with-prefix go build -o ../../target/examples/go/ ./...)
scenarios=$(grep -o '"input-required-result-[a-z-]*"' tests/conformance/expected.json | tr -d '"' | sort -u)
# shellcheck disable=SC2086  # one word each
exec python3 tests/conformance/gate.py server $scenarios --start 'scripts/with-prefix target/examples/go/server -port {port}'
