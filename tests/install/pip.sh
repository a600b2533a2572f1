#!/usr/bin/env bash
# `pip install ./bindings/python` in an environment of its own builds and bundles the library; the package works away from the tree.
set -euo pipefail
root=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
venv=$root/target/pip-test
rm -rf "$venv" "$root/bindings/python/build"
python3 -m venv "$venv"
"$venv/bin/pip" install --disable-pip-version-check --quiet "$root/bindings/python"
cd /
said=$(env -u PYTHONPATH -u MRTR_LIBRARY "$venv/bin/python" - <<'PY'
import mrtr
sealer = mrtr.Sealer([b"k" * 32])
token = sealer.seal("tools/call", '{"name":"x"}', mrtr.NOBODY, b"kept")
print(sealer.open("tools/call", '{"name":"x"}', mrtr.NOBODY, token).state)
PY
) || said="exit $?"
[ "$said" = "b'kept'" ] && { echo "1 passed, 0 failed"; exit 0; }
echo "FAIL expected b'kept', got: $said"
echo "0 passed, 1 failed"
exit 1
