#!/usr/bin/env bash
# The Swift package, its tests and the example client, warnings as errors.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
"$root/scripts/setup/swift.sh"
"$root/scripts/prefix.sh"
run() { "$root/scripts/with-prefix" "$root/scripts/swift-run" swift "$@"; }
cd "$root/bindings/swift"
run test --scratch-path "$root/target/swift/bindings" -Xswiftc -warnings-as-errors
cd "$root/examples/swift/client"
run build --scratch-path "$root/target/swift/client" -Xswiftc -warnings-as-errors
