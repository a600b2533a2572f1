#!/usr/bin/env bash
# Node 22 and the official conformance suite under target/node (the suite does not run on Node 20).
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/common.sh"
want=$root/scripts/setup/node
node=$target/node
mkdir -p "$node"
exec 9>"$node/.lock"; flock 9
fresh "$node/.stamp" "$want/package.json" "$want/package-lock.json" && exit 0
command -v npm >/dev/null || "$root/scripts/setup/apt.sh" npm
command -v npm >/dev/null || die "missing: npm"
cp "$want/package.json" "$want/package-lock.json" "$node/"
( cd "$node" && quietly npm ci --no-audit --no-fund --loglevel=error )
mkdir -p "$node/bin"
for have in "$node"/node_modules/node-linux-*/bin/node "$(command -v node || true)"; do
  [ -x "$have" ] && "$have" -e 'process.exit(process.versions.node.split(".")[0] < 22 ? 1 : 0)' && ln -sf "$have" "$node/bin/node" && break
done
[ -x "$node/bin/node" ] || die "missing: node 22 or later (the registry has none for this kind of machine)"
stamp "$node/.stamp" "$want/package.json" "$want/package-lock.json"
