"""MCP 2026-07-28, the client's side: over Streamable HTTP, one POST per leg, or over the pipes of a child. The JSON is never re-printed."""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
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
        tool = self.tools.get(json.loads(leg.params)["name"]) if leg.method == "tools/call" else None
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **mrtr.request_headers(leg.method, leg.params, tool)}
        self.trace("->", leg.method, leg.params)
        try:
            with self.http.stream("POST", self.url, headers=headers, content=request(leg), timeout=leg.timeout_s) as response:
                message = self._message(leg, response)
        except httpx.TimeoutException as why:
            raise TimeoutError(str(why)) from why
        except httpx.HTTPError as why:
            raise ConnectionError(str(why)) from why
        return result_of(leg, message, self.trace)

    def close(self) -> None:
        self.http.close()

    def _message(self, leg: mrtr.Leg, response: httpx.Response) -> bytes:
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            return response.read()
        for data in events(response.iter_lines()):
            message = data.encode()
            if mrtr.member(message, "method") is None:
                return message
            progress(leg, message)
        raise ConnectionError("the stream ended without a response")


class StdioTransport:
    """Starts a server and hands legs to it, a message a line."""

    def __init__(self, command: str, trace: Trace | None = None) -> None:
        self.tools: dict[str, str] = {}
        self.trace = trace or (lambda direction, method, text: None)
        self.child = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._pump, daemon=True).start()

    def _pump(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def __call__(self, leg: mrtr.Leg) -> bytes:
        assert self.child.stdin is not None
        self.trace("->", leg.method, leg.params)
        self.child.stdin.write(request(leg) + b"\n")
        self.child.stdin.flush()
        while True:
            try:
                message = self.lines.get(timeout=leg.timeout_s)
            except queue.Empty:
                raise TimeoutError("the server did not answer in time") from None
            if message is None:
                raise ConnectionError("the server ended")
            if mrtr.member(message, "method") is not None:
                progress(leg, message)
            elif mrtr.member(message, "id") == str(leg.id).encode():  # what answers an earlier leg comes too late
                return result_of(leg, message, self.trace)

    def close(self) -> None:
        assert self.child.stdin is not None
        self.child.stdin.close()  # the end of its input tells the child to end
        self.child.wait()


def transport_to(server: str, trace: Trace | None = None) -> HttpTransport | StdioTransport:
    """`server` is a URL, or a command line that starts one."""
    return HttpTransport(server, trace) if server.startswith(("http://", "https://")) else StdioTransport(server, trace)


def request(leg: mrtr.Leg) -> bytes:
    """The whole JSON-RPC message of a leg."""
    return b'{"jsonrpc":"2.0","id":%d,"method":%s,"params":%s}' % (leg.id, json.dumps(leg.method).encode(), leg.params.encode())


def progress(leg: mrtr.Leg, message: bytes) -> None:
    """Hands a notification on, if it is one of progress."""
    notification = json.loads(message)
    if notification["method"] == "notifications/progress":
        leg.progress(notification["params"]["progress"])


def result_of(leg: mrtr.Leg, message: bytes, trace: Trace) -> bytes:
    """The result of a response; an error of it is raised."""
    try:
        result, error = mrtr.member(message, "result"), mrtr.member(message, "error")
    except mrtr.MrtrError as why:
        raise ConnectionError(f"the server answered with something that is no JSON-RPC message: {why}") from why
    if error is not None:
        trace("<-", leg.method, error.decode())
        raise mrtr.RpcError(error.decode())
    if result is None:
        raise ConnectionError("the server answered without a result")
    trace("<-", leg.method, result.decode())
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
