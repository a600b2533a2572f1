"""A server process under test, and the least HTTP that lets everything be sent as it should not be."""
import contextlib
import json
import re
import socket
import subprocess
import tempfile

VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": {"name": "wire-test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
}
ID = re.compile(rb'"id":("(?:[^"\\]|\\.)*"|[^,}]+)')


class Reply:
    """Status, headers and body of one response; status 0 if the server closed without one."""

    def __init__(self, raw):
        head, _, self.body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split(" ")[1]) if lines[0].startswith("HTTP/1.1 ") else 0
        self.headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])}
        try:
            self.json = json.loads(self.body)
        except ValueError:
            self.json = None

    @property
    def error(self):
        return self.json.get("error") if isinstance(self.json, dict) else None

    @property
    def raw_id(self):
        found = ID.search(self.body)
        return found.group(1).decode() if found else None


class Server:
    def __init__(self, port, process):
        self.port, self.process = port, process

    def raw(self, data, finish=False):
        """Sends bytes as they are; `finish` closes our half afterwards."""
        with socket.create_connection(("127.0.0.1", self.port), 20) as link:
            answer = b""
            with contextlib.suppress(ConnectionError):
                link.sendall(data)
                if finish:
                    link.shutdown(socket.SHUT_WR)
                while piece := link.recv(65536):
                    answer += piece
            return Reply(answer)

    def http(self, body, headers=None, verb="POST", path="/mcp"):
        """One request; a header with value None is left out."""
        all_headers = {"Host": f"localhost:{self.port}", "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                       "Content-Length": str(len(body)), **(headers or {})}
        head = f"{verb} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in all_headers.items() if v is not None)
        return self.raw(head.encode("utf-8", "surrogateescape") + b"\r\n" + body)

    def rpc(self, text, method, name=None, headers=None):
        """A message whose headers fit."""
        fitting = {"MCP-Protocol-Version": VERSION, "Mcp-Method": method}
        if name is not None:
            fitting["Mcp-Name"] = name
        return self.http(text if isinstance(text, bytes) else text.encode(), {**fitting, **(headers or {})})

    def alive(self):
        text = json.dumps({"jsonrpc": "2.0", "id": "alive", "method": "server/discover", "params": {"_meta": META}})
        return self.process.poll() is None and self.rpc(text, "server/discover").status == 200


@contextlib.contextmanager
def started(program):
    """Starts the server on a free port; yields it and its log, and ends it."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([program, "--port", "0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            url = process.stdout.readline().strip()
            yield Server(int(url.split(":")[2].split("/")[0]), process), log
        finally:
            process.terminate()
            process.wait(20)
            process.stdout.close()
