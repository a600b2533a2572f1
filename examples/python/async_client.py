#!/usr/bin/env python3
"""Calls a tool of an MCP server several times at once, in one asyncio loop.

    async_client.py URL TOOL [ARGUMENTS as JSON] [--calls N] [--decline]

What the server asks is asked on the terminal, one question after the other; with --decline everything is declined. Ctrl-C cancels all
calls, and with each the request that is under way.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any

import httpx
import mrtr
from terminal import ask_form, ask_url
from transport import events

INFO = {"name": "libmrtr-python-async-example", "version": "0.1.0"}


class AsyncHttpTransport:
    """Hands legs to one server: one POST per leg. The JSON is never re-printed."""

    def __init__(self, url: str, http: httpx.AsyncClient) -> None:
        self.url, self.http = url, http

    async def __call__(self, leg: mrtr.AsyncLeg) -> bytes:
        head = b'{"jsonrpc":"2.0","id":%d,"method":%s,"params":' % (leg.id, json.dumps(leg.method).encode())
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **mrtr.request_headers(leg.method, leg.params)}
        try:
            response = await self.http.post(self.url, headers=headers, content=head + leg.params.encode() + b"}", timeout=leg.timeout_s)
        except httpx.TimeoutException as why:
            raise TimeoutError(str(why)) from why
        except httpx.HTTPError as why:
            raise ConnectionError(str(why)) from why
        message = response.content
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            message = next((data.encode() for data in events(iter(response.text.split("\n"))) if mrtr.member(data.encode(), "method") is None), b"{}")
        result, error = mrtr.member(message, "result"), mrtr.member(message, "error")
        if error is not None:
            raise mrtr.RpcError(error.decode())
        if result is None:
            raise ConnectionError("the server answered without a result")
        return result


def handlers(decline: bool) -> dict[str, Any]:
    """One person sits at the terminal: calls wait for each other there, and nowhere else."""
    terminal = asyncio.Lock()

    def asking(ask_person: Any) -> Any:
        async def handler(ask: mrtr.Ask) -> Any:
            if decline:
                return mrtr.DECLINE
            async with terminal:
                return await asyncio.to_thread(ask_person, ask)

        return handler

    return {"form": asking(ask_form), "url": asking(ask_url)}


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("tool")
    parser.add_argument("arguments", nargs="?", default="{}")
    parser.add_argument("--calls", type=int, default=1, metavar="N")
    parser.add_argument("--decline", action="store_true")
    options = parser.parse_args()
    params = '{"name":' + json.dumps(options.tool) + ',"arguments":' + options.arguments + "}"
    async with httpx.AsyncClient(trust_env=False) as http, mrtr.AsyncClient(client_info=INFO, **handlers(options.decline)) as client:
        transport = AsyncHttpTransport(options.url, http)
        calls = (client.call("tools/call", params, transport) for _ in range(options.calls))
        ends = await asyncio.gather(*calls, return_exceptions=True)
    failed = 0
    for number, end in enumerate(ends, 1):
        if isinstance(end, mrtr.MrtrError):
            failed += 1
            print(f"{number}: {end.name}: {end.message}", file=sys.stderr)
        elif isinstance(end, BaseException):
            raise end
        else:
            print(f"{number}: " + " ".join(block.get("text", json.dumps(block)) for block in end.json().get("content", [])))
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
