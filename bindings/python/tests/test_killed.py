"""C11: a process dies while its user is asked, another goes on: the server sees two legs, and nobody can read what lay between."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mrtr

KEY = "0123456789abcdef0123456789abcdef"
ASKING = '{"resultType":"input_required","requestState":"s-1","inputRequests":{%s,%s}}'
FORM = '"%s":{"method":"elicitation/create","params":{"message":"%s?","requestedSchema":{"type":"object","properties":{"v":{"type":"string"}}}}}'
RESULT = ASKING % (FORM % ("city", "City"), FORM % ("date", "Date"))

FIRST = f"""
import os, signal, sys
import mrtr
client = mrtr.Client(form=lambda ask: None, continuation_keys=[b"{KEY}"])
flow = client.begin("tools/call", '{{"name":"trip","n":3.0}}')
leg = flow.next()
print("leg", leg.params, flush=True)
flow.deliver(leg.leg, sys.argv[1])
while not isinstance(flow.next(), mrtr.Ask):
    pass
flow.answer("city", '{{"v":"Lisboa"}}')
with open(sys.argv[2], "w") as file:
    file.write(flow.save())
os.kill(os.getpid(), signal.SIGKILL)
"""

SECOND = f"""
import sys
import mrtr
with open(sys.argv[1]) as file:
    saved = file.read()
client = mrtr.Client(form=lambda ask: {{"v": "May"}}, continuation_keys=[b"another secret of thirty-two bytes", b"{KEY}"])
def transport(leg):
    print("leg", leg.params, flush=True)
    return '{{"resultType":"complete","content":[]}}'
client.drive(client.resume(saved), transport)
"""


def run(program: str, *arguments: str) -> tuple[int, list[dict[str, object]]]:
    done = subprocess.run([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, text=True, env=dict(os.environ), timeout=60)
    return done.returncode, [json.loads(line[4:]) for line in done.stdout.splitlines() if line.startswith("leg ")]


def test_another_process_goes_on(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    code, first = run(FIRST, RESULT, str(saved))
    assert code == -signal.SIGKILL
    text = saved.read_text()
    assert text.startswith("mrtrs1.")
    code, second = run(SECOND, str(saved))
    assert code == 0
    assert len(first) == 1 and len(second) == 1
    assert "inputResponses" not in first[0]
    assert second[0]["inputResponses"] == {"city": {"action": "accept", "content": {"v": "Lisboa"}}, "date": {"action": "accept", "content": {"v": "May"}}}
    assert second[0]["requestState"] == "s-1"


def saved_by(*keys: bytes) -> str:
    with mrtr.Client(form=lambda ask: mrtr.DECLINE, continuation_keys=keys) as client, client.begin("tools/call", "{}", now_ms=0) as flow:
        flow.next(0)
        flow.deliver(1, RESULT, 0)
        return flow.save()


def test_only_the_key_opens_it() -> None:
    key, other = KEY.encode(), b"another secret of thirty-two bytes"
    sealed, plain = saved_by(key), saved_by()
    changed = sealed[:-9] + ("A" if sealed[-9] != "A" else "B") + sealed[-8:]
    for saved, keys in ((sealed, [other]), (sealed, []), (plain, [key]), (changed, [key]), (sealed[:-4], [key])):
        with mrtr.Client(form=lambda ask: mrtr.DECLINE, continuation_keys=keys) as client, pytest.raises(mrtr.MrtrError, match="config_error"):
            client.resume(saved)
    with mrtr.Client(form=lambda ask: mrtr.DECLINE, continuation_keys=[other, key]) as client:
        client.resume(sealed).close()
    with pytest.raises(mrtr.MrtrError, match="config_error"):
        mrtr.Client(continuation_keys=[b"short"])


def test_who_asks_and_for_what() -> None:
    result = json.loads(RESULT)
    result["_meta"] = {"io.modelcontextprotocol/serverInfo": {"name": "trip\u202e", "version": "1"}}
    result["inputRequests"]["date"]["params"]["requestedSchema"]["properties"] = {"v": {"type": "string"}, "password": {"type": "string"}}
    with mrtr.Client(form=lambda ask: mrtr.DECLINE, label="Travel") as client, client.begin("tools/call", '{"name":"trip"}', now_ms=0) as flow:
        assert flow.asks() == []
        flow.next(0)
        flow.deliver(1, json.dumps(result), 0)
        city, date = flow.asks()
        assert (city.label, city.call_method, city.call_target) == ("Travel", "tools/call", "trip")
        assert (city.server_name, city.server_shown, city.server_version) == ("trip\u202e", "trip\\u{202e}", "1")
        assert city.secret_fields == () and date.secret_fields == ("password",)
        assert isinstance(flow.next(0), mrtr.Round)
        assert flow.next(0) == city
        flow.decline("date", 0)
        assert flow.asks() == [city]


def test_result_types_of_the_host() -> None:
    with mrtr.Client(result_types=["task"]) as client:
        result = client.call("tools/call", "{}", lambda leg: '{"resultType":"task","taskId":"1"}')
        assert result.json()["taskId"] == "1"
