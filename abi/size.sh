#!/usr/bin/env bash
# Size of the stripped release library against the last line of abi/size.json (2 % of growth are fine) and the budget.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
cargo build --quiet --release --lib
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
strip -o "$work/libmrtr.so" "${CARGO_TARGET_DIR:-target}/release/libmrtr.so"
python3 - "$(stat -c %s "$work/libmrtr.so")" <<'PY'
import json, sys
size, known = int(sys.argv[1]), json.load(open("abi/size.json"))
last, budget = known["sizes"][-1]["bytes"], known["budget"]
print(f"libmrtr.so: {size} bytes stripped; last noted {last}, budget {budget}")
if size > budget:
    sys.exit(f"over the budget of {budget}")
if size > last * 1.02:
    sys.exit(f"grown by {100 * (size / last - 1):.1f} %: add a line with the reason to abi/size.json")
print("1 passed, 0 failed")
PY
