#!/usr/bin/env bash
# run.sh [NAME…]: builds the debug library, the C tests here and the C examples, and runs each under valgrind (or without, if there is none).
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 1
built=${CARGO_TARGET_DIR:-target}/debug
cargo build --quiet --lib || exit 1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
ln -s "$(readlink -f "$built/libmrtr.so")" "$work/libmrtr.so.0"
check=()
if command -v valgrind >/dev/null; then
  check=(valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect --show-leak-kinds=definite,indirect --num-callers=30)
else
  echo "valgrind is missing: running without"
fi
passed=0 failed=0
for source in tests/c/*.c examples/c/*.c; do
  name=$(basename "$source" .c)
  # The examples use the default cipher, whose AES instructions valgrind takes for undefined.
  case $source in examples/*) undefined=no ;; *) undefined=yes ;; esac
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  if ${CC:-cc} -std=c11 -g -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -Iinclude -Itests/c -o "$work/$name" "$source" "$work/libmrtr.so.0" -lpthread -ldl -Wl,-rpath,"$work" &&
    "${check[@]}" ${check:+--undef-value-errors=$undefined} "$work/$name" "$work/libmrtr.so.0"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1)); echo "FAIL $name"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
