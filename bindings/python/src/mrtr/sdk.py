"""`requestState` of the Python SDK (PyPI `mcp`), sealed by this library. Needs that package."""

from __future__ import annotations

from typing import Any, Sequence

from mcp.server.request_state import InvalidRequestState

from ._errors import MrtrError
from ._request import NOBODY
from .sealer import Sealer

# The SDK binds request and principal itself; this keeps its states apart from those of our own servers under the same keys.
_METHOD = "mcp/request_state"


class StateCodec:
    """``MCPServer("name", request_state_security=RequestStateSecurity(codec=StateCodec([key])))``.

    Takes the keys and options of `Sealer`: key ring, cipher, single use, ``guard``, ``on_refused``. Expiry is the earlier
    one of the SDK's and ours. Safe to share between threads.
    """

    def __init__(self, keys: Sequence[bytes] = (), **options: Any) -> None:
        #: The sealer behind it, for `Sealer.set_keys` and `Sealer.counters`.
        self.sealer = Sealer(keys, **options)

    def seal(self, payload: bytes) -> str:
        """Seals what the SDK keeps."""
        return self.sealer.seal(_METHOD, None, NOBODY, payload)

    def unseal(self, token: str) -> bytes:
        """Opens it again; raises the SDK's own ``InvalidRequestState``, whose text is the true reason, for its log."""
        try:
            state = self.sealer.open(_METHOD, None, NOBODY, token).state
        except MrtrError as refusal:
            raise InvalidRequestState(refusal.name) from refusal
        except UnicodeEncodeError as refusal:
            raise InvalidRequestState("malformed") from refusal
        if state is None:
            raise InvalidRequestState("malformed")
        return state
