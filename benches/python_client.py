"""One round of a flow from Python: the result read and its form asks checked, each shown, answered, the answer checked, the retry written.

    scripts/install.sh "$PWD/target/release-prefix"
    MRTR_LIBRARY=$PWD/target/release-prefix/lib/libmrtr.so scripts/python.sh benches/python_client.py

*steps* drives a `Flow` by hand, *call* is `Client.call` with a transport that has the result at hand. Figures are computing time of
the thread per round: what else the machine does counts less.
"""

from __future__ import annotations

import statistics
import time
from typing import Any, Callable

import mrtr

PARAMS = '{"name":"book_trip","arguments":{"from":"Zürich","to":"Lisboa","date":"2026-08-14","seats":2,"window":true,"notes":["quiet","front"]}}'
ASK = (
    '{"method":"elicitation/create","params":{"mode":"form","message":"Which seat would you like?","requestedSchema":{"type":"object",'
    '"properties":{"seat":{"type":"string","minLength":2,"maxLength":4},"meal":{"type":"string","enum":["none","meat","fish"]}},"required":["seat"]}}}'
)
COMPLETE = '{"resultType":"complete","content":[{"type":"text","text":"booked"}]}'
CONTENT = {"seat": "12A", "meal": "none"}
TEXT = '{"seat":"12A","meal":"none"}'
ASKS, ROUNDS_PER_CALL, SAMPLES, SLICE = (1, 10, 64), 50, 201, 0.002


def result(asks: int) -> str:
    entries = ",".join(f'"seat{n}":{ASK}' for n in range(asks))
    return f'{{"resultType":"input_required","inputRequests":{{{entries}}},"requestState":"{"s" * 200}"}}'


def steps(asks: int) -> Callable[[], Any]:
    """One round of a flow that never ends."""
    client, text = mrtr.Client(form=lambda ask: mrtr.CANCEL, max_rounds=0xFFFFFFFF, flow_timeout_ms=1 << 38), result(asks)
    flow = client.begin("tools/call", PARAMS)
    sent = flow.next()

    def round() -> None:
        nonlocal sent
        assert isinstance(sent, mrtr.Send)
        flow.deliver(sent.leg, text)
        while True:
            event = flow.next()
            if isinstance(event, mrtr.Ask):
                flow.answer(event.key, TEXT)
            elif isinstance(event, mrtr.Send):
                sent = event
                return

    return round


def call(asks: int, rounds: int, reply: mrtr.Json | dict[str, str]) -> Callable[[], Any]:
    """A whole call of that many rounds."""
    client, text = mrtr.Client(form=lambda ask: reply, max_rounds=ROUNDS_PER_CALL), result(asks)
    return lambda: client.call("tools/call", PARAMS, lambda leg: text if leg.number <= rounds else COMPLETE)


def measure(ops: dict[str, tuple[Callable[[], Any], int]]) -> dict[str, list[float]]:
    """Microseconds per round of each slice; the slices take turns, so that a slow phase of the machine hits all alike."""
    samples: dict[str, list[float]] = {name: [] for name in ops}
    counts = {}
    for name, (op, _) in ops.items():
        begin = time.thread_time()
        for _ in range(5):
            op()
        counts[name] = max(1, int(SLICE / max((time.thread_time() - begin) / 5, 1e-7)))
    for _ in range(SAMPLES):
        for name, (op, rounds) in ops.items():
            count = range(counts[name])
            begin = time.thread_time()
            for _ in count:
                op()
            samples[name].append((time.thread_time() - begin) / counts[name] / rounds * 1e6)
    return samples


def main() -> None:
    ops = {f"steps, round of {asks}": (steps(asks), 1) for asks in ASKS}
    ops |= {f"call, round of {asks}, answers as Json": (call(asks, ROUNDS_PER_CALL, mrtr.Json(TEXT)), ROUNDS_PER_CALL) for asks in ASKS}
    ops["call, round of 1, answers as dict"] = (call(1, ROUNDS_PER_CALL, CONTENT), ROUNDS_PER_CALL)
    ops["call, complete at once"] = (call(1, 0, CONTENT), 1)
    ops["call of one round, begun and ended"] = (call(1, 1, mrtr.Json(TEXT)), 1)
    for name, samples in measure(ops).items():
        print(f"{name:<40} {statistics.median(samples):8.1f} us (lowest {min(samples):.1f})")


if __name__ == "__main__":
    main()
