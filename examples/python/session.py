"""One server as a program sees it: calls with the right version, and tools with their headers."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Mapping

import mrtr
from transport import Trace, transport_to

#: The versions that this client speaks, best first.
SPOKEN = ("2026-07-28",)


class Session:
    """Calls on the server at `address`: a URL, or a command line that starts one. `options` are those of `mrtr.Client`: handlers, limits."""

    def __init__(self, address: str, *, trace: Trace | None = None, version: str | None = None, info: Mapping[str, Any], **options: Any) -> None:
        self.transport = transport_to(address, trace)
        self._options = {"client_info": info, **options}
        self._client = mrtr.Client(protocol_version=version or SPOKEN[0], **self._options)

    def call(self, method: str, params: mrtr.JsonText | Mapping[str, Any], **hooks: Any) -> Any:
        """The result as Python values. A server that refuses the version is asked once more with one that it names."""
        try:
            return self._client.call(method, params, self.transport, **hooks).json()
        except mrtr.MrtrError as error:
            version = mrtr.retry_version(error.rpc, SPOKEN) if error.name == "rpc_error" and error.rpc else None
            if version is None:
                raise
            self._client.close()
            self._client = mrtr.Client(protocol_version=version, **self._options)
        return self._client.call(method, params, self.transport, **hooks).json()

    def list_tools(self) -> dict[str, Any]:
        """The server's tools by name, all pages; those that break the rules for headers are left out."""
        tools: dict[str, Any] = {}
        cursor: dict[str, str] = {}
        while True:
            page = self.call("tools/list", cursor)
            for tool in page["tools"]:
                text = json.dumps(tool)
                try:
                    mrtr.check_tool(text)
                except mrtr.MrtrError:
                    continue
                tools[tool["name"]], self.transport.tools[tool["name"]] = tool, text
            if "nextCursor" not in page:
                return tools
            cursor = {"cursor": page["nextCursor"]}

    def call_tool(self, name: str, arguments: Mapping[str, Any], **hooks: Any) -> Any:
        """Calls a tool; what it asks goes to the handlers."""
        return self.call("tools/call", {"name": name, "arguments": arguments}, **hooks)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._client.close()
        self.transport.close()
