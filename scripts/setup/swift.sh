#!/usr/bin/env bash
# A Swift toolchain: the machine's own, or else Debian 13's in a root of its own (2.5 GB), made once per machine and kept.
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/common.sh"
swift_root=${MRTR_SWIFT_ROOT:-/var/cache/libmrtr/swift-root}
command -v swift >/dev/null && exit 0
[ -f "$swift_root/.ready" ] && exit 0
[ "$(id -u)" = 0 ] || die "missing: swift (or run this as root once, which makes Debian 13's under $swift_root)"
"$root/scripts/setup/apt.sh" debootstrap debian-archive-keyring
mkdir -p "$(dirname "$swift_root")"
exec 9>"$swift_root.lock"; flock 9
[ -f "$swift_root/.ready" ] && exit 0
echo "setup: making Debian 13's Swift under $swift_root (once per machine, about a minute)"
rm -rf "$swift_root.part" "$swift_root"
quietly debootstrap --variant=minbase --include=swiftlang,libc6-dev,libstdc++-14-dev,g++,git,pkg-config trixie "$swift_root.part"
rm -rf "$swift_root.part"/var/cache/apt/archives/*.deb
touch "$swift_root.part/.ready"
mv "$swift_root.part" "$swift_root"
