"""What a host does for its sealer (S11, S13), what it hears of it, and the helpers of gateways (S14)."""

from __future__ import annotations

import gc
import threading
import weakref

import mrtr
import pytest

KEY = b"k" * 32
WHO = ["issuer", "user"]


class Store:
    """Claims in this process, as a host might write them."""

    def __init__(self) -> None:
        self.seen: dict[bytes, tuple[int, int]] = {}
        self.lock = threading.Lock()

    def claim(self, token_id: bytes, until_ms: int, now_ms: int) -> bool:
        with self.lock:
            if token_id in self.seen:
                return False
            self.seen[token_id] = (until_ms, now_ms)
            return True


def name_of(sealer: mrtr.Sealer, token: str, now: int = 2000) -> str:
    with pytest.raises(mrtr.MrtrError) as caught:
        sealer.open("tools/call", None, WHO, token, now_ms=now)
    return caught.value.name


def test_a_guard_lets_each_token_in_once() -> None:
    store, seen = Store(), []
    with mrtr.Sealer([KEY], guard=store, on_refused=seen.append) as sealer:
        token = sealer.seal("tools/call", None, WHO, b"x", now_ms=1000)
        opened = sealer.open("tools/call", None, WHO, token, now_ms=2000)
        assert store.seen == {opened.token_id: (1000 + 600_000 + 60_000, 2000)}
        assert name_of(sealer, token) == "replayed"
        # The claim is the last check: what fails before it is not claimed.
        late = sealer.seal("tools/call", None, WHO, b"x", now_ms=1000)
        assert name_of(sealer, late, now=700_000) == "expired" and len(store.seen) == 1
        assert seen == ["replayed", "expired"]
        counts = sealer.counters()
        assert (counts.sealed, counts.opened, counts.refused) == (2, 1, 2)
        assert counts.sealed_bytes == len(token) + len(late) and counts.opened_bytes == len(token)
        assert {name: n for name, n in counts.reasons.items() if n} == {"replayed": 1, "expired": 1}


def test_of_many_threads_with_one_token_one_gets_in() -> None:
    with mrtr.Sealer([KEY], guard=Store()) as sealer:
        token, barrier, got = sealer.seal("tools/call", None, WHO, b"x"), threading.Barrier(8), []

        def run() -> None:
            barrier.wait()
            try:
                sealer.open("tools/call", None, WHO, token)
                got.append("in")
            except mrtr.MrtrError as refusal:
                got.append(refusal.name)

        threads = [threading.Thread(target=run) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(got) == ["in"] + ["replayed"] * 7


def test_a_guard_that_fails_refuses_and_its_exception_is_the_cause() -> None:
    class Down:
        def claim(self, token_id: bytes, until_ms: int, now_ms: int) -> bool:
            raise ConnectionError("store is down")

    class Vague:
        def claim(self, token_id: bytes, until_ms: int, now_ms: int) -> bool:
            return None  # type: ignore[return-value]

    for guard, cause in ((Down(), ConnectionError), (Vague(), TypeError)):
        with mrtr.Sealer([KEY], guard=guard) as sealer:
            token = sealer.seal("tools/call", None, WHO, b"x")
            with pytest.raises(mrtr.MrtrError) as caught:
                sealer.open("tools/call", None, WHO, token)
            assert caught.value.name == "guard_failed" and isinstance(caught.value.__cause__, cause)
            assert caught.value.rpc is not None and "guard" not in caught.value.rpc and "down" not in caught.value.rpc


def test_a_guard_may_use_the_sealer_it_guards() -> None:
    class Nested:
        sealer: mrtr.Sealer | None = None
        inner: bytes | None = None

        def claim(self, token_id: bytes, until_ms: int, now_ms: int) -> bool:
            with mrtr.Sealer([KEY]) as other:
                self.inner = other.open("a", None, "b", other.seal("a", None, "b", b"inside")).state
            return True

    guard = Nested()
    with mrtr.Sealer([KEY], guard=guard) as sealer:
        token = sealer.seal("tools/call", None, WHO, b"outside")
        assert sealer.open("tools/call", None, WHO, token).state == b"outside" and guard.inner == b"inside"


def test_own_crypto_keeps_our_claims() -> None:
    class Turn:
        def seal(self, plain: bytes) -> bytes:
            return bytes(b ^ 0x55 for b in plain)

        def unseal(self, sealed: bytes) -> bytes:
            if not sealed:
                raise ValueError("nothing there")
            return bytes(b ^ 0x55 for b in sealed)

    with mrtr.Sealer(crypto=Turn()) as sealer:
        token = sealer.seal("tools/call", None, WHO, b"x", now_ms=0)
        assert sealer.open("tools/call", None, WHO, token, now_ms=1).state == b"x"
        assert name_of(sealer, token, now=600_000) == "expired"
        with pytest.raises(mrtr.MrtrError, match="tampered") as caught:
            sealer.open("tools/call", None, WHO, "mrtr1.AAAAAAAAAAA", now_ms=1)
        assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(mrtr.MrtrError, match="config_error"):
        mrtr.Sealer([KEY], crypto=Turn())
    with pytest.raises(mrtr.MrtrError, match="bad_argument"):
        mrtr.Sealer([KEY], guard=Store(), single_use=True)


def test_hooks_end_with_the_last_user_of_the_sealer() -> None:
    store = Store()
    alive = weakref.ref(store)
    sealer = mrtr.Sealer([KEY], guard=store)
    server = mrtr.Server(sealer)
    del store
    sealer.close()
    gc.collect()
    assert alive() is not None
    server.close()
    gc.collect()
    assert alive() is None


def test_a_long_state_finds_room_and_leaves_nothing() -> None:
    with mrtr.Sealer([KEY], max_state_bytes=1 << 20, max_token_bytes=4 << 20) as sealer:
        for size in (0, 1, 4000, 70_000, 1 << 20):
            token = sealer.seal("tools/call", None, WHO, b"s" * size)
            assert sealer.open("tools/call", None, WHO, token).state == b"s" * size
        assert name_of(sealer, "x" * ((4 << 20) + 1)) == "too_large"


def test_a_principal_that_changes_is_seen() -> None:
    who = ["issuer", "user"]
    with mrtr.Sealer([KEY]) as sealer:
        token = sealer.seal("tools/call", None, who, b"x")
        assert sealer.open("tools/call", None, ("issuer", "user"), token).state == b"x"
        who[1] = "other"
        with pytest.raises(mrtr.MrtrError, match="wrong_principal"):
            sealer.open("tools/call", None, who, token)
        assert sealer.open("tools/call", None, [b"issuer", b"user"], token).state == b"x"


def test_a_gateway_carries_what_is_not_its_own() -> None:
    for state in ("", "v1.abc", "\ud800 \x00 é 😀", '{"a":null}'):
        assert mrtr.unwrap_state(mrtr.wrap_state("büro:7", state)) == ("büro:7", state)
    assert mrtr.unwrap_state(b"") is None and mrtr.unwrap_state(b"\xff" * 12) is None
    assert mrtr.prefix_key("a:b", "c") == "3:a:b:c"
    seen = {mrtr.prefix_key(backend, key): (backend, key) for backend in ("", "a", "a:b", "7:") for key in ("", ":", "b:c", "1:a:k")}
    assert len(seen) == 16
    assert all(mrtr.split_key(both) == parts for both, parts in seen.items())
    assert [mrtr.split_key(other) for other in ("", "region", "1:", "01:a:k", "+1:a:k", "9:a:k")] == [None] * 6


FORM = {"type": "object", "properties": {"n": {"type": "string"}}}
ABLE = '{"elicitation":{"form":{}}}'


def test_asks_that_went_out_are_told() -> None:
    heard: list[mrtr.Issued] = []
    with mrtr.Sealer([KEY]) as sealer, mrtr.Server(sealer, on_issued=heard.append) as server:
        with server.exchange("tools/call", None, principal=WHO, capabilities=ABLE, now_ms=1000) as exchange:
            exchange.ask_form("b", "Name?", FORM)
            exchange.ask_form("\ud800", "Name?", FORM)
            assert heard == []
            exchange.result()
            assert heard == [mrtr.Issued(exchange.info.flow_id, 1, "tools/call", ("b", "\ud800"), 601_000)]
        with server.exchange("tools/call", None, principal=WHO, capabilities=ABLE) as exchange:
            exchange.state = "a state alone asks nothing"
            exchange.result()
            assert len(heard) == 1


def test_a_listener_that_fails_changes_nothing_and_ends_with_its_server() -> None:
    class Listener:
        def __call__(self, issued: mrtr.Issued) -> None:
            raise RuntimeError("a fault of the host")

    listener = Listener()
    alive = weakref.ref(listener)
    with mrtr.Sealer([KEY]) as sealer:
        server = mrtr.Server(sealer, on_issued=listener)
        with pytest.raises(mrtr.MrtrError):
            closed = mrtr.Sealer([KEY])
            closed.close()
            mrtr.Server(closed, on_issued=listener)
        del listener
        exchange = server.exchange("tools/call", None, principal=WHO, capabilities=ABLE)
        exchange.ask_form("a", "Name?", FORM)
        assert "requestState" in exchange.result()
        server.close()
        gc.collect()
        assert alive() is not None
        exchange.close()
        gc.collect()
        assert alive() is None
