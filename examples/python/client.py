#!/usr/bin/env python3
"""Calls a tool of an MCP server and answers what it asks: on the terminal, or from a file.

    client.py SERVER TOOL [ARGUMENTS as JSON] [--answers FILE] [--leg-timeout MS] [--trace]

SERVER is a URL, or a command line that starts one. FILE is a JSON object: an ask's key to its content, or to "accept", "decline" or "cancel".
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import mrtr
from session import Session
from terminal import ask_form, ask_url, short

INFO = {"name": "libmrtr-python-example", "version": "0.1.0"}


def from_file(path: str) -> Any:
    """A handler that takes its answers from a file; what is not in the file nobody was asked."""
    with open(path, encoding="utf-8") as file:
        answers = json.load(file)
    words = {"accept": mrtr.ACCEPT, "decline": mrtr.DECLINE, "cancel": mrtr.CANCEL}

    def handler(ask: mrtr.Ask) -> Any:
        if ask.key not in answers:
            return mrtr.UNAVAILABLE
        answer = answers[ask.key]
        print(f"   ? {ask.key}: {ask.message}{'  ' + ask.url if ask.url else ''}\n   = {json.dumps(answer)}")
        return words.get(answer, answer) if isinstance(answer, str) else answer

    return handler


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("tool")
    parser.add_argument("arguments", nargs="?", default="{}")
    parser.add_argument("--answers", metavar="FILE")
    parser.add_argument("--leg-timeout", type=int, metavar="MS")
    parser.add_argument("--trace", action="store_true", help="show each request and result in short form")
    options = parser.parse_args()

    trace = (lambda direction, method, text: print(f"{direction} {method} {short(text)}")) if options.trace else None
    handler = from_file(options.answers) if options.answers else None
    params = '{"name":' + json.dumps(options.tool) + ',"arguments":' + options.arguments + "}"
    try:
        with Session(options.server, trace=trace, info=INFO, leg_timeout_ms=options.leg_timeout, form=handler or ask_form, url=handler or ask_url) as session:
            session.list_tools()
            result = session.call("tools/call", params, on_round=lambda n: print(f"-- round {n}"))
    except mrtr.MrtrError as error:
        print(f"{error.name}: {error.message}", *(["the server said " + error.rpc] if error.rpc else []), sep="\n", file=sys.stderr)
        return 1
    for block in result.get("content", []):
        print(block.get("text", json.dumps(block)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
