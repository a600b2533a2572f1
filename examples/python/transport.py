"""MCP 2026-07-28 over Streamable HTTP, the client's side: one POST per leg. The JSON is never re-printed."""

from __future__ import annotations

import json
from typing import Callable, Iterator

import httpx
import mrtr

Trace = Callable[[str, str, str], None]


class HttpTransport:
    """Hands legs to one server. `trace` sees (direction, method, JSON text) of every message.

    `tools`: what `tools/list` said, by name. A tool may want arguments of its calls in headers.
    """

    def __init__(self, url: str, trace: Trace | None = None) -> None:
        self.url = url
        self.tools: dict[str, str] = {}
        self.trace = trace or (lambda direction, method, text: None)
        self.http = httpx.Client(trust_env=False)

    def __call__(self, leg: mrtr.Leg) -> bytes:
        head, tail = b'{"jsonrpc":"2.0","id":%d,"method":%s,"params":' % (leg.id, json.dumps(leg.method).encode()), b"}"
        tool = self.tools.get(json.loads(leg.params)["name"]) if leg.method == "tools/call" else None
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **mrtr.request_headers(leg.method, leg.params, tool)}
        self.trace("->", leg.method, leg.params)
        try:
            with self.http.stream("POST", self.url, headers=headers, content=head + leg.params.encode() + tail, timeout=leg.timeout_s) as response:
                message = self._message(leg, response)
        except httpx.TimeoutException as why:
            raise TimeoutError(str(why)) from why
        except httpx.HTTPError as why:
            raise ConnectionError(str(why)) from why
        return self._result(leg, message)

    def _message(self, leg: mrtr.Leg, response: httpx.Response) -> bytes:
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            return response.read()
        for data in events(response.iter_lines()):
            message = data.encode()
            method = mrtr.member(message, "method")
            if method is None:
                return message
            if json.loads(method) == "notifications/progress":
                leg.progress(json.loads(message)["params"]["progress"])
        raise ConnectionError("the stream ended without a response")

    def _result(self, leg: mrtr.Leg, message: bytes) -> bytes:
        try:
            result, error = mrtr.member(message, "result"), mrtr.member(message, "error")
        except mrtr.MrtrError as why:
            raise ConnectionError(f"the server answered with something that is no JSON-RPC message: {why}") from why
        if error is not None:
            self.trace("<-", leg.method, error.decode())
            raise mrtr.RpcError(error.decode())
        if result is None:
            raise ConnectionError("the server answered without a result")
        self.trace("<-", leg.method, result.decode())
        return result


def events(lines: Iterator[str]) -> Iterator[str]:
    """The data of each event of an SSE stream."""
    data: list[str] = []
    for line in lines:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []
    if data:
        yield "\n".join(data)
