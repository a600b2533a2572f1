#!/usr/bin/env bash
# Installs the debug library into target/prefix, where the bindings' tests find it.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
MRTR_PROFILE=dev "$root/scripts/install.sh" "$root/target/prefix" >/dev/null
