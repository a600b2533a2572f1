#!/usr/bin/env python3
"""refuses.py VERSION: a server that serves VERSION only, it says, and refuses every request as of another one (-32022). Prints its address, then a
line for each request: what the request said its version was."""
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


class Refuses(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
        agrees = asked == self.headers["MCP-Protocol-Version"]
        print(asked if agrees else "header and _meta differ", flush=True)
        error = {"code": -32022, "message": "Unsupported protocol version", "data": {"supported": [sys.argv[1]], "requested": asked}}
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}).encode()
        self.send_response(400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Refuses)
print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
server.serve_forever()
