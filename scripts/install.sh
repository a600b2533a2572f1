#!/usr/bin/env bash
# install.sh PREFIX [DESTDIR]: headers, shared and static library, pkg-config and CMake files. The installed tree can be moved.
# MRTR_PROFILE=dev installs a debug build (the default is release), MRTR_LIBDIR=lib/x86_64-linux-gnu another folder for the libraries.
set -euo pipefail
root=$(readlink -f "$(dirname "$(readlink -f "$0")")/..")
prefix=${1:?PREFIX is missing} destdir=${2:-}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
[ "$(uname -s)" = Linux ] || { echo "install: only Linux is covered; elsewhere take target/release and include/" >&2; exit 1; }
profile=${MRTR_PROFILE:-release} libdir=${MRTR_LIBDIR:-lib}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)

# A release is built for C only: beside a Rust library the linker has to keep what only Rust programs could call, a tenth of the size.
if [ "$profile" = dev ]; then
  cargo build --quiet --manifest-path "$root/Cargo.toml" --locked --lib
else
  cargo rustc --quiet --manifest-path "$root/Cargo.toml" --locked --lib --profile "$profile" --crate-type cdylib,staticlib
fi
built=${CARGO_TARGET_DIR:-$root/target}/$([ "$profile" = dev ] && echo debug || echo "$profile")
soname=$(readelf -d "$built/libmrtr.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
[ -n "$soname" ] || { echo "install: $built/libmrtr.so has no SONAME" >&2; exit 1; }

to=$destdir$prefix
lib=$to/$libdir
up=$(sed -E 's#[^/]+#..#g' <<<"$libdir")   # from the library folder back to the prefix
fill() { sed -e "s#@VERSION@#$version#g; s#@LIBDIR@#$libdir#g; s#@UP@#$up#g; s#@SONAME@#$soname#g" "$root/scripts/install/$1" > "$2"; }

install -d "$to/include" "$lib/pkgconfig" "$lib/cmake/mrtr"
install -m 644 "$root/include/mrtr.h" "$root/include/mrtr.hpp" "$to/include/"
[ ! -d "$root/include/mrtr" ] || cp -r "$root/include/mrtr" "$to/include/"
install -m 755 "$built/libmrtr.so" "$lib/libmrtr.so.$version"
install -m 644 "$built/libmrtr.a" "$lib/libmrtr.a"
ln -sf "libmrtr.so.$version" "$lib/$soname"
ln -sf "$soname" "$lib/libmrtr.so"
fill mrtr.pc.in "$lib/pkgconfig/mrtr.pc"
fill mrtr-config.cmake.in "$lib/cmake/mrtr/mrtr-config.cmake"
fill mrtr-config-version.cmake.in "$lib/cmake/mrtr/mrtr-config-version.cmake"
echo "installed mrtr $version ($soname) into $to"
