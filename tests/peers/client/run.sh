#!/usr/bin/env bash
# The Python and the C++ example client against servers on the official SDKs, and against the C++ example server,
# over stdio and HTTP.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../../.."
here=tests/peers/client peers=$PWD/target/peers/client
. scripts/setup/common.sh
scripts/setup/node.sh && scripts/setup/python.sh && examples/cpp/build.sh || exit 1
mkdir -p "$peers"
if ! fresh "$peers/.stamp" $here/package.json $here/requirements.txt; then
  cp $here/package.json "$peers/"
  (cd "$peers" && quietly npm install --no-audit --no-fund --loglevel=error)
  quietly python3 -m venv "$peers/venv"
  quietly "$peers/venv/bin/pip" install --disable-pip-version-check --quiet -r $here/requirements.txt
  stamp "$peers/.stamp" $here/package.json $here/requirements.txt
fi
cp $here/typescript_server.mjs "$peers/"   # beside its packages
python_server="$peers/venv/bin/python $here/python_server.py"
typescript_server="$PWD/target/node/bin/node $peers/typescript_server.mjs"
answers=$(mktemp -p target); trap 'rm -f "$answers"' EXIT
cat >"$answers" <<'JSON'
{"seat": {"seat": "12A"}, "sure": {"sure": true}, "__main__:seat": {"seat": "12A"}, "__main__:sure": {"sure": true},
 "account": {"account": "business"}, "confirm": {"confirm": true}, "payment": "accept"}
JSON
passed=0 failed=0

client() {  # client NAME SERVER TOOL ARGUMENTS
  case $1 in
    python) scripts/python.sh examples/python/client.py "$2" "$3" "$4" --answers "$answers" ;;
    cpp) target/cpp-examples/client --answers "$answers" "$2" "$3" "$4" ;;
  esac
}

try() {  # try WHAT SERVER [TOOL ARGUMENTS WANTED]
  local name said
  for name in python cpp; do
    if said=$(timeout 60 bash -c "$(declare -f client); answers=$answers; client \"\$@\"" - $name "$2" "${3:-book}" "${4:-{\"destination\":\"Lisbon\"\}}" 2>&1) && grep -q "${5:-booked Lisbon 12A [Tt]rue}" <<<"$said"; then
      passed=$((passed + 1)); echo "ok   $name, $1"
    else
      failed=$((failed + 1)); echo "FAIL $name, $1: $said"
    fi
  done
}

over_http() {  # over_http WHAT COMMAND [PATH TOOL ARGUMENTS WANTED]: the command gets a port as its last word
  local port server
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  $2 "$port" >"$answers.log" 2>&1 & server=$!
  for _ in $(seq 200); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
  try "$1" "http://127.0.0.1:$port${3:-/mcp}" "${@:4}"
  kill "$server"; wait "$server" 2>/dev/null
  rm -f "$answers.log"
}

try "Python SDK over stdio" "$python_server"
try "TypeScript SDK over stdio" "$typescript_server"
over_http "Python SDK over HTTP" "$python_server"
over_http "TypeScript SDK over HTTP" "$typescript_server"
sed -i 's/"seat": {"seat": "12A"}, /"seat": {"seat": "window"}, /' "$answers"
trip=(book_trip '{"destination":"Lisbon","date":"2027-03-14"}' Booked:.Lisbon)
try "C++ example server over stdio" "target/cpp-examples/server --stdio" "${trip[@]}"
over_http "C++ example server over HTTP" "target/cpp-examples/server --port" /mcp "${trip[@]}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
