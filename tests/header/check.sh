#!/usr/bin/env bash
# The headers compile alone and twice, in every standard they promise, by gcc and clang, with all warnings as errors (F6).
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
passed=0 failed=0
strict="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef -Wcast-align -Werror"

compile() {  # compile HEADER STANDARD COMPILER FLAGS…
  local header=$1 standard=$2 compiler=$3 source
  case $standard in *++*) source=$work/x.cpp ;; *) source=$work/x.c ;; esac
  for times in 1 2; do
    : > "$source"
    for _ in $(seq $times); do echo "#include <$header>" >> "$source"; done
    echo 'extern int here; int here;' >> "$source"
    if said=$("$compiler" "-std=$standard" $strict "${@:4}" -Iinclude -c -o "$work/x.o" "$source" 2>&1); then
      passed=$((passed + 1))
    else
      failed=$((failed + 1)); echo "FAIL $compiler -std=$standard <$header> $times times:"; head -n 20 <<<"$said"
    fi
  done
}

for standard in c99 c11 c17 c2x; do
  compile mrtr.h $standard gcc -Wstrict-prototypes -Wc++-compat
  compile mrtr.h $standard clang -Wstrict-prototypes -Wdocumentation
done
for header in mrtr.h mrtr.hpp; do
  for standard in c++17 c++20; do
    compile $header $standard g++ -Wold-style-cast
    compile $header $standard clang++ -Wold-style-cast
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
