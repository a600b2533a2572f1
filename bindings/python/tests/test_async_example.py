"""The asyncio example against a server that asks once and repeats what it was told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from test_client import ASK

ROOT = Path(__file__).resolve().parents[3]


class Asks(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answers = message["params"].get("inputResponses")
        result = json.loads(ASK) if answers is None else {"resultType": "complete", "content": [{"type": "text", "text": answers["a"]["action"]}]}
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def test_many_calls_at_once() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Asks)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings/python/src")}
    command = [sys.executable, str(ROOT / "examples/python/async_client.py"), f"http://127.0.0.1:{server.server_port}/", "t", "--calls", "10", "--decline"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    server.shutdown()
    server.server_close()
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{number}: decline" for number in range(1, 11)]
