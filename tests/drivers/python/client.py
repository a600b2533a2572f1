"""Kind `client`: a flow under a fake clock that jumps to the next due thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import mrtr

HANDLERS = {"elicitation.form": "form", "elicitation.url": "url", "sampling": "sampling", "roots": "roots"}
LIMITS = {
    "maxRounds": "max_rounds", "legTimeoutMs": "leg_timeout_ms", "inputTimeoutMs": "input_timeout_ms", "flowTimeoutMs": "flow_timeout_ms",
    "pollBudgetMs": "poll_budget_ms", "pacingInitialMs": "pacing_initial_ms", "pacingMaxMs": "pacing_max_ms", "maxAsks": "max_asks",
    "maxTokenBytes": "max_token_bytes", "maxMessageBytes": "max_message_bytes",
}  # fmt: skip
FLAGS = {
    "manual": "manual", "strict": "strict", "allowHttp": "allow_http", "stateOnlyCounts": "state_only_counts",
    "resetOnProgress": "reset_on_progress", "cancelIfUnavailable": "cancel_if_unavailable",
}  # fmt: skip
PEER, ANSWER, CANCEL, TIMER = range(4)  # order of things that are due at one time


def observe(case: dict[str, Any]) -> dict[str, Any]:
    story = Story(case)
    try:
        return story.tell()
    except mrtr.MrtrError as error:
        return story.end(error.name, error.key)
    except ValueError:
        return story.end("config_error", None)  # the language's own refusal of a number out of range


def make_client(case: dict[str, Any]) -> mrtr.Client:
    options, registered = case.get("options", {}), case.get("handlers", [])
    never = lambda ask: mrtr.UNAVAILABLE  # the story answers, no handler is called
    arguments: dict[str, Any] = {name: never for kind, name in HANDLERS.items() if kind in registered or kind + ".tools" in registered}
    arguments.update({name: options[key] for key, name in LIMITS.items() if key in options})
    arguments.update({name: options[key] for key, name in FLAGS.items() if key in options})
    arguments["order"] = {None: "default", True: "serial", False: "concurrent"}[options.get("serial")]
    arguments["protocol_version"] = case.get("era")
    return mrtr.Client(sampling_tools="sampling.tools" in registered, jitter=options.get("jitter", False), **arguments)


@dataclass
class Story:
    case: dict[str, Any]
    now: int = 0
    due: list[tuple[int, int, int, Any]] = field(default_factory=list)
    turn: int = 0
    seen: dict[str, Any] = field(default_factory=dict)
    client: mrtr.Client | None = None
    flow: mrtr.Flow | None = None
    asking: set[str] = field(default_factory=set)

    def tell(self) -> dict[str, Any]:
        self.seen = {name: [] for name in ("sent", "shown", "stopped", "cancelledLegs", "gapsMs", "progress")}
        self.seen.update(legs=0, rounds=0, flags={}, again={})
        self.client = make_client(self.case)
        self.seen["declared"] = self.client.capabilities
        if "request" in self.case:
            self.flow = self.client.incoming(raw(self.case["request"]), self.case["era"], now_ms=0)
        else:
            call = self.case["call"]
            self.flow = self.client.begin(call["method"], call["params"], now_ms=0)
        for at, page in self.case.get("completed", []):
            self.plan(at, CANCEL, lambda page=page: self.flow.complete(page, self.now))
        if "cancelAtMs" in self.case:
            self.plan(self.case["cancelAtMs"], CANCEL, lambda: self.flow.cancel(self.now))
        while True:
            timer = self.drain()
            if isinstance(timer, mrtr.Done):
                return self.end(timer.end, timer.key, timer)
            if not self.step(timer):
                return {"failed": "nothing is due any more and the flow has not ended"}

    def drain(self) -> mrtr.Done | int | None:
        """Takes events until the flow waits; tells the time it waits for."""
        while True:
            event = self.flow.next(self.now)
            if isinstance(event, mrtr.Done):
                return event
            if isinstance(event, mrtr.Sleep):
                if self.resume_here():
                    continue
                return event.until_ms
            self.take(event)

    def take(self, event: mrtr.Event) -> None:
        if isinstance(event, mrtr.Send):
            self.seen["legs"] += 1
            self.seen["sent"].append(event.params)
            if event.paced_ms:
                self.seen["gapsMs"].append(event.paced_ms)
            self.plan_leg(event.leg, self.seen["legs"])
        elif isinstance(event, mrtr.Ask):
            self.show(event)
        elif isinstance(event, mrtr.StopAsk):
            self.seen["stopped"].append(event.key)
            self.asking.discard(event.key)
        elif isinstance(event, mrtr.CancelLeg):
            self.seen["cancelledLegs"].append(event.leg)
        elif isinstance(event, mrtr.Round):
            self.seen["rounds"] += 1
        elif isinstance(event, mrtr.Progress):
            self.seen["progress"].append(event.value)

    def plan(self, at: int, rank: int, act: Any) -> None:
        self.turn += 1
        self.due.append((at, rank, self.turn, act))

    def plan_leg(self, leg: int, ordinal: int) -> None:
        legs = self.case["legs"]
        fate = legs[ordinal - 1] if ordinal <= len(legs) else {"never": True}
        for at, value in fate.get("progress", []):
            self.plan(self.now + at, PEER, lambda value=value: self.flow.progress(leg, value, self.now))
        at = self.now + fate.get("afterMs", 0)
        if "result" in fate:
            self.plan(at, PEER, lambda: self.flow.deliver(leg, raw(fate["result"]), self.now))
        elif "error" in fate:
            self.plan(at, PEER, lambda: self.flow.deliver_error(leg, raw(fate["error"]), self.now))
        elif "lost" in fate:
            self.plan(at, PEER, lambda: self.flow.lost(leg, self.now))

    def show(self, ask: mrtr.Ask) -> None:
        self.seen["shown"].append(ask.key)
        self.asking.add(ask.key)
        if ask.kind == "url":
            self.seen["flags"][ask.key] = sorted(ask.url_flags)
        if ask.previously_declined:
            self.seen["again"][ask.key] = True
        answers = self.case.get("answers", {}).get(ask.key, [])
        if answers and "never" not in answers[0]:
            self.plan(self.now + answers[0].get("afterMs", 0), ANSWER, lambda: self.answer(ask.key))

    def answer(self, key: str) -> None:
        if key not in self.asking:
            return  # stopped before it was given: stays at the head of the list
        self.asking.discard(key)
        self.give(key, self.case["answers"][key].pop(0))

    def give(self, key: str, answer: dict[str, Any]) -> None:
        flow = self.flow
        if "value" in answer:
            flow.answer(key, raw(answer["value"]), self.now)
        elif "fail" in answer:
            flow.fail(key, answer["fail"], self.now)
        else:
            acts = {"decline": flow.decline, "cancel": flow.cancel_ask, "refuse": flow.refuse, "unavailable": flow.unavailable}
            next(act for name, act in acts.items() if name in answer)(key, self.now)

    def step(self, timer: int | None) -> bool:
        """Jumps to the next due thing and does it; False if there is none."""
        # A planned thing comes before a timer of the same time.
        planned = min(self.due, key=lambda item: item[:3], default=None)
        if planned is not None and (timer is None or planned[0] <= timer):
            self.due.remove(planned)
            self.now = max(self.now, planned[0])
            planned[3]()
            return True
        if timer is None:
            return False
        self.now = max(self.now, timer)
        return True

    def resume_here(self) -> bool:
        """Exports the flow, drops it and goes on from the text with a new client, once its leg's asks were shown."""
        resume = self.case.get("resume")
        if not resume or self.seen["legs"] != resume["afterLeg"] or not self.asking:
            return False
        self.case["resume"] = None
        text = self.flow.save()
        self.flow.close()
        self.client.close()
        self.due = [item for item in self.due if item[1] == CANCEL]
        self.asking.clear()
        self.client = make_client(self.case)
        if "truncate" in resume:
            text = text[: -resume["truncate"]]
        self.flow = self.client.resume(text, now_ms=self.now)
        if "answerKey" in resume:
            self.flow.answer(resume["answerKey"], "{}", self.now)
        self.seen["shown_before"] = len(self.seen["shown"])
        return True

    def end(self, name: str, key: str | None, done: mrtr.Done | None = None) -> dict[str, Any]:
        self.seen.pop("shown_before", None)
        return {
            **self.seen,
            "end": name,
            "key": key,
            "endMs": self.now,
            "result": None if done is None else done.result,
            "continuation": done is not None and done.continuation is not None,
        }


def raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
