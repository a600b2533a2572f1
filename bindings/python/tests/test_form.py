"""Forms written field by field (B4)."""

from __future__ import annotations

import json

import mrtr
import pytest


def test_every_kind_of_field() -> None:
    form = (
        mrtr.Form()
        .text("mail", title="E-mail", format="email", min_length=3, max_length=40, required=True)
        .number("share", minimum="0.10", maximum=1.5)
        .integer("seats", minimum=1, maximum="9007199254740993", default=2)
        .boolean("news", default=True)
        .select("row", ["a", ("b", "B")], default="b")
        .multi_select("bags", ["x", "y"], min_items=1, default=["y"])
    )
    assert form.schema == (
        '{"type":"object","properties":{"mail":{"type":"string","title":"E-mail","format":"email","minLength":3,"maxLength":40},'
        '"share":{"type":"number","minimum":0.10,"maximum":1.5},"seats":{"type":"integer","minimum":1,"maximum":9007199254740993,"default":2},'
        '"news":{"type":"boolean","default":true},"row":{"type":"string","oneOf":[{"const":"a","title":"a"},{"const":"b","title":"B"}],"default":"b"},'
        '"bags":{"type":"array","minItems":1,"items":{"type":"string","enum":["x","y"]},"default":["y"]}},"required":["mail"]}'
    )


def test_a_form_is_asked() -> None:
    with mrtr.Server(None) as server:
        x = server.exchange("tools/call", '{"name":"t"}', principal=mrtr.NOBODY, capabilities='{"elicitation":{}}')
        assert x.ask_form("k", "How many?", mrtr.Form().integer("seats")).status == "missing"
        asked = json.loads(x.result())["inputRequests"]["k"]["params"]["requestedSchema"]
        assert asked == {"type": "object", "properties": {"seats": {"type": "integer"}}}


def test_what_breaks_a_rule_names_its_spot() -> None:
    form = mrtr.Form()
    with pytest.raises(mrtr.MrtrError, match="bad_schema") as caught:
        form.text("day", format="weekday")
    assert caught.value.at == "/requestedSchema/properties/day/format"
    with pytest.raises(ValueError, match="least count"):
        form.text("day", min_length=-1)
    assert form.schema == '{"type":"object","properties":{}}'
