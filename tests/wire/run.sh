#!/usr/bin/env bash
# The C++ example server over its wires: whole conversations, and malformed and hostile requests.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
examples/cpp/build.sh
code=0
python3 tests/wire/conversations.py target/cpp-examples/server || code=1
python3 tests/wire/bad_requests.py target/cpp-examples/server || code=1
python3 tests/wire/stdio.py target/cpp-examples/server || code=1
exit $code
