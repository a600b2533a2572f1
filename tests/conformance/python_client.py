#!/usr/bin/env python3
"""The official suite's client under test: python_client.py URL, scenario in MCP_CONFORMANCE_SCENARIO.

Runs on the Python package and on the transport of the example client.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "examples/python")]

import mrtr  # noqa: E402
from transport import HttpTransport  # noqa: E402

TOOLS = ("test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type")


def consent(ask: mrtr.Ask) -> Any:
    """Every boolean true, every text a word: the suite asks for a confirmation."""
    values = {"boolean": True, "string": "yes", "integer": 1, "number": 1}
    return {name: values[field["type"]] for name, field in ask.schema["properties"].items() if field.get("type") in values}


def request_state(url: str) -> None:
    with mrtr.Client(form=consent, client_info={"name": "libmrtr-python", "version": "0.1.0"}) as client:
        for tool in TOOLS:
            client.call("tools/call", {"name": tool, "arguments": {}}, HttpTransport(url))


SCENARIOS = {"sep-2322-client-request-state": request_state}


def main() -> int:
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    if scenario not in SCENARIOS:
        print(f"unknown scenario {scenario!r}", file=sys.stderr)
        return 2
    SCENARIOS[scenario](sys.argv[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
