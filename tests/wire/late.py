#!/usr/bin/env python3
"""late.py STORY [LOG]: a server that never responds: it sends `progress` or a `note` every 50 ms for ever, a note `once` after 0.6 s, or nothing
(`silent`). Over HTTP, prints its address; with LOG over stdio. Then a line for the first request: after how many ms it was cancelled."""
import json
import select
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

story, log = sys.argv[1], open(sys.argv[2], "w") if len(sys.argv) > 2 else sys.stdout
NOTE = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "still at it"}}


def hold(request, source, send, is_end):
    """Tells the story of a request until what comes from `source` is the end of it."""
    began = time.monotonic()
    token = request["params"]["_meta"].get("progressToken")
    for at in range(1, 400):
        if select.select([source], [], [], 0.05)[0] and is_end():
            print(f"cancelled after {(time.monotonic() - began) * 1000:.0f} ms", file=log, flush=True)
            return
        if story == "progress":
            send({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": at}})
        elif story == "note" or (story == "once" and at == 12):
            send(NOTE)
    print("never cancelled", file=log, flush=True)


class Late(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()

        def send(message):
            self.wfile.write(f"data: {json.dumps(message)}\n\n".encode())

        def is_closed():
            try:
                return self.connection.recv(1) == b""
            except ConnectionResetError:  # there was something left to read
                return True

        hold(request, self.connection, send, is_closed)

    def log_message(self, *_):
        pass


if log is sys.stdout:
    server = HTTPServer(("127.0.0.1", 0), Late)
    print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
    server.serve_forever()
else:
    request = json.loads(sys.stdin.buffer.raw.readline())

    def is_end():
        message = json.loads(sys.stdin.buffer.raw.readline() or b"{}")
        return message.get("method") == "notifications/cancelled" and message["params"]["requestId"] == request["id"]

    hold(request, sys.stdin, lambda message: print(json.dumps(message), flush=True), is_end)
