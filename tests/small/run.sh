#!/usr/bin/env bash
# The library without its optional parts: it has the same functions, and those of the missing parts say so.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
cargo build --quiet --locked --lib --no-default-features --target-dir target/small
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
ln -s "$PWD/target/small/debug/libmrtr.so" "$work/libmrtr.so.0"
${CC:-cc} -std=c11 -g -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -Iinclude -Itests/c -o "$work/small" tests/small/unsupported.c "$work/libmrtr.so.0" -Wl,-rpath,"$work"
"$work/small"
names() { nm -D --defined-only "$1" | sed -n 's/.* T \(mrtr_.*\)/\1/p'; }
diff <(names target/small/debug/libmrtr.so) <(sed -n 's/^\(mrtr_[a-z0-9_]*\) .*/\1/p' abi/exports.txt | LC_ALL=C sort) && echo "1 passed, 0 failed"
