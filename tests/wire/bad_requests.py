#!/usr/bin/env python3
"""bad_requests.py SERVER: throws malformed and hostile requests at a server program.

Each must be answered by one line of JSON with a typed, readable error and the id as it was sent, and nothing may fall over."""
import json
import sys

from server import META, VERSION, started

FORM = '{"elicitation":{"form":{}}}'
DEPTH = 100_000


def message(method="tools/list", params=None, ident="1", meta=META):
    """The text of a request; `params` is JSON text without its closing brace, so that anything may be in it."""
    inside = (params + "," if params else "") + '"_meta":' + json.dumps(meta)
    return f'{{"jsonrpc":"2.0","id":{ident},"method":{json.dumps(method)},"params":{{{inside}}}}}'


def call(tool, extra="", arguments="{}"):
    return message("tools/call", f'"name":{json.dumps(tool)},"arguments":{arguments}{extra}')


def without(member):
    return {k: v for k, v in META.items() if not k.endswith(member)}


# name, HTTP status, JSON-RPC code, id in the answer, what to send
def envelope_cases(server):
    def rpc(text, method="tools/list"):
        return lambda: server.rpc(text, method)

    broken = {
        "empty body": "", "blank body": " \n ", "half an object": '{"jsonrpc":"2.0"', "a word": "hello", "single quotes": "{'jsonrpc':'2.0'}",
        "comment": '{"jsonrpc":"2.0"/**/,"id":1}', "trailing comma": '{"jsonrpc":"2.0",}', "two values": message() + message(), "NaN": '{"jsonrpc":NaN}',
        "a raw newline in a string": '{"jsonrpc":"2.0\n"}', "bad escape": '{"jsonrpc":"\\x"}', "not UTF-8": b'{"jsonrpc":"2.0","id":"\xff"}',
        "overlong UTF-8": b'{"jsonrpc":"2.0","id":"\xc0\xaf"}', "byte order mark": b"\xef\xbb\xbf" + message().encode(), "UTF-16": message().encode("utf-16"),
        "nested too deep": '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":' + '{"a":' * DEPTH + "1" + "}" * DEPTH + "}",
        "brackets without end": "[" * DEPTH, "a string": '"tools/list"', "a number": "17", "null": "null",
        "id twice": '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}', "id twice, once escaped": '{"jsonrpc":"2.0","id":1,"\\u0069d":2,"method":"tools/list"}',
    }
    for name, text in broken.items():
        array = isinstance(text, str) and text.startswith("[")
        yield name, 400, -32600 if array else -32700, "null", rpc(text)
    yield "a batch", 400, -32600, "null", rpc(f"[{message()}]")
    wrong = {
        "no jsonrpc": ('{"id":7,"method":"tools/list"}', "7"), "jsonrpc 1.0": ('{"jsonrpc":"1.0","id":7,"method":"tools/list"}', "7"),
        "jsonrpc a number": ('{"jsonrpc":2.0,"id":7,"method":"tools/list"}', "7"), "id null": ('{"jsonrpc":"2.0","id":null,"method":"tools/list"}', "null"),
        "id a fraction": (message(ident="1.5"), "null"), "id with exponent": (message(ident="1e3"), "null"), "id an object": (message(ident="{}"), "null"),
        "id a boolean": (message(ident="true"), "null"), "no method": ('{"jsonrpc":"2.0","id":7}', "7"), "method a number": ('{"jsonrpc":"2.0","id":7,"method":1}', "7"),
        "method a lone surrogate": ('{"jsonrpc":"2.0","id":7,"method":"\\ud800"}', "7"), "a response": ('{"jsonrpc":"2.0","id":7,"result":{}}', "7"),
    }
    for name, (text, ident) in wrong.items():
        yield name, 400, -32600, ident, rpc(text)
    for value in ("[]", '"x"', "null", "1"):
        yield f"params {value}", 400, -32602, "7", rpc(f'{{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{value}}}')


def header_cases(server):
    def with_headers(**headers):
        return lambda: server.rpc(message(), "tools/list", headers={k.replace("_", "-"): v for k, v in headers.items()})

    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::2]", "localhost@evil.example", None):
        yield f"host {host}", 403, -32600, "null", with_headers(Host=host)
    for origin in ("http://evil.example", "null", "https://localhost.evil.example:80", "localhost"):
        yield f"origin {origin}", 403, -32600, "null", with_headers(Origin=origin)
    for kind in ("text/plain", None, "application/x-www-form-urlencoded", "application/jsonp"):
        yield f"content type {kind}", 415, -32600, "null", with_headers(Content_Type=kind)
    yield "accepts HTML only", 406, -32600, "null", with_headers(Accept="text/html")
    yield "an empty method", 400, -32020, "1", lambda: server.rpc(message(""), "")
    yield "no Mcp-Method", 400, -32020, "1", with_headers(Mcp_Method=None)
    yield "another Mcp-Method", 400, -32020, "1", with_headers(Mcp_Method="tools/call")
    yield "Mcp-Method in capitals", 400, -32020, "1", with_headers(Mcp_Method="TOOLS/LIST")
    yield "Mcp-Method not ASCII", 400, -32020, "1", with_headers(Mcp_Method="t\udcffols")
    yield "another version header", 400, -32020, "1", with_headers(MCP_Protocol_Version="2025-11-25")
    for value in (None, "wrong", "=?base64?!!?=", "=?base64?dGVzdA?=", "=?base64??="):
        yield f"Mcp-Name {value}", 400, -32020, "1", lambda value=value: server.rpc(call("test_simple_text"), "tools/call", headers={"Mcp-Name": value})
    city = call("weather", arguments='{"city":"Oslo"}')
    for value in (None, "Rome", "=?base64?T3Nsbw=?="):
        yield f"Mcp-Param-City {value}", 400, -32020, "1", lambda value=value: server.rpc(city, "tools/call", "weather", {"Mcp-Param-City": value})
    yield "Mcp-Param without argument", 400, -32020, "1", lambda: server.rpc(call("weather"), "tools/call", "weather", {"Mcp-Param-City": "Oslo"})


def meta_cases(server):
    def meta(meta, version=VERSION):
        return lambda: server.rpc(message(meta=meta), "tools/list", headers={"MCP-Protocol-Version": version})

    yield "no params", 400, -32602, "1", lambda: server.rpc('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', "tools/list")
    yield "_meta an array", 400, -32602, "1", meta([])
    yield "_meta null", 400, -32602, "1", meta(None)
    yield "no version", 400, -32602, "1", meta(without("protocolVersion"))
    yield "no capabilities", 400, -32602, "1", meta(without("clientCapabilities"))
    yield "version a number", 400, -32602, "1", meta({**META, "io.modelcontextprotocol/protocolVersion": 1})
    yield "unknown version", 400, -32022, "1", meta({**META, "io.modelcontextprotocol/protocolVersion": "v999"}, "v999")
    for method in ("ping", "initialize", "logging/setLevel", "tools/List", "tools/list\0"):
        text = message(method)
        yield f"method {method!r}", 404, -32601, "1", lambda text=text, method=method: server.rpc(text, method if method.isprintable() else "=?base64?dG9vbHMvbGlzdAA=?=")


def target_cases(server):
    yield "unknown tool", 200, -32602, "1", lambda: server.rpc(call("no_such_tool"), "tools/call", "no_such_tool")
    yield "unknown prompt", 200, -32602, "1", lambda: server.rpc(message("prompts/get", '"name":"x"'), "prompts/get", "x")
    yield "unknown resource", 200, -32602, "1", lambda: server.rpc(message("resources/read", '"uri":"x:y"'), "resources/read", "x:y")
    yield "no tool name", 200, -32602, "1", lambda: server.rpc(message("tools/call"), "tools/call")
    yield "tool name a number", 200, -32602, "1", lambda: server.rpc(message("tools/call", '"name":1'), "tools/call")
    for arguments in ("[]", "1", '"x"', '{"destination":"\\ud800"}'):
        yield f"arguments {arguments}", 200, -32602, "1", lambda arguments=arguments: server.rpc(call("book_trip", arguments=arguments), "tools/call", "book_trip")
    yield "a cursor", 200, -32602, "1", lambda: server.rpc(message(params='"cursor":"x"'), "tools/list")
    yield "nothing to complete", 200, -32602, "1", lambda: server.rpc(message("completion/complete"), "completion/complete")
    yield "no filter", 400, -32602, "1", lambda: server.rpc(message("subscriptions/listen"), "subscriptions/listen")


def retry_cases(server, tool="test_input_required_result_elicitation"):
    def retry(extra, tool=tool, headers=None, arguments="{}"):
        return lambda: server.rpc(call(tool, extra, arguments), "tools/call", tool, headers)

    state = server.rpc(call(tool), "tools/call", tool).json["result"]["requestState"]
    for value in ("[]", '"x"', "1", "true"):
        yield f"inputResponses {value}", 200, -32602, "1", retry(f',"inputResponses":{value}')
    yield "answers twice", 200, -32602, "1", retry(',"inputResponses":{"user_name":null,"user_name":null}')
    yield "inputResponses twice", 200, -32602, "1", retry(',"inputResponses":{},"inputResponses":{}')
    yield "too many answers", 200, -32602, "1", retry(',"inputResponses":' + json.dumps({str(i): 0 for i in range(100)}))
    for value in ("1", "{}", "[]", "true", '""', '"x"', json.dumps(state + "="), json.dumps(state[:-1]), json.dumps(state + "\n"), json.dumps("x" * 2_000_000)):
        yield f"requestState {value[:20]}", 200, -32602, "1", retry(f',"requestState":{value}')
    good = f',"requestState":{json.dumps(state)}'
    yield "state of another tool", 200, -32602, "1", retry(good, "test_input_required_result_sampling")
    yield "state of other arguments", 200, -32602, "1", retry(good, arguments='{"a":1}')
    yield "state of another caller", 200, -32602, "1", retry(good, headers={"Authorization": "Bearer eve"})
    yield "arguments twice the same", 200, -32602, "1", retry(good, arguments='{"a":1,"a":1}')
    yield "capability missing", 400, -32021, "1", lambda: server.rpc(call("test_missing_capability"), "tools/call", "test_missing_capability")


def transport_cases(server):
    for verb in ("GET", "PUT", "DELETE"):
        yield f"{verb}", 405, -32600, "null", lambda verb=verb: server.http(b"", verb=verb)
    yield "another path", 404, -32600, "null", lambda: server.http(message().encode(), path="/")
    yield "a path of many dots", 404, -32600, "null", lambda: server.http(b"", path="/../../etc/passwd", verb="GET")
    yield "a large body", 413, -32600, "null", lambda: server.http(b" " * 5_000_000)
    yield "a long URL", 414, -32600, "null", lambda: server.http(b"", path="/" + "a" * 10_000)


def good_id_cases(server):
    for ident in ("0", "-1", "9007199254740993", "123456789012345678901234567890", '""', '"1"', '"\\u00e9\\/"', '"\\ud800"', '"a\\"b"'):
        yield f"id {ident}", 404, -32601, ident, lambda ident=ident: server.rpc(message("ping", ident=ident), "ping")


def faults(reply, status, code, ident):
    """What is wrong with a reply."""
    if reply.status != status:
        yield f"HTTP {reply.status} instead of {status}"
    if not reply.error:
        yield f"no JSON-RPC error: {reply.body[:200]!r}"
        return
    if reply.error.get("code") != code:
        yield f"code {reply.error.get('code')} instead of {code}: {reply.error.get('message')}"
    if not reply.error.get("message") or len(reply.error["message"]) > 500:
        yield f"the message is not readable: {reply.error.get('message')!r:.200}"
    if reply.raw_id != ident:
        yield f"id {reply.raw_id} instead of {ident}"
    if b"\n" in reply.body or "application/json" not in reply.headers.get("content-type", ""):
        yield "not one line of JSON"


def torn(server):
    """Connections that break off; the server only has to outlive them."""
    for data in (b"", b"\r\n\r\n", b"\x00" * 1000, b"GET", b"POST /mcp HTTP/1.1\r\n", b"POST /mcp HTTP/9.9\r\n\r\n", b"A" * 100_000, b"\x16\x03\x01\x02\x00\x01",
                 b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
                 b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n{}",
                 b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
                 b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"):
        reply = server.raw(data, finish=True)
        yield f"torn {data[:40]!r}", [] if server.alive() and reply.status in (0, *range(400, 500)) else [f"HTTP {reply.status}, alive: {server.alive()}"]
    notification = server.rpc('{"jsonrpc":"2.0","method":"notifications/cancelled"}', "notifications/cancelled")
    yield "a notification", [] if (notification.status, notification.body) == (202, b"") else [f"HTTP {notification.status} {notification.body!r}"]


def main():
    passed = failed = 0
    with started(sys.argv[1]) as (server, log):
        results = []
        for cases in (envelope_cases, header_cases, meta_cases, target_cases, retry_cases, transport_cases, good_id_cases):
            results += [(name, list(faults(send(), status, code, ident))) for name, status, code, ident, send in cases(server)]
        results += torn(server)
        results.append(("alive at the end", [] if server.alive() else ["it is not"]))
        log.seek(0)
        said = log.read()
        results.append(("no panic in the log", [said[:500]] if b"panic" in said or b"terminate" in said else []))
        for name, lines in results:
            passed += not lines
            failed += bool(lines)
            for line in lines:
                print(f"FAIL {name}: {line}")
    if server.process.returncode:
        failed += 1
        print(f"FAIL the server ended with {server.process.returncode}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
