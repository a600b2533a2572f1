#!/usr/bin/env bash
# clients.sh [CLIENT…]: the example clients book the same trip on the C++ and on the Go example server; and where their version is refused they
# try once more with one that the server names, and then no more. A request that gets no response ends in time.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
examples/cpp/build.sh
scripts/prefix.sh
(cd examples/go && ../../scripts/with-prefix go build -o ../../target/examples/go/ ./...)
[ $# -gt 0 ] || set -- python cpp go swift
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
    cpp) target/cpp-examples/client --answers "$work/answers.json" "$2" book_trip "$trip" ;;
    go) scripts/with-prefix target/examples/go/client -answers "$work/answers.json" "$2" book_trip "$trip" ;;
    swift) scripts/with-prefix scripts/swift-run target/swift/client/debug/client "$2" book_trip "$trip" "$work/answers.json" ;;
  esac
}

start() {  # start COMMAND: runs a server; its address is in $url
  : >"$work/server.log"  # the address of the one before
  $1 >>"$work/server.log" 2>&1 & server=$!
  url=
  for _ in $(seq 100); do
    url=$(grep -om1 'http://[^ ]*' "$work/server.log" || true)
    [ -n "$url" ] && return
    sleep 0.1
  done
  cat "$work/server.log"; exit 1
}

passed=0 failed=0
for program in 'target/cpp-examples/server' 'scripts/with-prefix target/examples/go/server'; do
  start "$program"
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

for client in "$@"; do
  # The version it speaks is named: asked twice. None that it speaks: once.
  for story in '2026-07-28 2' '2099-01-01 1'; do
    start "python3 tests/wire/refuses.py ${story% *}"
    code=0
    book "$client" "$url" >"$work/said" 2>&1 || code=$?
    requests=$(tail -n +2 "$work/server.log" | grep -c '^2026-07-28$' || true)
    if [ "$code" != 0 ] && [ "$requests" = "${story#* }" ] && [ "$(wc -l <"$work/server.log")" = $((requests + 1)) ]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAIL $client where ${story% *} is served: ended with $code after"; cat "$work/server.log"; tail -n 5 "$work/said"
    fi
    kill $server; wait $server 2>/dev/null || true
  done
done
# Where no response comes, whatever else does, a request ends when its time is over: so says the client, and the server sees it.
late() {  # late CLIENT SERVER STORY
  local code=0 after said=(--leg-timeout 1000 "$2" book_trip "$trip")
  case $1 in
    python) timeout 20 scripts/python.sh examples/python/client.py "${said[@]}" ;;
    cpp) timeout 20 target/cpp-examples/client "${said[@]}" ;;
  esac >"$work/said" 2>&1 || code=$?
  sleep 0.2
  after=$(sed -n 's/^cancelled after \([0-9]*\) ms$/\1/p' "$work/server.log")
  if [ "$code" = 1 ] && grep -q leg_timeout "$work/said" && [ -n "$after" ] && [ "$after" -lt 1400 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $1 on a server that says $3: ended with $code, ${after:-not} cancelled after ms"; tail -n 5 "$work/said"
  fi
}
for client in "$@"; do
  case $client in go|swift) continue ;; esac  # a context, or a task, ends their requests
  for story in progress note once silent; do
    start "python3 tests/wire/late.py $story"
    late "$client" "$url" "$story"
    kill $server; wait $server 2>/dev/null || true
    : >"$work/server.log"
    late "$client" "python3 tests/wire/late.py $story $work/server.log" "$story, over stdio"
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
