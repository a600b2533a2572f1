"""Clients of older versions (E3, L3), and what a server of this era stamps and checks (E2)."""

from __future__ import annotations

import json

import mrtr
import pytest

META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'


def test_a_call_of_an_older_client() -> None:
    peer = mrtr.Peer("2025-11-25", '{"elicitation":{}}', back_channel=True)
    with mrtr.Server(mrtr.Sealer(ephemeral=True)) as server:
        call = mrtr.Legacy(server, "tools/call", '{"name":"t"}', peer, principal=mrtr.NOBODY)
    form = mrtr.Form().text("name", required=True)
    answers = iter(['{"action":"accept","content":{}}', '{"action":"accept","content":{"name":"Ada"}}'])
    sent = 0
    while (step := call.next(0)).type != "done":
        if step.type == "run":
            with call.exchange(0) as exchange:
                answer = exchange.ask_form("who", "Who?", form)
                call.handled(exchange.result() if answer.pending else mrtr.complete_result(json.dumps({"content": [], "who": answer.content})))
        elif step.type == "send":
            sent += 1
            assert step.method == "elicitation/create" and json.loads(step.params or "")["message"] == "Who?"
            call.deliver(step.ask, next(answers))
    assert (sent, step.refused, step.rpc) == (2, 0, None)
    assert json.loads(step.result or "") == {"content": [], "who": {"name": "Ada"}}


def test_who_can_be_asked() -> None:
    old = mrtr.Peer("2025-06-18", '{"elicitation":{}}', back_channel=True)
    assert mrtr.can_ask(old, "tools/call", "form") == "yes"
    assert mrtr.can_ask(old, "tools/call", "url") == "era"
    assert mrtr.can_ask(old, "tools/list", "form") == "method"
    assert mrtr.can_ask(mrtr.Peer("2025-06-18", '{"elicitation":{}}'), "tools/call", "form") == "channel"
    assert mrtr.can_ask(mrtr.Peer(), "tools/call", "form") == "undeclared"
    with pytest.raises(mrtr.MrtrError, match="unsupported_version"):
        mrtr.can_ask(mrtr.Peer("1999-01-01"), "tools/call", "form")


def test_headers_repeat_the_request() -> None:
    params = '{"name":"t",' + META + "}"
    headers = [("mcp-method", "tools/call"), ("mcp-protocol-version", "2026-07-28"), ("mcp-name", "t")]
    mrtr.check_request("tools/call", params, headers=headers)
    for wrong in (headers[1:], headers[:2], [*headers, ("Mcp-Name", "t")], []):
        with pytest.raises(mrtr.MrtrError) as caught:
            mrtr.check_request("tools/call", params, headers=wrong)
        assert (caught.value.rpc_code, caught.value.http_status) == (-32020, 400)


def test_results_that_are_no_asks() -> None:
    assert mrtr.complete_result('{"n":1.0}') == '{"n":1.0,"resultType":"complete"}'
    told = json.loads(mrtr.discover_result('{"tools":{}}', instructions="Ask.", ttl_ms=1, server_info='{"name":"s","version":"1"}'))
    assert told["supportedVersions"] == ["2026-07-28"] and told["instructions"] == "Ask." and told["ttlMs"] == 1
    assert told["_meta"]["io.modelcontextprotocol/serverInfo"] == {"name": "s", "version": "1"}
