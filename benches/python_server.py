"""One leg of an exchange from Python: the request read, its state opened, one form answer checked, the next question asked, the result.

    scripts/install.sh "$PWD/target/release-prefix"
    MRTR_LIBRARY=$PWD/target/release-prefix/lib/libmrtr.so scripts/python.sh benches/python_server.py
"""

from __future__ import annotations

import json
import statistics
import time

import mrtr

META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}'
CALL = '{"name":"book_trip","arguments":{"from":"Zurich","to":"Lisboa","date":"2026-08-14","seats":2,"budget":{"amount":420.50}},' + META
SCHEMA = '{"type":"object","properties":{"seat":{"type":"string","enum":["window","aisle"]}},"required":["seat"]}'
STATE = b"s" * 64
SAMPLES, PER_SAMPLE = 201, 100


def leg(server: mrtr.Server, params: str) -> str:
    with server.exchange("tools/call", params, principal=mrtr.NOBODY) as x:
        if x.ask_form("seat0", "Which seat?", SCHEMA).accepted:
            x.ask_form("seat1", "Which seat?", SCHEMA)
        x.state = STATE
        return x.result()


def main() -> None:
    server = mrtr.Server(mrtr.Sealer(ephemeral=True))
    token = json.dumps(json.loads(leg(server, CALL + "}"))["requestState"])
    params = CALL + ',"inputResponses":{"seat0":{"action":"accept","content":{"seat":"aisle"}}},"requestState":' + token + "}"
    samples = []
    for _ in range(SAMPLES):
        begin = time.thread_time()
        for _ in range(PER_SAMPLE):
            leg(server, params)
        samples.append((time.thread_time() - begin) / PER_SAMPLE * 1e6)
    print(f"one leg from Python: {statistics.median(samples):.1f} us (lowest {min(samples):.1f})")


if __name__ == "__main__":
    main()
