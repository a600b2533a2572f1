#!/usr/bin/env bash
# Virtual environment target/venv with the pinned packages of requirements.txt.
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/common.sh"
want=$root/scripts/setup/requirements.txt
venv=$target/venv
mkdir -p "$target"
exec 9>"$target/.venv.lock"; flock 9
fresh "$venv/.stamp" "$want" && exit 0
command -v python3 >/dev/null || die "missing: python3"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || die "python3 is too old: 3.10 or later is needed"
rm -rf "$venv"
quietly python3 -m venv "$venv"
quietly "$venv/bin/pip" install --disable-pip-version-check --quiet -r "$want"
stamp "$venv/.stamp" "$want"
