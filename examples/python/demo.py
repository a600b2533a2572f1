#!/usr/bin/env python3
"""The demonstration: a C++ server, this client, a booking in three legs over HTTP, then states that are refused.

    demo.py SERVER_PROGRAM

Ends with 0 only if everything went as it should.
"""

from __future__ import annotations

import json
import os
import queue
import secrets
import subprocess
import sys
import threading
from typing import Any

import mrtr
from terminal import short
from transport import HttpTransport

ANSWERS: dict[str, Any] = {
    "account": {"account": "business"},
    "seat": {"seat": "window"},
    "confirm": {"confirm": True},
    "payment": mrtr.ACCEPT,
}
TRIP = '{"name":"book_trip","arguments":{"destination":"Lisbon","date":"2027-03-14"}}'
REFUSAL = {"code": -32602, "message": "Invalid or expired requestState", "data": {"reason": "invalid_request_state"}}
START_SECONDS = 20


class Faults(list[str]):
    """What did not go as it should."""

    def expect(self, holds: bool, what: str) -> None:
        print(f"   {'ok' if holds else 'NOT SO'}: {what}")
        if not holds:
            self.append(what)


def start(program: str) -> tuple[subprocess.Popen[str], str]:
    """The server and the address it printed."""
    environment = {**os.environ, "MRTR_SINGLE_USE": "1", "MRTR_KEY": secrets.token_urlsafe(48)}
    server = subprocess.Popen([program, "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment)
    lines: queue.Queue[str] = queue.Queue()

    def pump() -> None:
        assert server.stdout is not None
        for line in server.stdout:
            lines.put(line)

    threading.Thread(target=pump, daemon=True).start()
    try:
        while True:
            for word in lines.get(timeout=START_SECONDS).split():
                if word.startswith("http://"):
                    return server, word
    except queue.Empty:
        server.terminate()
        raise SystemExit(f"demo: the server printed no address within {START_SECONDS} s") from None


def answer(ask: mrtr.Ask) -> Any:
    reply = ANSWERS.get(ask.key, mrtr.UNAVAILABLE)
    print(f"   the server asks  {ask.key}: {ask.message}" + (f"  {ask.url}" if ask.url else ""))
    print(f"   the user says    {json.dumps(reply) if isinstance(reply, dict) else reply}")
    return reply


def converse(url: str, faults: Faults) -> list[str]:
    """Books a trip; the states that the server sent, in order."""
    states: list[str] = []

    def trace(direction: str, method: str, text: str) -> None:
        print(f"{direction} {short(text, 48)}")
        state = mrtr.member(text, "requestState")
        if direction == "<-" and state is not None:
            states.append(json.loads(state))

    print("A booking in three legs. The server keeps nothing between them: all it knows is sealed in requestState.\n")
    with mrtr.Client(form=answer, url=answer, client_info={"name": "demo", "version": "0.1.0"}) as client:
        result = client.call("tools/call", TRIP, HttpTransport(url, trace), on_round=lambda n: print(f"-- round {n}"))
    print(f"\n   {result.json()['content'][0]['text']}\n")
    faults.expect(result.rounds == 2 and len(states) == 2, "two rounds of questions, each with a state of its own")
    faults.expect(states[:1] != states[1:], "the second state is a fresh one")
    faults.expect("Lisbon" in result.text and "window" in result.text, "the booking is made of what was answered")
    return states


def attack(url: str, faults: Faults, title: str, params: dict[str, Any]) -> None:
    """Sends a state that must be refused; the refusal must look the same whatever the cause."""
    print(f"\n{title}")
    with mrtr.Client(form=answer, url=answer) as client:
        try:
            client.call("tools/call", params, HttpTransport(url, lambda way, method, text: print(f"{way} {short(text, 48)}")))
        except mrtr.MrtrError as error:
            faults.expect(error.rpc is not None and json.loads(error.rpc) == REFUSAL, "refused, without a word about why")
        else:
            faults.expect(False, "refused")


def main() -> int:
    faults = Faults()
    server, url = start(sys.argv[1])
    try:
        states = converse(url, faults)
        state, trip = states[-1], json.loads(TRIP)
        other = "A" if state[-9] != "A" else "B"
        attack(url, faults, "The last state once more, though the trip is booked:", {**trip, "requestState": state})
        attack(url, faults, "The last state again, one character of it changed:", {**trip, "requestState": state[:-9] + other + state[-8:]})
        attack(url, faults, "The same state, sent to another tool:", {"name": "test_simple_text", "arguments": {}, "requestState": state})
        attack(url, faults, "The same state, for another trip:", {"name": "book_trip", "arguments": {"destination": "Rome"}, "requestState": state})
    finally:
        server.terminate()
        server.wait(timeout=START_SECONDS)
    print("\nEverything went as it should." if not faults else f"\nNot as it should: {'; '.join(faults)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
