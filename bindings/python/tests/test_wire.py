"""Headers of a request and the version to retry with (E1)."""

from __future__ import annotations

import json

import pytest

import mrtr

META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}'


def tool(properties: object, **more: object) -> str:
    return json.dumps({"name": "t", "inputSchema": {"type": "object", "properties": properties, **more}})


def call(arguments: str) -> str:
    return f'{{"name":"t","arguments":{arguments},{META}}}'


def test_the_standard_headers() -> None:
    assert mrtr.request_headers("resources/read", f'{{"uri":"file:///ä",{META}}}') == {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "resources/read",
        "Mcp-Name": "=?base64?ZmlsZTovLy/DpA==?=",
    }
    assert mrtr.request_headers("tools/list", "{" + META + "}") == {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}
    assert mrtr.request_headers("tasks/get", '{"taskId":"7"}') == {"Mcp-Method": "tasks/get", "Mcp-Name": "7"}


@pytest.mark.parametrize(
    ("kind", "value", "header"),
    [
        ("string", '"us-west1"', "us-west1"),
        ("string", '""', ""),
        ("string", '" padded "', "=?base64?IHBhZGRlZCA=?="),
        ("string", '"a\\r\\nX: 1"', "=?base64?YQ0KWDogMQ==?="),
        ("string", '"=?base64?YQ==?="', "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
        ("integer", "42", "42"),
        ("integer", "-0", "0"),
        ("integer", "42.0", "42"),
        ("boolean", "false", "false"),
        ("string", "null", None),
        ("string", None, None),
    ],
)
def test_what_a_tool_marks(kind: str, value: str | None, header: str | None) -> None:
    arguments = "{}" if value is None else f'{{"a":{value}}}'
    headers = mrtr.request_headers("tools/call", call(arguments), tool({"a": {"type": kind, "x-mcp-header": "A-b"}, "c": {"type": "string"}}))
    assert headers.get("Mcp-Param-A-b") == header
    assert len(headers) == 3 + (header is not None)


def test_a_mark_deeper_down() -> None:
    definition = tool({"place": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}})
    assert mrtr.request_headers("tools/call", call('{"place":{"region":"x"}}'), definition)["Mcp-Param-Region"] == "x"
    assert "Mcp-Param-Region" not in mrtr.request_headers("tools/call", call('{"place":7}'), definition)


def test_an_argument_that_cannot_be_a_header() -> None:
    marked = tool({"a": {"type": "string", "x-mcp-header": "A"}})
    for value in ("[]", "{}", '"\\ud800"'):
        with pytest.raises(mrtr.MrtrError, match="invalid_params"):
            mrtr.request_headers("tools/call", call(f'{{"a":{value}}}'), marked)


@pytest.mark.parametrize(
    "definition",
    [
        tool({"a": {"type": "string", "x-mcp-header": ""}}),
        tool({"a": {"type": "string", "x-mcp-header": "a b"}}),
        tool({"a": {"type": "string", "x-mcp-header": "Région"}}),
        tool({"a": {"type": "string", "x-mcp-header": 7}}),
        tool({"a": {"type": "number", "x-mcp-header": "A"}}),
        tool({"a": {"type": ["string"], "x-mcp-header": "A"}}),
        tool({"a": {"x-mcp-header": "A"}}),
        tool({"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}),
        tool({"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}}),
        tool({}, anyOf=[{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}]),
        tool({}, **{"x-mcp-header": "A", "$defs": {}}),
    ],
)
def test_tools_to_leave_out(definition: str) -> None:
    with pytest.raises(mrtr.MrtrError, match="invalid_tool"):
        mrtr.check_tool(definition)
    with pytest.raises(mrtr.MrtrError, match="invalid_tool"):
        mrtr.request_headers("tools/call", call("{}"), definition)


def test_tools_that_are_fine() -> None:
    mrtr.check_tool(tool({}))
    mrtr.check_tool('{"name":"t"}')
    mrtr.check_tool(tool({"x-mcp-header": {"type": "string"}, "a": {"type": "object", "default": {"x-mcp-header": "A"}}}))


def test_the_version_to_retry_with() -> None:
    refused = '{"code":-32022,"message":"no","data":{"supported":["2027-01-01","2026-07-28"],"requested":"2028-01-01"}}'
    assert mrtr.retry_version(refused, ["2028-01-01", "2026-07-28"]) == "2026-07-28"
    assert mrtr.retry_version(refused, ["2028-01-01"]) is None
    assert mrtr.retry_version(refused.replace("-32022", "-32602"), ["2026-07-28"]) is None
    assert mrtr.retry_version('{"code":-32022,"message":"no"}', ["2026-07-28"]) is None
