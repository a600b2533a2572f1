#!/usr/bin/env bash
# python.sh ARGUMENT…: Python with the test environment, the package of this tree and its debug library.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
export PYTHONPATH=$root/bindings/python/src MRTR_LIBRARY=${MRTR_LIBRARY:-$root/target/debug/libmrtr.so}
exec "$root/target/venv/bin/python" "$@"
