"""MCP 2026-07-28, the client's side: over Streamable HTTP, one POST per leg, or over the pipes of a child. The JSON is never re-printed."""

from __future__ import annotations

import json
import math
import queue
import shlex
import subprocess
import threading
import time
from typing import Callable, Iterator

import httpx
import mrtr

Trace = Callable[[str, str, str], None]
#: The messages that came for a leg, and last what ended them.
Arrived = queue.Queue[bytes | Exception]


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
        arrived, over = Arrived(), threading.Event()
        threading.Thread(target=self._post, args=(leg, headers, arrived, over), daemon=True).start()
        try:
            return result_of(leg, next(responses(leg, arrived)), self.trace)
        finally:
            over.set()

    def close(self) -> None:
        self.http.close()

    def _post(self, leg: mrtr.Leg, headers: dict[str, str], arrived: Arrived, over: threading.Event) -> None:
        """On a thread: httpx waits anew for each piece of a stream, so it cannot keep a leg's time. The end of it closes the stream."""
        try:
            with self.http.stream("POST", self.url, headers=headers, content=request(leg), timeout=leg.timeout_s) as response:
                if not response.headers.get("content-type", "").startswith("text/event-stream"):
                    return arrived.put(response.read())
                for data in events(response.iter_lines()):
                    arrived.put(data.encode())
                    if over.is_set() or mrtr.member(data.encode(), "method") is None:
                        return
            arrived.put(ConnectionError("the stream ended without a response"))
        except httpx.TimeoutException as why:
            arrived.put(TimeoutError(str(why)))
        except httpx.HTTPError as why:
            arrived.put(ConnectionError(str(why)))
        except mrtr.MrtrError:
            pass  # no JSON: who waits reads it too


class StdioTransport:
    """Starts a server and hands legs to it, a message a line."""

    def __init__(self, command: str, trace: Trace | None = None) -> None:
        self.tools: dict[str, str] = {}
        self.trace = trace or (lambda direction, method, text: None)
        self.child = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = Arrived()
        threading.Thread(target=self._pump, daemon=True).start()

    def _pump(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put(ConnectionError("the server ended"))

    def __call__(self, leg: mrtr.Leg) -> bytes:
        self.trace("->", leg.method, leg.params)
        self._write(request(leg))
        own = str(leg.id).encode()
        try:
            message = next(message for message in responses(leg, self.lines) if mrtr.member(message, "id") == own)  # others come too late
        except TimeoutError:
            self._write(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}' % leg.id)
            raise
        return result_of(leg, message, self.trace)

    def _write(self, message: bytes) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(message + b"\n")
        self.child.stdin.flush()

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


def responses(leg: mrtr.Leg, arrived: Arrived) -> Iterator[bytes]:
    """The responses among what arrives while the leg's time lasts; however much arrives, only progress may move it."""
    until = moment(leg.timeout_s)
    while (left := until - time.monotonic()) > 0:
        try:
            message = arrived.get(timeout=min(left, threading.TIMEOUT_MAX))
        except queue.Empty:
            break
        if isinstance(message, Exception):
            raise message
        if mrtr.member(message, "method") is None:
            yield message
        elif (value := progress_of(message)) is not None:
            until = moment(leg.progress(value))
    raise TimeoutError("the server did not answer in time")


def moment(left_s: float | None) -> float:
    return math.inf if left_s is None else time.monotonic() + left_s


def progress_of(message: bytes) -> float | None:
    """What a notification of progress says."""
    try:
        notification = json.loads(message)
        return float(notification["params"]["progress"]) if notification["method"] == "notifications/progress" else None
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None


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
