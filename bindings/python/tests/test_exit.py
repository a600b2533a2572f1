"""A process may end at any moment, with flows open, and ends cleanly: no crash, no hang, nothing said (F5; 20 of 20)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BEGIN = "import mrtr, sys, threading, asyncio\nclient = mrtr.Client(form=lambda ask: mrtr.DECLINE)\nflows = [client.begin('tools/call', '{}') for _ in range(50)]\n"
WAYS = {
    "flows": BEGIN + "for flow in flows: flow.next()",
    "in a call": BEGIN + "client.call('tools/call', '{}', lambda leg: sys.exit(0))",
    "in a thread": BEGIN + "threading.Thread(target=client.call, args=('tools/call', '{}', lambda leg: threading.Event().wait()), daemon=True).start()",
    "asyncio": BEGIN + """
async def never(leg): await asyncio.sleep(3600)
async def main():
    calls = [asyncio.create_task(mrtr.AsyncClient().call('tools/call', '{}', never)) for _ in range(20)]
    await asyncio.sleep(0.01)
asyncio.run(main())""",
    "runtime": BEGIN + "runtime = mrtr.Runtime()\nfor flow in flows: runtime.start(flow)\nruntime.next(0)",
    "runtime with a waiting thread": BEGIN
    + """
runtime, first = mrtr.Runtime(), threading.Event()
for flow in flows: runtime.start(flow)
def pump():
    while not isinstance((runtime.next() or (None, None))[1], mrtr.Drained): first.set()
threading.Thread(target=pump, daemon=True).start()
first.wait()""",
    "runtime shut down": BEGIN + "runtime = mrtr.Runtime()\nfor flow in flows: runtime.start(flow)\nruntime.shutdown()",
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_the_process_ends_cleanly(way: str) -> None:
    source = str(Path(__file__).resolve().parents[1] / "src")
    environment = {**os.environ, "PYTHONPATH": source, "PYTHONFAULTHANDLER": "1"}
    running = [subprocess.Popen([sys.executable, "-c", WAYS[way]], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(20)]
    ends = [(process.communicate(timeout=60)[0], process.returncode) for process in running]
    assert ends == [(b"", 0)] * 20
