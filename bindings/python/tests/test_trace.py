"""What a flow writes down about itself: no content unless it was asked for."""

from __future__ import annotations

import json

import pytest

import mrtr

FORM = '{"message":"Secret question?","requestedSchema":{"type":"object","properties":{"v":{"type":"string"}}}}'
ASKING = '{"resultType":"input_required","requestState":"secret-state","inputRequests":{"a;b":{"method":"elicitation/create","params":%s}}}' % FORM


def told(trace: str) -> mrtr.Flow:
    client = mrtr.Client(form=lambda ask: mrtr.DECLINE, trace=trace, jitter=False)
    flow = client.begin("tools/call", '{"name":"secret-tool"}', now_ms=100)
    flow.next(100)
    flow.deliver(1, ASKING, 110)
    for now in (110, 110):
        flow.next(now)
    flow.answer("a;b", '{"v":"secret-answer"}', 150)
    flow.next(150)
    flow.deliver(2, '{"resultType":"input_required","requestState":"secret-state"}', 160)
    for now in (160, 170, 210):
        flow.next(now)
    flow.deliver(3, '{"resultType":"complete","content":["secret-result"]}', 220)
    flow.next(220)
    return flow


def test_lines() -> None:
    text = told("events").trace()
    records = [json.loads(line) for line in text.splitlines()]
    assert records == [
        {"at": 100, "what": "send", "number": 1, "word": "tools/call"},
        {"at": 110, "what": "response", "number": 1, "word": "input required"},
        {"at": 110, "what": "round", "number": 1},
        {"at": 110, "what": "ask", "key": "a;b", "word": "form"},
        {"at": 150, "what": "answer", "key": "a;b", "word": "value"},
        {"at": 150, "what": "send", "number": 2, "word": "tools/call"},
        {"at": 160, "what": "response", "number": 2, "word": "state only"},
        {"at": 160, "what": "wait", "number": 50},
        {"at": 210, "what": "send", "number": 3, "word": "tools/call"},
        {"at": 220, "what": "response", "number": 3, "word": "complete"},
        {"at": 220, "what": "end", "word": "complete"},
    ]
    assert "ecret" not in text


def test_diagram() -> None:
    diagram = told("content").trace("mermaid")
    assert "ecret" not in diagram
    assert diagram.splitlines() == [
        "sequenceDiagram", "    participant U as User", "    participant C as Client", "    participant S as Server",
        "    C->>S: send 1 tools/call (+0 ms)", "    S-->>C: response 1 input required (+10 ms)", "    Note over C: round 1 (+10 ms)",
        "    C->>U: ask a#59;b form (+10 ms)", "    U-->>C: answer a#59;b value (+50 ms)", "    C->>S: send 2 tools/call (+50 ms)",
        "    S-->>C: response 2 state only (+60 ms)", "    Note over C: wait 50 ms (+60 ms)", "    C->>S: send 3 tools/call (+110 ms)",
        "    S-->>C: response 3 complete (+120 ms)", "    Note over C: end complete (+120 ms)",
    ]  # fmt: skip


def test_content_only_if_asked_for() -> None:
    text = told("content").trace()
    for secret in ("secret-tool", "Secret question?", "secret-answer", "secret-result"):
        assert secret in text
    with pytest.raises(mrtr.MrtrError, match="wrong_state"):
        told("off").trace()
