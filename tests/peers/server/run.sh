#!/usr/bin/env bash
# One handler, clients of both eras: the C++ example server and the official Python and TypeScript clients, each in a call of three rounds,
# over HTTP and over stdio.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../../.."
scripts/setup/node.sh
examples/cpp/build.sh
peers=$PWD/target/peers/server
mkdir -p "$peers"
exec 9>"$peers/.lock"; flock 9
for sdk in 1.30.0 2.3.0; do
  [ -f "$peers/mcp-$sdk/.ready" ] && continue
  python3 -m venv "$peers/mcp-$sdk"
  "$peers/mcp-$sdk/bin/pip" install --disable-pip-version-check --quiet "mcp==$sdk"
  touch "$peers/mcp-$sdk/.ready"
done
if ! cmp -s tests/peers/server/package.json "$peers/node/package.json" || [ ! -f "$peers/node/.ready" ]; then
  mkdir -p "$peers/node"
  cp tests/peers/server/package.json tests/peers/server/package-lock.json "$peers/node/"
  ( cd "$peers/node" && npm ci --no-audit --no-fund --loglevel=error >/dev/null && touch .ready )
fi

said=$(mktemp)
MRTR_KEY=0123456789abcdef0123456789abcdef target/cpp-examples/server >"$said" 2>"$said.err" &
server=$!
trap 'kill "$server" 2>/dev/null; rm -f "$said" "$said.err"' EXIT
for _ in $(seq 100); do [ -s "$said" ] && break; sleep 0.1; done
url=$(head -1 "$said")
failed=0
for at in "$url" "$PWD/target/cpp-examples/server"; do
  for sdk in 1.30.0 2.3.0; do
    timeout 60 "$peers/mcp-$sdk/bin/python" tests/peers/server/call.py "$at" || failed=1
  done
  timeout 60 target/node/bin/node tests/peers/server/call.mjs "$peers/node/node_modules/@modelcontextprotocol/client/dist" "$at" || failed=1
done
[ "$failed" = 0 ] || { cat "$said.err" >&2; exit 1; }
