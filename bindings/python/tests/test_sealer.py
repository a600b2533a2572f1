"""Sealing and opening through the package: S1, S2, S4-S9, S11."""

from __future__ import annotations

import base64
import json
import os

import mrtr
import pytest

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
PARAMS = '{"name":"pay","arguments":{"amount":30}}'
WIRE = {"code": -32602, "message": "Invalid or expired requestState", "data": {"reason": "invalid_request_state"}}


def refused(sealer: mrtr.Sealer, token: str, *, params: str = PARAMS, who: mrtr.Principal = mrtr.NOBODY, now: int = 1) -> str:
    with pytest.raises(mrtr.MrtrError) as caught:
        sealer.open("tools/call", params, who, token, now_ms=now)
    assert caught.value.rpc is not None and json.loads(caught.value.rpc) == WIRE  # one answer for every cause (S9)
    assert token not in str(caught.value) if token else True
    return caught.value.name


def test_what_is_sealed_opens_once_it_comes_back() -> None:
    with mrtr.Sealer([KEY]) as sealer:
        state = b"\x00half \xff done"
        token = sealer.seal("tools/call", PARAMS, mrtr.NOBODY, state, now_ms=0)
        opened = sealer.open("tools/call", PARAMS, mrtr.NOBODY, token, now_ms=599_999)
        assert (opened.state, opened.round) == (state, 1)
        assert opened.issued_ms == 0 and opened.expires_ms == 600_000 and opened.flow_start_ms == 0
        assert refused(sealer, token, now=600_000) == "expired"


def test_a_flow_goes_on_under_its_id() -> None:
    with mrtr.Sealer([KEY]) as sealer:
        first = sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"1", now_ms=0)
        second = sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"2", previous=first, now_ms=5)
        one, two = (sealer.open("tools/call", PARAMS, mrtr.NOBODY, token, now_ms=6) for token in (first, second))
        assert two.round == 2 and two.flow_id == one.flow_id and two.token_id != one.token_id and two.flow_start_ms == 0


def test_none_and_empty_are_not_the_same() -> None:
    with mrtr.Sealer([KEY]) as sealer:
        none, empty = (sealer.seal("tools/call", PARAMS, mrtr.NOBODY, state, now_ms=0) for state in (None, b""))
        assert sealer.open("tools/call", PARAMS, mrtr.NOBODY, none, now_ms=1).state is None
        assert sealer.open("tools/call", PARAMS, mrtr.NOBODY, empty, now_ms=1).state == b""


def test_principal_is_bound_and_never_an_accident() -> None:
    with mrtr.Sealer([KEY]) as sealer:
        token = sealer.seal("tools/call", PARAMS, ["issuer", "user-1"], b"s", now_ms=0)
        for who in (mrtr.NOBODY, "", "issuer", ["issuer", "user-2"], ["issueru", "ser-1"]):
            assert refused(sealer, token, who=who) == "wrong_principal"
        with pytest.raises(TypeError):
            sealer.open("tools/call", PARAMS, None, token)  # type: ignore[arg-type]
        with pytest.raises(mrtr.MrtrError, match="config_error"):
            sealer.seal("tools/call", PARAMS, [], b"s")


def test_other_request_key_and_text_are_refused() -> None:
    with mrtr.Sealer([KEY]) as sealer, mrtr.Sealer([OTHER]) as stranger:
        token = sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"s", now_ms=0)
        assert refused(sealer, token, params='{"name":"pay","arguments":{"amount":31}}') == "wrong_request"
        assert refused(sealer, token, params='{"name":"refund","arguments":{"amount":30}}') == "wrong_request"
        assert refused(stranger, token) == "unknown_key"
        assert refused(sealer, token + "=") == "malformed"
        assert refused(sealer, "") == "malformed"


def test_rotation_in_three_steps() -> None:
    with mrtr.Sealer([KEY]) as sealer:
        token = sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"s", now_ms=0)
        for ring in ([KEY, OTHER], [OTHER, KEY]):
            sealer.set_keys(ring)
            assert sealer.open("tools/call", PARAMS, mrtr.NOBODY, token, now_ms=1).state == b"s"
        sealer.set_keys([OTHER])
        assert refused(sealer, token) == "unknown_key"


def test_single_use() -> None:
    with mrtr.Sealer([KEY], single_use=True) as sealer:
        token = sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"s", now_ms=0)
        assert sealer.open("tools/call", PARAMS, mrtr.NOBODY, token, now_ms=1).state == b"s"
        assert refused(sealer, token) == "replayed"


@pytest.mark.parametrize("options", [{}, {"keys": [b"short"]}, {"keys": [KEY, KEY]}, {"keys": [KEY], "ttl_ms": 0}, {"keys": [KEY], "audience": ""}])
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(mrtr.MrtrError) as caught:
        mrtr.Sealer(**options)  # type: ignore[arg-type]
    assert caught.value.name == "config_error"


@pytest.mark.parametrize("ttl", [-1, 2**64, 1.5, float("nan"), True, "600"])
def test_numbers_that_are_no_durations(ttl: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        mrtr.Sealer([KEY], ttl_ms=ttl)  # type: ignore[arg-type]


def test_ephemeral_only_by_name() -> None:
    with mrtr.Sealer(ephemeral=True) as sealer:
        token = sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"s")
        assert sealer.open("tools/call", PARAMS, mrtr.NOBODY, token).state == b"s"


def test_after_close() -> None:
    sealer = mrtr.Sealer([KEY])
    sealer.close()
    sealer.close()
    with pytest.raises(mrtr.MrtrError, match="stale_handle"):
        sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"s")


def test_text_that_is_no_unicode() -> None:
    with mrtr.Sealer([KEY]) as sealer:
        with pytest.raises(mrtr.MrtrError) as caught:
            sealer.seal("tools/call", b'{"name":"\xff"}', mrtr.NOBODY, b"s")
        assert caught.value.name in ("not_utf8", "bad_json")


def test_repr_tells_no_content() -> None:
    with mrtr.Sealer([KEY]) as sealer:
        opened = sealer.open("tools/call", PARAMS, mrtr.NOBODY, sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"my secret"))
        assert "secret" not in repr(opened)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_copies_of_a_process_never_share_salt_and_nonce() -> None:
    """S2, F5: forks, and what a cloned machine has of them, go on with the salt in their memory, and with nonces of their own."""

    def heads(sealer: mrtr.Sealer, count: int) -> list[tuple[bytes, bytes]]:
        tokens = (sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"", now_ms=0) for _ in range(count))
        texts = [base64.urlsafe_b64decode(token.removeprefix("mrtr1.")[:48]) for token in tokens]
        return [(text[8:24], text[24:36]) for text in texts]  # docs/request-state.md

    with mrtr.Sealer([KEY]) as sealer:
        ((salt, _),) = before = heads(sealer, 1)
        all_of_them = [*before]
        for _ in range(8):
            ours, theirs = os.pipe()
            child = os.fork()
            if child == 0:
                os.write(theirs, b"".join(salt + nonce for salt, nonce in heads(sealer, 100)))
                os._exit(0)
            os.close(theirs)
            with os.fdopen(ours, "rb") as pipe:
                told = pipe.read()
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 and len(told) == 2800
            pairs = [(told[at : at + 16], told[at + 16 : at + 28]) for at in range(0, 2800, 28)]
            # The copy has the salt of the original for the 63 tokens that were left, then one of its own.
            assert [pair[0] == salt for pair in pairs] == [True] * 63 + [False] * 37
            all_of_them += pairs
        all_of_them += heads(sealer, 100)
        assert len(set(all_of_them)) == len(all_of_them) == 901


def test_a_request_is_never_taken_for_the_one_before() -> None:
    """Calls use their structs again, and may keep what the next one has in common with them."""
    long = '{"name":"pay","arguments":{"text":"' + "x" * 5000 + '"}}'
    who = ["issuer", "user-1"]
    requests: list[tuple[str, str | bytes | None, mrtr.Principal]] = [
        ("tools/call", PARAMS, mrtr.NOBODY), ("tools/call", PARAMS.replace("30", "31"), mrtr.NOBODY), ("tools/call", None, mrtr.NOBODY),
        ("prompts/get", PARAMS, mrtr.NOBODY), ("tools/call", long, mrtr.NOBODY), ("tools/call", long, "user-1"),
        ("tools/call", PARAMS, who), ("tools/call", PARAMS, ("issuer", "user-2")), ("tools/call", PARAMS, b"user-1"),
    ]  # fmt: skip
    with mrtr.Sealer([KEY]) as sealer:
        tokens = [sealer.seal(*asked, b"s", now_ms=0) for asked in requests]
        for asked, token in zip(requests, tokens):
            assert sealer.open(*asked, token, now_ms=1).state == b"s"
            again = [sealer.open(*asked, token, now_ms=1) for _ in range(2)]
            assert again[0] == again[1]
            for other, strange in zip(requests, tokens):
                if other is not asked:
                    with pytest.raises(mrtr.MrtrError, match="wrong_request|wrong_principal"):
                        sealer.open(*asked, strange, now_ms=1)
        who[1] = "user-3"
        with pytest.raises(mrtr.MrtrError, match="wrong_principal"):
            sealer.open(*requests[6], tokens[6], now_ms=1)


@pytest.mark.parametrize("broken", ["\ud800", 5, bytearray(b"{}")])
def test_params_that_are_no_text_are_never_absent(broken: object) -> None:
    with mrtr.Sealer([KEY]) as sealer:
        for _ in range(3):
            with pytest.raises((TypeError, UnicodeEncodeError)):
                sealer.seal("tools/call", broken, mrtr.NOBODY, b"s")  # type: ignore[arg-type]
        token = sealer.seal("tools/call", PARAMS, mrtr.NOBODY, b"s", now_ms=0)
        assert refused(sealer, token, params="{}") == "wrong_request"


def test_what_is_required_is_never_left_out_by_accident() -> None:
    with mrtr.Server(None).exchange("tools/call", "{}", principal=mrtr.NOBODY) as exchange:
        for missing in (lambda: exchange.ask("a", None), lambda: setattr(exchange, "state", None), lambda: exchange.ask_url("a", "Go", None)):  # type: ignore[arg-type, return-value]
            with pytest.raises(TypeError):
                missing()
    with mrtr.Client() as client, client.begin("tools/call", "{}") as flow, pytest.raises(TypeError):
        flow.deliver(1, None)  # type: ignore[arg-type]
