#!/usr/bin/env bash
# Debian packages of apt-packages.txt: installs what is missing, says nothing if nothing is.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/common.sh"

command -v dpkg-query >/dev/null || exit 0   # not Debian: the steps themselves say what they miss
list=$(sed 's/#.*//' "$here/apt-packages.txt" | awk 'NF {print $1}')
missing=$(for p in $list "$@"; do
  dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q ' installed$' || echo "$p"
done | tr '\n' ' ')
[ -n "${missing// /}" ] || exit 0
[ "$(id -u)" = 0 ] || die "missing Debian packages: ${missing}(install them as root)"
quietly apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive quietly apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 $missing
