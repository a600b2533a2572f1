"""Single use over any number of processes: claims in Redis, or what speaks like it (S11)."""

from __future__ import annotations

from typing import Any, Protocol


class RedisClient(Protocol):
    """What is needed of ``redis.Redis``: ``redis.Redis(socket_timeout=1, retry=Retry(NoBackoff(), 0))``.

    A request waits for it, and without ``retry`` redis-py tries again with pauses: seconds for each request while Redis is down. A claim that was
    made, but whose answer got lost, would be taken for a second use when it is tried again.
    """

    def set(self, name: Any, value: Any, *, nx: bool, px: int) -> Any: ...


class RedisGuard:
    """Claims each token id by ``SET prefix+id 1 NX PX ms``, which Redis does in one step.

    ``Sealer(keys, guard=RedisGuard(redis.Redis(...)))``. When Redis does not answer, requests are refused (closed):
    `MrtrError` ``guard_failed`` with the exception of the client as its cause. The store must not drop keys before their
    time: ``maxmemory-policy noeviction``, and no failover to a replica that may lag.
    """

    def __init__(self, client: RedisClient, prefix: str = "mrtr:used:") -> None:
        self._client, self._prefix = client, prefix

    def claim(self, token_id: bytes, until_ms: int, now_ms: int) -> bool:
        """Claims an id until ``until_ms``, told in milliseconds from now on: Redis has a clock of its own."""
        answer = self._client.set(self._prefix + token_id.hex(), b"1", nx=True, px=max(until_ms - now_ms, 1))
        return bool(answer)
