#!/usr/bin/env python3
"""stdio.py SERVER: the server as a child, a message a line: calls of both eras, and lines that are none."""
import contextlib
import itertools
import json
import queue
import subprocess
import sys
import threading
import time

from server import META

TRIP = {"name": "book_trip", "arguments": {"destination": "Lisbon", "date": "2027-03-14"}}
ANSWERS = {"account": "business", "seat": "window", "confirm": True}
ids = itertools.count(1)


class Child:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.lines = queue.Queue()
        threading.Thread(target=self._pump, daemon=True).start()

    def _pump(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def say(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def request(self, method, params=None, meta=META):
        ident = next(ids)
        self.say({"jsonrpc": "2.0", "id": ident, "method": method, "params": {**(params or {}), **({"_meta": meta} if meta else {})}})
        return ident

    def hear(self, seconds=10):
        """The next message; None at the end of the output."""
        return self.lines.get(timeout=seconds)

    def ask(self, *request, **more):
        ident = self.request(*request, **more)
        answer = self.hear()
        assert answer["id"] == ident, answer
        return answer

    def silent(self, seconds=0.3):
        with contextlib.suppress(queue.Empty):
            raise AssertionError(self.hear(seconds))

    def finish(self):
        """Ends its input; all it still says."""
        self.process.stdin.close()
        rest = list(iter(self.hear, None))
        assert self.process.wait(10) == 0
        return rest


def accepted(keys):
    return {key: {"action": "accept", "content": {key: ANSWERS[key]}} for key in keys}


def books_in_three_legs(child):
    result = child.ask("tools/call", TRIP)["result"]
    assert sorted(result["inputRequests"]) == ["account", "seat"], result
    legs = {**TRIP, "inputResponses": accepted(result["inputRequests"]), "requestState": result["requestState"]}
    result = child.ask("tools/call", legs)["result"]
    assert list(result["inputRequests"]) == ["confirm"], result
    last = {**TRIP, "inputResponses": accepted(["confirm"]), "requestState": result["requestState"]}
    changed = {**last, "arguments": {**TRIP["arguments"], "destination": "Porto"}}
    error = child.ask("tools/call", changed)["error"]
    assert error == {"code": -32602, "message": "Invalid or expired requestState", "data": {"reason": "invalid_request_state"}}, error
    result = child.ask("tools/call", last)["result"]
    assert result["resultType"] == "complete" and result["content"][0]["text"].startswith("Booked: Lisbon"), result


def older(child, capabilities=None):
    params = {"protocolVersion": "2025-11-25", "capabilities": capabilities or {"elicitation": {}}, "clientInfo": {"name": "t", "version": "1"}}
    result = child.ask("initialize", params, meta=None)["result"]
    assert result["protocolVersion"] == "2025-11-25" and "serverInfo" in result, result
    child.say({"jsonrpc": "2.0", "method": "notifications/initialized"})


def an_older_client_is_asked_by_requests(child):
    older(child)
    call = child.request("tools/call", TRIP, meta=None)
    asked, done = [], None
    while not done:
        message = child.hear()
        if message.get("id") == call:
            done = message["result"]
            break
        assert message["method"] == "elicitation/create", message
        (name,) = message["params"]["requestedSchema"]["properties"]
        asked.append(name)
        # What is read while a call waits is served all the same.
        if name == "account":
            ping = child.request("ping", meta=None)
            others = [child.hear(), child.hear()]
            assert {"jsonrpc": "2.0", "id": ping, "result": {}} in others, others
            asked += [next(iter(m["params"]["requestedSchema"]["properties"])) for m in others if "method" in m]
            seat = next(m for m in others if "method" in m)
            child.say({"jsonrpc": "2.0", "id": seat["id"], "result": {"action": "accept", "content": {"seat": "window"}}})
        child.say({"jsonrpc": "2.0", "id": message["id"], "result": {"action": "accept", "content": {name: ANSWERS[name]}}})
    assert asked == ["account", "seat", "confirm"], asked
    assert "resultType" not in done and done["content"][0]["text"].startswith("Booked: Lisbon"), done


def both_eras_on_one_pipe(child):
    older(child)
    assert child.ask("tools/list", meta=None)["result"]["tools"]
    assert child.ask("tools/list")["result"]["resultType"] == "complete"
    assert child.ask("initialize", {"protocolVersion": "2025-11-25"}, meta=None)["error"]["code"] == -32600
    assert child.ask("initialize", {"protocolVersion": "2026-07-28"})["error"]["code"] == -32601


def a_cancelled_call_is_not_answered(child):
    older(child)
    call = child.request("tools/call", TRIP, meta=None)
    asks = {child.hear()["id"], child.hear()["id"]}
    child.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}})
    gone = [child.hear(), child.hear()]
    assert all(m["method"] == "notifications/cancelled" for m in gone) and {m["params"]["requestId"] for m in gone} == asks, gone
    child.silent()
    assert child.ask("ping", meta=None)["result"] == {}


def what_is_no_request_is_refused_and_the_next_line_served(child):
    for line, code, ident in (
        (b"", -32700, None), (b"hello", -32700, None), (b'{"jsonrpc":"2.0","id":7', -32700, None), (b"\xff", -32700, None), (b"[]", -32600, None),
        (b'{"jsonrpc":"2.0","id":7}', None, 7), (b'{"jsonrpc":"2.0","id":7,"method":"tools/list"}', -32602, 7),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}', -32602, 7), (b'"' + b"x" * (4 * 1024 * 1024) + b'"', -32600, None),
    ):  # fmt: skip
        child.say(line)
        if code is not None:
            answer = child.hear()
            assert answer["error"]["code"] == code and answer["id"] == ident, (line[:60], answer)
    child.silent()  # a response that nobody waits for
    assert child.ask("ping")["error"]["code"] == -32601
    version = {**META, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}
    assert child.ask("tools/list", meta=version)["error"]["code"] == -32022
    assert child.ask("server/discover")["result"]["resultType"] == "complete"


def changes_are_told_until_the_client_cancels(child):
    first, second = (child.request("subscriptions/listen", {"notifications": {"toolsListChanged": True}}) for _ in range(2))
    for _ in range(2):
        assert child.hear()["method"] == "notifications/subscriptions/acknowledged"
    child.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": first}})
    time.sleep(0.5)
    rest = child.finish()
    assert [(m["id"], m["result"]["resultType"]) for m in rest] == [(second, "complete")], rest


def its_end_is_the_end_of_its_input(child):
    older(child)
    child.request("tools/call", TRIP, meta=None)
    assert [child.hear()["method"] for _ in range(2)] == ["elicitation/create"] * 2
    last = child.request("tools/list")
    rest = child.finish()
    assert [m["id"] for m in rest if "result" in m] == [last], rest


STORIES = (books_in_three_legs, an_older_client_is_asked_by_requests, both_eras_on_one_pipe, a_cancelled_call_is_not_answered,
           what_is_no_request_is_refused_and_the_next_line_served, changes_are_told_until_the_client_cancels, its_end_is_the_end_of_its_input)  # fmt: skip


def main():
    passed = failed = 0
    for story in STORIES:
        child = Child(sys.argv[1])
        try:
            story(child)
            passed += 1
        except (AssertionError, AttributeError, KeyError, TypeError, IndexError, queue.Empty) as fault:
            failed += 1
            print(f"FAIL {story.__name__}: {type(fault).__name__}: {fault}")
        finally:
            child.process.kill()
            child.process.wait()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
