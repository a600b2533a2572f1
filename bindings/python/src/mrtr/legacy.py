"""Clients of older protocol versions: whether they can be asked, and their calls served by a handler of this one (E3, L3)."""

from __future__ import annotations

from ctypes import byref, c_uint32, c_uint64, sizeof
from dataclasses import dataclass

from . import _native as native
from ._handle import Owned
from ._request import JsonText, Principal, clock, request
from .server import Exchange, Server, needs_mask

_CAN_ASK = {1: "yes", 2: "method", 3: "era", 4: "channel", 5: "undeclared"}
_STEPS = {0: "idle", 1: "run", 2: "send", 3: "cancel", 4: "sleep", 5: "done"}


@dataclass(frozen=True)
class Peer:
    """The other side of a session. ``capabilities`` is what it declared in ``initialize``, as JSON text.

    ``back_channel``: a request can be sent to it while it waits for its answer. Of no account in 2026-07-28.
    """

    version: str = "2026-07-28"
    capabilities: JsonText | None = None
    back_channel: bool = False

    def _native(self) -> native.PeerArg:
        return native.PeerArg(
            struct_size=sizeof(native.PeerArg),
            back_channel=int(self.back_channel),
            version=native.text_slice(self.version),
            capabilities=native.optional_slice(self.capabilities),
        )


def can_ask(peer: Peer, method: str, *kinds: str) -> str:
    """Whether the peer can be asked all of these while a request of ``method`` is served (E3).

    "yes", or why not: "method" (it never asks), "era" (its version knows no such ask), "channel" (there is no way to
    reach it), "undeclared". Kinds as in `Exchange.can_ask`.
    """
    can, error = c_uint32(), c_uint64()
    asked = peer._native()
    native.check(
        native.lib.mrtr_peer_can_ask(byref(asked), native.text_slice(method), needs_mask(kinds), byref(can), byref(error)), error
    )
    return _CAN_ASK[can.value]


@dataclass(frozen=True)
class LegacyStep:
    """What to do next; ``type`` says which members count.

    - "run": run the handler in `Legacy.exchange`, then `Legacy.handled` or `Legacy.failed`;
    - "send": send ``method`` with ``params`` under an id of your own, then `Legacy.deliver` or `Legacy.deliver_error` for ``ask``;
    - "cancel": send ``notifications/cancelled`` for ``ask``;
    - "sleep": nothing to do before ``until_ms``;
    - "idle": nothing to do until something is handed over;
    - "done": answer with ``result``, or with the error object ``rpc``, or, if the call was cancelled, not at all.
      ``refused`` is the number of the error code if the library refused the call.
    """

    type: str
    ask: int
    until_ms: int
    method: str
    params: str | None
    result: str | None
    rpc: str | None
    refused: int


class Legacy(Owned):
    """One call of a client of an older version, from its request to its end. Sans-I/O: `next` says what to do (L3)."""

    _FREE = native.bare("mrtr_legacy_free")

    def __init__(self, server: Server, method: str, params: JsonText | None, peer: Peer, *, principal: Principal) -> None:
        bound, asked = request(method, params, principal), peer._native()
        handle, error = c_uint64(), c_uint64()
        native.check(native.lib.mrtr_legacy_begin(server._handle, byref(bound), byref(asked), byref(handle), byref(error)), error)
        super().__init__(handle)

    def next(self, now_ms: int | None = None) -> LegacyStep:
        """What to do next. ``now_ms``: Unix time, None for the system's clock."""
        out, error = native.LegacyStepOut(struct_size=sizeof(native.LegacyStepOut)), c_uint64()
        native.check(native.lib.mrtr_legacy_next(self._handle, clock(now_ms), byref(out), byref(error)), error)
        try:
            return LegacyStep(
                _STEPS.get(out.type, "idle"), out.ask, out.until_ms, native.read_text(out.method) or "", native.read_text(out.params),
                native.read_text(out.result), native.read_text(out.rpc), out.refused,
            )  # fmt: skip
        finally:
            native.lib.mrtr_buf_free(byref(out.storage))

    def exchange(self, now_ms: int | None = None) -> Exchange:
        """The exchange of the round, for the handler to run in. The ``rpc`` of what it raises goes to `failed`."""
        handle, error = c_uint64(), c_uint64()
        native.check(native.lib.mrtr_legacy_exchange(self._handle, clock(now_ms), byref(handle), byref(error)), error)
        return Exchange(handle)

    def handled(self, result: JsonText, now_ms: int | None = None) -> None:
        """Hands over the handler's result: a complete one, or that of its exchange."""
        error = c_uint64()
        native.check(native.lib.mrtr_legacy_handled(self._handle, native.text_slice(result), clock(now_ms), byref(error)), error)

    def failed(self, rpc: JsonText) -> None:
        """Hands over the JSON-RPC error object that the handler or its exchange failed with."""
        error = c_uint64()
        native.check(native.lib.mrtr_legacy_failed(self._handle, native.text_slice(rpc), byref(error)), error)

    def deliver(self, ask: int, result: JsonText) -> None:
        """Hands over the result of the client's response to an ask."""
        error = c_uint64()
        native.check(native.lib.mrtr_legacy_deliver(self._handle, ask, native.text_slice(result), byref(error)), error)

    def deliver_error(self, ask: int) -> None:
        """Says that the client answered an ask with an error: that ends the call."""
        error = c_uint64()
        native.check(native.lib.mrtr_legacy_deliver_error(self._handle, ask, byref(error)), error)

    def cancel(self) -> None:
        """Says that the client cancelled its call, or is gone."""
        error = c_uint64()
        native.check(native.lib.mrtr_legacy_cancel(self._handle, byref(error)), error)
