"""A server on the official Python SDK that asks twice: python_server.py (stdio) or python_server.py PORT (HTTP)."""

import sys
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

server = MCPServer("python-peer")


class Seat(BaseModel):
    seat: str


class Sure(BaseModel):
    sure: bool


async def seat() -> Elicit[Seat]:
    return Elicit("Which seat?", Seat)


async def sure(chosen: Annotated[Seat, Resolve(seat)]) -> Elicit[Sure]:
    return Elicit(f"Seat {chosen.seat}, sure?", Sure)


@server.tool()
def book(destination: str, chosen: Annotated[Seat, Resolve(seat)], certain: Annotated[Sure, Resolve(sure)]) -> str:
    """Books a seat."""
    return f"booked {destination} {chosen.seat} {certain.sure}"


if len(sys.argv) > 1:
    server.run("streamable-http", port=int(sys.argv[1]))
else:
    server.run("stdio")
