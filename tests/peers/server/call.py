#!/usr/bin/env python3
"""A call of three rounds with the official Python SDK, of either era: call.py SERVER, which is a URL or a program that serves over stdio.

The first answer to the last question is of the wrong type, so that it has to be asked again.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Any

import anyio

ANSWERS: dict[str, list[dict[str, Any]]] = {
    "account": [{"account": "business"}],
    "seat": [{"seat": "window"}],
    "confirm": [{"confirm": "certainly"}, {"confirm": True}],
}
asked: list[str] = []


def answer(params: Any, result: Any) -> Any:
    if params.mode == "url":
        asked.append("page")
        return result(action="accept")
    schema = getattr(params, "requested_schema", None) or params.requestedSchema
    (name,) = schema["properties"]
    asked.append(name)
    return result(action="accept", content=ANSWERS[name].pop(0))


def program(path: str) -> Any:
    from mcp.client.stdio import StdioServerParameters

    return StdioServerParameters(command=path, args=["--stdio"])


async def older(server: str) -> Any:
    from mcp import ClientSession, types
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    async def elicited(context: Any, params: Any) -> Any:
        return answer(params, types.ElicitResult)

    async with streamable_http_client(server) if "://" in server else stdio_client(program(server)) as (read, write, *_):
        async with ClientSession(read, write, elicitation_callback=elicited) as session:
            spoken = (await session.initialize()).protocolVersion
            return spoken, await session.call_tool("book_trip", {"destination": "Lisbon", "date": "2027-03-14"})


async def newer(server: str) -> Any:
    import mcp_types as types
    from mcp.client import Client

    async def elicited(context: Any, params: Any) -> Any:
        return answer(params, types.ElicitResult)

    async with Client(server if "://" in server else program(server), elicitation_callback=elicited) as client:
        result = await client.call_tool("book_trip", {"destination": "Lisbon", "date": "2027-03-14"})
        return client.protocol_version, result


def main() -> int:
    sdk = version("mcp")
    expected, call = ("2025-11-25", older) if sdk.startswith("1.") else ("2026-07-28", newer)
    spoken, result = anyio.run(call, sys.argv[1])
    text = result.content[0].text
    print(f"mcp {sdk} ({spoken}): {', '.join(asked)}: {text}")
    assert spoken == expected, spoken
    # Both ask the questions of a round at the same time.
    assert [set(asked[:2]), set(asked[2:4]), asked[4:]] == [{"account", "seat"}, {"confirm", "page"}, ["confirm"]], asked
    assert text.startswith("Booked: Lisbon on 2027-03-14, window seat, from the business account"), text
    return 0


if __name__ == "__main__":
    sys.exit(main())
