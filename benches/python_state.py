"""Seal and open from Python through ctypes, beside the boundary of the Python SDK if it is installed.

    scripts/install.sh "$PWD/target/release-prefix"
    MRTR_LIBRARY=$PWD/target/release-prefix/lib/libmrtr.so scripts/python.sh benches/python_state.py

Each line is the median over slices that take turns, so that a slow phase of the machine hits all alike.
"""

from __future__ import annotations

import statistics
import time
from typing import Any, Callable

import mrtr

PARAMS = (
    '{"name":"book_trip","arguments":{"from":"Zürich","to":"Lisboa","date":"2026-08-14","seats":2,"window":true,'
    '"notes":["quiet","front"],"budget":{"amount":420.50,"currency":"EUR"}}}'
)
WHO = ("https://issuer.example", "user-1", "client-1")
SIZES = (64, 1 << 10, 16 << 10, 256 << 10)
ROUNDS, SLICE = 101, 0.002


def measure(ops: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Median microseconds per call."""
    counts, samples = {}, {name: [] for name in ops}
    for name, op in ops.items():
        begin = time.thread_time()
        for _ in range(5):
            op()
        counts[name] = max(1, int(SLICE / max((time.thread_time() - begin) / 5, 1e-7)))
    for _ in range(ROUNDS):
        for name, op in ops.items():
            count = range(counts[name])
            begin = time.thread_time()
            for _ in count:
                op()
            samples[name].append((time.thread_time() - begin) / counts[name] * 1e6)
    return {name: statistics.median(list_) for name, list_ in samples.items()}


def ours(size: int) -> dict[str, Callable[[], Any]]:
    sealer = mrtr.Sealer([b"k" * 32], max_state_bytes=1 << 20)
    state = b"s" * size
    token = sealer.seal("tools/call", PARAMS, WHO, state)
    return {
        "seal": lambda: sealer.seal("tools/call", PARAMS, WHO, state),
        "open": lambda: sealer.open("tools/call", PARAMS, WHO, token),
    }


def theirs(size: int) -> dict[str, Callable[[], Any]]:
    """The SDK's boundary: all of its claims, without the transport around it."""
    try:
        from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
    except ImportError:
        return {}
    import json
    from types import SimpleNamespace

    security = RequestStateSecurity(keys=[b"k" * 32], bind_principal=lambda ctx: "\0".join(WHO))
    boundary = RequestStateBoundary(security, default_audience="bench")
    context: Any = SimpleNamespace(method="tools/call", params=json.loads(PARAMS))
    state = "s" * size
    token = boundary._seal(context, state)
    back: Any = SimpleNamespace(method="tools/call", params={**json.loads(PARAMS), "requestState": token})
    return {"SDK seal": lambda: boundary._seal(context, state), "SDK open": lambda: boundary._unseal(back)}


def main() -> None:
    for size in SIZES:
        times = measure({**ours(size), **theirs(size)})
        for name in ("seal", "open"):
            line = f"{size:>7} B  {name}  {times[name]:9.2f} us"
            if "SDK " + name in times:
                line += f"  SDK {times['SDK ' + name]:9.2f} us  x{times['SDK ' + name] / times[name]:.1f}"
            print(line)


if __name__ == "__main__":
    main()
