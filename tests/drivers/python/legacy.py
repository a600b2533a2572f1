"""Kind `legacy`: a call of a client of an older version, served by a handler in stages."""

from __future__ import annotations

import json
from typing import Any

import mrtr
from mrtr._codes import Code
from server import KEY, SETTLED, raw, run
from state import principal

COMPLETE = '{"content":[],"resultType":"complete"}'


class Story:
    def __init__(self, case: dict[str, Any]) -> None:
        self.case, self.now = case, 0
        self.answers = {key: list(given) for key, given in case["answers"].items()}
        self.polls = case.get("poll", 0)
        self.keys: list[str] = []
        self.sends: list[mrtr.LegacyStep] = []
        self.seen: dict[str, Any] = {"sent": [], "cancelled": [], "sleepsMs": [], "rounds": 0}
        server = mrtr.Server(mrtr.Sealer([KEY]), gate=case.get("gate", "refuse"))
        peer = mrtr.Peer(case["version"], raw(case["caps"]), case["backChannel"])
        self.call = mrtr.Legacy(server, case["method"], raw(case["params"]), peer, principal=principal(case["principal"]))

    def tell(self) -> dict[str, Any]:
        while True:
            step = self.call.next(self.now)
            if step.type == "run":
                self.handle()
            elif step.type == "send":
                self.seen["sent"].append([step.method, step.params])
                self.sends.append(step)
            elif step.type == "cancel":
                self.seen["cancelled"].append(step.ask)
            elif step.type == "sleep":
                self.seen["sleepsMs"].append(step.until_ms - self.now)
                self.now = step.until_ms
            elif step.type == "idle":
                self.respond()
            else:
                refused = Code(step.refused).name.lower() if step.refused else None
                if step.rpc is not None or refused is not None or step.result is None:
                    self.seen.pop("done", None)
                return {**self.seen, "result": step.result, "rpc": step.rpc, "refused": refused}

    def handle(self) -> None:
        self.seen["rounds"] += 1
        try:
            with self.call.exchange(self.now) as exchange:
                state = exchange.state
                self.seen["state"] = None if state is None else state.decode("utf-8")
                if self.polls:
                    self.polls -= 1
                    exchange.state = "polling"
                    result = exchange.result()
                else:
                    told: dict[str, Any] = {"status": {}}
                    run(exchange, self.case["handler"], told)
                    result = told.get("result", COMPLETE)
                    self.keys = [key for key, status in told["status"].items() if status not in SETTLED]
                    self.seen["done"] = told.get("done")
        except mrtr.MrtrError as error:
            assert error.rpc is not None
            self.call.failed(error.rpc)
        else:
            self.call.handled(result, self.now)

    def respond(self) -> None:
        """Nothing more to do: the client answers what it was sent, or cancels."""
        sends, self.sends = self.sends, []
        given = [(step.ask, self.answers[key].pop(0)) for step, key in zip(sends, self.keys)]
        if not sends or all("never" in answer for _, answer in given):
            if not self.case.get("cancel"):
                raise RuntimeError("nothing is due any more")
            self.call.cancel()
        for ask, answer in given:
            if "result" in answer:
                self.call.deliver(ask, raw(answer["result"]))
            elif "error" in answer:
                self.call.deliver_error(ask)


def observe(case: dict[str, Any]) -> dict[str, Any]:
    return Story(case).tell()
