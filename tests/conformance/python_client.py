#!/usr/bin/env python3
"""The official suite's client under test: python_client.py URL, scenario in MCP_CONFORMANCE_SCENARIO.

Runs on the Python package and on the session of the example client.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "examples/python")]

import mrtr  # noqa: E402
from session import Session  # noqa: E402

CONTEXT = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
VALUES = {"boolean": True, "string": "yes", "integer": 1, "number": 1}


def consent(ask: mrtr.Ask) -> Any:
    """Every boolean true, every text a word: the suite asks for a confirmation."""
    return {name: VALUES[field["type"]] for name, field in ask.schema["properties"].items() if field.get("type") in VALUES}


def model(ask: mrtr.Ask) -> Any:
    """A model of one word."""
    return {"role": "assistant", "content": {"type": "text", "text": "yes"}, "model": "none"}


def roots(ask: mrtr.Ask) -> Any:
    return {"roots": []}


def request_state(session: Session) -> None:
    for tool in ("test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"):
        session.call_tool(tool, {})


def list_tools(session: Session) -> None:
    session.list_tools()


def call_all(session: Session) -> None:
    """Each method whose headers name what it is about."""
    for name in session.list_tools():
        session.call_tool(name, {})
    for resource in session.call("resources/list", {})["resources"]:
        session.call("resources/read", {"uri": resource["uri"]})
    for prompt in session.call("prompts/list", {})["prompts"]:
        session.call("prompts/get", {"name": prompt["name"]})


def call_listed(session: Session) -> None:
    """The calls that the suite wants."""
    session.list_tools()
    for call in CONTEXT["toolCalls"]:
        session.call_tool(call["name"], call["arguments"])


def call_valid(session: Session) -> None:
    """All tools that are not refused for what they want in headers."""
    for name in session.list_tools():
        session.call_tool(name, {"region": "us-west1"})


def add_numbers(session: Session) -> None:
    session.list_tools()
    session.call_tool("add_numbers", {"a": 5, "b": 3})


SCENARIOS = {
    "sep-2322-client-request-state": request_state,
    "request-metadata": list_tools,
    "http-standard-headers": call_all,
    "http-custom-headers": call_listed,
    "http-invalid-tool-headers": call_valid,
    "tools_call": add_numbers,
    "json-schema-ref-no-deref": list_tools,
}


def main() -> int:
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    if scenario not in SCENARIOS:
        print(f"unknown scenario {scenario!r}", file=sys.stderr)
        return 2
    version = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION")
    info = {"name": "libmrtr-python", "version": "0.1.0"}
    with Session(sys.argv[1], version=version, info=info, form=consent, sampling=model, roots=roots) as session:
        SCENARIOS[scenario](session)
    return 0


if __name__ == "__main__":
    sys.exit(main())
