#!/usr/bin/env python3
"""conversations.py SERVER: holds whole conversations with the tool `book_trip`, and tries to cheat it; then ends the server."""
import itertools
import json
import re
import sys
import threading

from server import META, started

TRIP = {"destination": "Lisbon", "date": "2027-03-14"}
BOTH = {"elicitation": {"form": {}, "url": {}}}
FORM = {"elicitation": {"form": {}}}
ids = itertools.count(1)
CHOICES = {"account": {"account": "business"}, "seat": {"seat": "window"}}


def leg(server, capabilities, answers=None, state=None, arguments=None):
    """One leg: the whole response."""
    params = {"name": "book_trip", "arguments": TRIP if arguments is None else arguments, "_meta": {**META, "io.modelcontextprotocol/clientCapabilities": capabilities}}
    if answers is not None:
        params["inputResponses"] = {k: v if v is None or "action" in v else {"action": "accept", "content": v} for k, v in answers.items()}
    if state is not None:
        params["requestState"] = state
    text = json.dumps({"jsonrpc": "2.0", "id": next(ids), "method": "tools/call", "params": params})
    return server.rpc(text, "tools/call", "book_trip").json


def asked(response):
    result = response["result"]
    assert result["resultType"] == "input_required", result
    return {k: v["params"] for k, v in result["inputRequests"].items()}, result["requestState"]


def said(response):
    result = response["result"]
    assert result["resultType"] == "complete" and "requestState" not in result and "inputRequests" not in result, result
    return result["content"][0]["text"]


def to_confirmation(server, capabilities):
    """The first two legs: what the second one asks, and its state."""
    asks, state = asked(leg(server, capabilities))
    assert sorted(asks) == ["account", "seat"], asks
    assert all("Lisbon" in ask["message"] for ask in asks.values()), asks
    assert [o["const"] for o in asks["seat"]["requestedSchema"]["properties"]["seat"]["oneOf"]] == ["window", "aisle", "any"]
    return asked(leg(server, capabilities, CHOICES, state))


def books_by_form(server):
    asks, state = to_confirmation(server, FORM)
    assert list(asks) == ["confirm"], asks
    price = re.search(r"\d+\.\d\d EUR", asks["confirm"]["message"]).group()
    text = said(leg(server, FORM, {"confirm": {"confirm": True}}, state))
    assert text.startswith("Booked: Lisbon on 2027-03-14, window seat, from the business account, " + price), text


def books_with_payment(server):
    asks, state = to_confirmation(server, BOTH)
    assert sorted(asks) == ["confirm", "payment"] and asks["payment"]["mode"] == "url", asks
    number = asks["payment"]["url"].rsplit("/", 1)[1]
    response = leg(server, BOTH, {"confirm": {"confirm": True}, "payment": {"action": "accept"}}, state)
    assert re.fullmatch("[0-9a-f]{32}", number) and number in said(response), response
    assert response["result"]["structuredContent"]["booking"] == number
    again = leg(server, BOTH, {"confirm": {"confirm": True}, "payment": {"action": "accept"}}, state)
    assert again["result"] == response["result"], "the last leg, sent twice, books once"


def two_calls_are_two_bookings(server):
    numbers = {to_confirmation(server, BOTH)[0]["payment"]["url"] for _ in range(2)}
    assert len(numbers) == 2, numbers


def asks_only_for_what_is_missing(server):
    asks, state = asked(leg(server, FORM, arguments={"destination": "Oslo"}))
    assert sorted(asks) == ["account", "date", "seat"], asks
    asks, state = asked(leg(server, FORM, {"seat": {"seat": "any"}, "account": {"account": "gold"}}, state, {"destination": "Oslo"}))
    assert sorted(asks) == ["account", "date"], asks
    answers = {"account": {"account": "personal"}, "date": {"date": "2027-02-30"}}
    asks, state = asked(leg(server, FORM, answers, state, {"destination": "Oslo"}))
    assert sorted(asks) == ["date"], "there is no 30th of February"
    asks, state = asked(leg(server, FORM, {"date": {"date": "2028-02-29"}}, state, {"destination": "Oslo"}))
    assert "Oslo on 2028-02-29, any seat, from the personal account" in asks["confirm"]["message"], asks


def no_means_no(server):
    _, state = asked(leg(server, FORM))
    assert "Nothing was booked" in said(leg(server, FORM, {"seat": {"action": "decline"}}, state))
    _, state = to_confirmation(server, FORM)
    assert "Nothing was booked" in said(leg(server, FORM, {"confirm": {"confirm": False}}, state))
    assert "Nothing was booked" in said(leg(server, FORM, {"confirm": {"action": "cancel"}}, state))
    _, state = to_confirmation(server, BOTH)
    assert "Nothing was booked" in said(leg(server, BOTH, {"payment": {"action": "decline"}}, state))


def a_state_fits_one_call_only(server):
    _, state = to_confirmation(server, FORM)
    yes = {"confirm": {"confirm": True}}
    for wrong, arguments in ((state[:-2] + "AA", TRIP), (state + "A", TRIP), (state, {**TRIP, "destination": "Rome"})):
        error = leg(server, FORM, yes, wrong, arguments)["error"]
        assert (error["code"], error["data"]) == (-32602, {"reason": "invalid_request_state"}), error


def confirming_unasked_does_not_book(server):
    asks, _ = asked(leg(server, FORM, {"confirm": {"confirm": True}}))
    assert sorted(asks) == ["account", "seat"], asks
    _, state = asked(leg(server, FORM))
    asks, _ = asked(leg(server, FORM, {**CHOICES, "confirm": {"confirm": True}}, state))
    assert list(asks) == ["confirm"], "a question that was not asked yet cannot be answered"


def a_client_that_can_answer_nothing_is_refused(server):
    error = leg(server, {})["error"]
    assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": {"elicitation": {"form": {}}}}), error


def a_bad_call_is_a_tool_error(server):
    for arguments in ({}, {"destination": 5}, {"destination": ""}):
        result = leg(server, FORM, arguments=arguments)["result"]
        assert result["isError"] is True and result["resultType"] == "complete", result


def resources_may_ask_too(server):
    params = {"uri": "trip://entry-rules", "_meta": META}
    read = lambda extra: server.rpc(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {**params, **extra}}), "resources/read", params["uri"]).json["result"]
    first = read({})
    assert first["resultType"] == "input_required" and "ttlMs" not in first, first
    second = read({"requestState": first["requestState"], "inputResponses": {"passport": {"action": "accept", "content": {"passport": "eu"}}}})
    assert second["contents"][0]["text"] == "You need no visa." and second["cacheScope"] == "private", second


def a_stream_ends_in_good_order(server):
    """A subscription that is open when the server is told to stop gets its result, and the server ends with 0."""
    text = json.dumps({"jsonrpc": "2.0", "id": "sub", "method": "subscriptions/listen", "params": {"_meta": META, "notifications": {"toolsListChanged": True}}})
    threading.Timer(0.5, server.process.terminate).start()
    reply = server.rpc(text, "subscriptions/listen")
    messages = [json.loads(line[6:]) for line in reply.body.decode().splitlines() if line.startswith("data: ")]
    assert messages[0]["method"] == "notifications/subscriptions/acknowledged", messages
    assert messages[-1]["id"] == "sub" and messages[-1]["result"]["resultType"] == "complete", messages
    assert server.process.wait(10) == 0


STORIES = (books_by_form, books_with_payment, two_calls_are_two_bookings, asks_only_for_what_is_missing, no_means_no, a_state_fits_one_call_only,
           confirming_unasked_does_not_book, a_client_that_can_answer_nothing_is_refused, a_bad_call_is_a_tool_error, resources_may_ask_too,
           a_stream_ends_in_good_order)


def main():
    passed = failed = 0
    with started(sys.argv[1]) as (server, _):
        for story in STORIES:
            try:
                story(server)
                passed += 1
            except (AssertionError, AttributeError, KeyError, TypeError, IndexError) as fault:
                failed += 1
                print(f"FAIL {story.__name__}: {type(fault).__name__}: {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
