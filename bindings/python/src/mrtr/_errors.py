"""The one exception of the package."""

from __future__ import annotations

import threading

_this_thread = threading.local()


def keep_failure(failure: BaseException | None) -> None:
    """What code of the host raised inside a call of the library: the cause of the error that follows."""
    _this_thread.failure = failure


def take_failure() -> BaseException | None:
    """What was kept on this thread, once."""
    failure: BaseException | None = getattr(_this_thread, "failure", None)
    _this_thread.failure = None
    return failure


class MrtrError(Exception):
    """What the library reported, typed.

    ``code`` and ``name`` come from the list of error codes; ``at`` is a JSON pointer to the spot, ``key`` the ask it is
    about. ``rpc`` is the JSON-RPC error object (JSON text) that belongs on the wire, with ``http_status`` for it.
    For a rejected ``requestState`` ``name`` is the true reason and stays on this side; ``rpc`` says the same for every
    cause (S9). ``raw`` is the result that was not understood, ``continuation`` what `Client.resume` takes to go on.
    """

    def __init__(
        self,
        code: int,
        name: str,
        message: str,
        *,
        key: str | None = None,
        at: str | None = None,
        data: str | None = None,
        rpc: str | None = None,
        rpc_code: int | None = None,
        http_status: int = 200,
        raw: bytes | None = None,
        continuation: str | None = None,
    ) -> None:
        super().__init__(f"{name}: {message}" if message != name else name)
        self.code = code
        self.name = name
        self.message = message
        self.key = key
        self.at = at
        self.data = data
        self.rpc = rpc
        self.rpc_code = rpc_code
        self.http_status = http_status
        self.raw = raw
        self.continuation = continuation
