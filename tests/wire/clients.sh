#!/usr/bin/env bash
# clients.sh [CLIENT…]: the Go and the Swift example clients book the same trip on the C++ and on the Go example server.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
examples/cpp/build.sh
scripts/prefix.sh
(cd examples/go && ../../scripts/with-prefix go build -o ../../target/examples/go/ ./...)
[ $# -gt 0 ] || set -- python go swift
case " $* " in *' swift '*)
  (cd examples/swift/client && ../../../scripts/with-prefix ../../../scripts/swift-run swift build --quiet --scratch-path ../../../target/swift/client) ;;
esac
work=$(mktemp -d -p target); trap 'rm -rf "$work"; kill $server 2>/dev/null || true' EXIT
cat >"$work/answers.json" <<'JSON'
{"account":{"account":"business"},"seat":{"seat":"window"},"confirm":{"confirm":true},"payment":"accept"}
JSON
trip='{"destination":"Lisbon","date":"2027-03-14"}'

book() {  # book CLIENT URL
  case $1 in
    python) scripts/python.sh examples/python/client.py "$2" book_trip "$trip" --answers "$work/answers.json" ;;
    go) scripts/with-prefix target/examples/go/client -answers "$work/answers.json" "$2" book_trip "$trip" ;;
    swift) scripts/with-prefix scripts/swift-run target/swift/client/debug/client "$2" book_trip "$trip" "$work/answers.json" ;;
  esac
}

passed=0 failed=0
for program in 'target/cpp-examples/server' 'scripts/with-prefix target/examples/go/server'; do
  $program >"$work/server.log" 2>&1 & server=$!
  url=
  for _ in $(seq 100); do
    url=$(grep -om1 'http://[^ ]*' "$work/server.log" || true)
    [ -n "$url" ] && break
    sleep 0.1
  done
  [ -n "$url" ] || { cat "$work/server.log"; exit 1; }
  for client in "$@"; do
    if book "$client" "$url" >"$work/said" 2>&1 && grep -q 'Booked: Lisbon.*window.*business' "$work/said"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAIL $client on $program:"; tail -n 20 "$work/said"
    fi
  done
  kill $server; wait $server 2>/dev/null || true
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
