#!/usr/bin/env bash
# Installs, moves the installed tree, and builds programs against it by pkg-config and by CMake, shared and static.
set -euo pipefail
root=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
cd "$root"
work=target/install-test
rm -rf "$work"; mkdir -p "$work"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
passed=0 failed=0

says() {  # says NAME COMMAND…: the program prints the version
  local said
  said=$("${@:2}" 2>&1) || said="exit $?: $said"
  if [ "$said" = "$version" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1: expected $version, got: $said"; fi
}

for libdir in lib lib/x86_64-linux-gnu; do
  here=$work/${libdir//\//-}
  MRTR_PROFILE=dev MRTR_LIBDIR=$libdir scripts/install.sh /usr "$root/$here.staged"
  mkdir -p "$here"; mv "$here.staged/usr" "$here/moved here"; rm -r "$here.staged"
  if grep -rIl -e "$root" -e '/usr' "$here/moved here"; then echo "FAIL an absolute path in the files above"; failed=$((failed + 1)); else passed=$((passed + 1)); fi
  prefix=$root/$here/plain; ln -s "moved here" "$here/plain"   # pkg-config's output is split at spaces by a shell
  lib=$prefix/$libdir
  export PKG_CONFIG_PATH=$lib/pkgconfig
  says "$libdir version" pkg-config --modversion mrtr
  says "$libdir needs the SONAME" bash -c "cc -o '$here/shared' tests/install/main.c \$(pkg-config --cflags --libs mrtr) && readelf -d '$here/shared' | grep -q 'NEEDED.*libmrtr.so.0' && echo $version"
  says "$libdir shared" env LD_LIBRARY_PATH="$lib" "$here/shared"
  says "$libdir static" bash -c "cc -o '$here/static' tests/install/main.c \$(pkg-config --cflags mrtr) '$lib/libmrtr.a' \$(pkg-config --static --libs-only-l mrtr | sed 's/-lmrtr//') && '$here/static'"

  mkdir "$here/src"; cp tests/install/main.* "$here/src"
  sed "s/@WANT@/${version%.*}/" tests/install/CMakeLists.txt > "$here/src/CMakeLists.txt"
  says "$libdir cmake" bash -c "cmake -S '$here/src' -B '$here/build' -DCMAKE_PREFIX_PATH='$root/$here/moved here' >'$here/log' 2>&1 && cmake --build '$here/build' >>'$here/log' 2>&1 || tail -n 20 '$here/log'; echo $version"
  for program in shared static plus; do says "$libdir cmake $program" "$here/build/$program"; done
  sed -i 's/find_package(mrtr [0-9.]*/find_package(mrtr 99.0/' "$here/src/CMakeLists.txt"
  says "$libdir cmake refuses another version" bash -c "cmake -S '$here/src' -B '$here/refused' -DCMAKE_PREFIX_PATH='$root/$here/moved here' >/dev/null 2>&1 || echo $version"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
