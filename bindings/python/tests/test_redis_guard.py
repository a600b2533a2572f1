"""Single use in a real Redis: one token, four processes of eight threads, one that gets in; and Redis gone."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from typing import Iterator

import mrtr
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

KEY = b"k" * 32

WORKER = """
import json, sys, threading, redis, mrtr
port, token = int(sys.argv[1]), sys.argv[2]
sealer = mrtr.Sealer([b"k" * 32], guard=mrtr.RedisGuard(redis.Redis(port=port, socket_timeout=5)))
barrier, got = threading.Barrier(8), []
def run():
    barrier.wait()
    try:
        sealer.open("tools/call", None, "user", token)
        got.append("in")
    except mrtr.MrtrError as refusal:
        got.append(refusal.name)
threads = [threading.Thread(target=run) for _ in range(8)]
print("ready", flush=True)
sys.stdin.readline()
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps(got))
"""


@pytest.fixture
def port() -> Iterator[int]:
    """A Redis of our own on a free port of this machine, gone after the test."""
    program = shutil.which("redis-server")
    assert program, "redis-server is missing (Debian package redis-server)"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"]
    server = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
    try:
        client = redis.Redis(port=port)
        for _ in range(200):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait()


def test_of_four_processes_with_eight_threads_each_one_gets_in(port: int) -> None:
    with mrtr.Sealer([KEY]) as sealer:
        token = sealer.seal("tools/call", None, "user", b"x")
    command = [sys.executable, "-c", WORKER, str(port), token]
    workers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    for worker in workers:
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
    for worker in workers:  # all at once, once all are there
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    got = [name for worker in workers for name in json.loads(worker.communicate()[0])]
    assert sorted(got) == ["in"] + ["replayed"] * 31


def test_a_claim_lasts_until_expiry_and_skew(port: int) -> None:
    client = redis.Redis(port=port)
    with mrtr.Sealer([KEY], ttl_ms=5000, skew_ms=1000, guard=mrtr.RedisGuard(client, "t:")) as sealer:
        opened = sealer.open("tools/call", None, "user", sealer.seal("tools/call", None, "user", b"x"))
        assert client.keys() == [b"t:" + opened.token_id.hex().encode()]
        assert 4000 < client.pttl(client.keys()[0]) <= 6000


def test_without_redis_nobody_gets_in(port: int) -> None:
    client = redis.Redis(port=port, socket_timeout=2, retry=Retry(NoBackoff(), 0))
    with mrtr.Sealer([KEY], guard=mrtr.RedisGuard(client)) as sealer:
        token = sealer.seal("tools/call", None, "user", b"x")
        client.shutdown(nosave=True)
        began = time.monotonic()
        with pytest.raises(mrtr.MrtrError) as caught:
            sealer.open("tools/call", None, "user", token)
        assert time.monotonic() - began < 2
        assert caught.value.name == "guard_failed" and isinstance(caught.value.__cause__, redis.ConnectionError)
        assert json.loads(caught.value.rpc or "")["data"] == {"reason": "invalid_request_state"}
        assert sealer.counters().reasons["guard_failed"] == 1
