"""The second engine: the same tool table through the official MCP SDK, for revisions that only the SDK knows and as the judge of the first.

The only module that imports the SDK, which costs more than a second. It is given the protocol stream that `wire` has claimed.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
from contextlib import suppress
from typing import Any

import anyio
import mcp_types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from vaultspec_core.mcp_server.calls import Call, InFlight, Lanes
from vaultspec_core.mcp_server.frame import Fault, encode
from vaultspec_core.mcp_server.handshake import STRUCTURED_SINCE
from vaultspec_core.mcp_server.identity import NAME, TITLE, VERSION, instructions
from vaultspec_core.mcp_server.table import ToolTable
from vaultspec_core.mcp_server.wire import Wire

Context = ServerRequestContext[Any]
Params = mcp_types.CallToolRequestParams


def converse(wire: Wire, opening: bytes, table: ToolTable, read_only: bool, in_flight: InFlight, lanes: Lanes) -> None:
    """Serve until the input ends. `opening`: bytes of the stream that were read already."""
    anyio.run(_converse, wire, opening, build(table, read_only, in_flight, lanes))


def build(table: ToolTable, read_only: bool, in_flight: InFlight, lanes: Lanes) -> Server[Any]:
    """The SDK's server over the table."""
    listing = [mcp_types.Tool.model_validate(tool) for tool in table.listing()]

    async def list_tools(ctx: Context, params: mcp_types.PaginatedRequestParams | None) -> mcp_types.ListToolsResult:
        return mcp_types.ListToolsResult(tools=listing)

    async def call_tool(ctx: Context, params: Params) -> mcp_types.CallToolResult:
        return await _call(ctx, params, table, in_flight, lanes)

    return Server(
        NAME,
        version=VERSION,
        title=TITLE,
        instructions=instructions(read_only),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _converse(wire: Wire, opening: bytes, server: Server[Any]) -> None:
    source = io.TextIOWrapper(
        io.BufferedReader(_Stream(wire.source, opening)), encoding="utf-8", errors="replace", newline="\n"
    )
    sink = io.TextIOWrapper(io.FileIO(wire.sink, "w", closefd=False), encoding="utf-8", write_through=True)
    async with stdio_server(anyio.wrap_file(source), anyio.wrap_file(sink)) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _call(
    ctx: Context, params: Params, table: ToolTable, in_flight: InFlight, lanes: Lanes
) -> mcp_types.CallToolResult:
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[mcp_types.CallToolResult] = loop.create_future()
    token = ctx.meta.get("progress_token") if ctx.meta else None
    call = Call(
        ctx.request_id or 0, params.name, params.arguments or {}, token, ctx.protocol_version >= STRUCTURED_SINCE
    )

    def notify(said: dict[str, Any]) -> None:
        report = ctx.session.report_progress(said["progress"], said["total"], said.get("message"))
        asyncio.run_coroutine_threadsafe(report, loop).result()

    def settle(result: mcp_types.CallToolResult | None, fault: Fault | None) -> None:
        if answered.done():
            return  # cancelled meanwhile
        if fault is not None:
            answered.set_exception(MCPError(code=fault.code, message=fault.message, data=fault.data))
        elif result is not None:
            answered.set_result(result)

    def job() -> None:
        result, fault = None, None
        try:
            result = table.perform(call, notify, _result)
        except Fault as raised:
            fault = raised
        in_flight.end(call)
        with suppress(RuntimeError):  # the loop ended with its input
            loop.call_soon_threadsafe(settle, result, fault)

    in_flight.begin(call)
    lanes.put(job, table.elsewhere(params.name))
    try:
        return await answered
    finally:
        call.cancelled = True  # a job that nobody waits for stops at its next step


def _result(result: dict[str, Any]) -> mcp_types.CallToolResult:
    return mcp_types.CallToolResult.model_validate(json.loads(encode(result)))


class _Stream(io.RawIOBase):
    """A descriptor, after bytes that were taken from it before."""

    def __init__(self, descriptor: int, before: bytes) -> None:
        self._descriptor = descriptor
        self._before = before

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._before:
            self._before = os.read(self._descriptor, len(buffer))
        count = min(len(buffer), len(self._before))
        buffer[:count] = self._before[:count]
        self._before = self._before[count:]
        return count
