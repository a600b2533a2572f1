#!/usr/bin/env bash
# The official conformance suite's scenario of the pattern against the Swift client.
set -euo pipefail
root=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
cd "$root"
scripts/setup/node.sh
scripts/setup/swift.sh
scripts/prefix.sh
cd examples/swift/client
"$root/scripts/with-prefix" "$root/scripts/swift-run" swift build --scratch-path "$root/target/swift/client" -Xswiftc -warnings-as-errors
cd "$root"
exec python3 tests/conformance/gate.py client "scripts/with-prefix scripts/swift-run target/swift/client/debug/conformance" sep-2322-client-request-state
