"""The second engine: the same tool table through the official MCP SDK, for revisions that only the SDK knows and as the judge of the first.

The only module that imports the SDK, which costs more than a second. It is given the protocol stream that `wire` has claimed.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from vaultspec_core.mcp_server.calls import Call, InFlight
from vaultspec_core.mcp_server.frame import Fault, encode
from vaultspec_core.mcp_server.handshake import STRUCTURED_SINCE
from vaultspec_core.mcp_server.identity import NAME, TITLE, VERSION, instructions
from vaultspec_core.mcp_server.table import ToolTable
from vaultspec_core.mcp_server.wire import Wire

Context = ServerRequestContext[Any]
Params = mcp_types.CallToolRequestParams


def serve(wire: Wire, opening: bytes, table: ToolTable, read_only: bool, in_flight: InFlight) -> None:
    """Serve until the input ends. `opening`: bytes of the stream that were read already."""
    anyio.run(_serve, wire, opening, build(table, read_only, in_flight))


def build(table: ToolTable, read_only: bool, in_flight: InFlight) -> Server[Any]:
    """The SDK's server over the table. Calls that use the vault run one after the other, and so do those whose work another process does."""
    listing = [mcp_types.Tool.model_validate(tool) for tool in table.listing()]
    lanes = {False: anyio.CapacityLimiter(1), True: anyio.CapacityLimiter(1)}

    async def list_tools(ctx: Context, params: mcp_types.PaginatedRequestParams | None) -> mcp_types.ListToolsResult:
        return mcp_types.ListToolsResult(tools=listing)

    async def call_tool(ctx: Context, params: Params) -> mcp_types.CallToolResult:
        return await _call(ctx, params, table, in_flight, lanes[table.elsewhere(params.name)])

    return Server(
        NAME,
        version=VERSION,
        title=TITLE,
        instructions=instructions(read_only),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _serve(wire: Wire, opening: bytes, server: Server[Any]) -> None:
    source = io.TextIOWrapper(io.BufferedReader(_Stream(wire.source, opening)), encoding="utf-8", errors="replace")
    sink = io.TextIOWrapper(io.FileIO(wire.sink, "w", closefd=False), encoding="utf-8", write_through=True)
    async with stdio_server(anyio.wrap_file(source), anyio.wrap_file(sink)) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _call(
    ctx: Context, params: Params, table: ToolTable, in_flight: InFlight, lane: anyio.CapacityLimiter
) -> mcp_types.CallToolResult:
    token = ctx.meta.get("progress_token") if ctx.meta else None
    structured = ctx.protocol_version >= STRUCTURED_SINCE
    call = Call(ctx.request_id or 0, params.name, params.arguments or {}, token, structured)

    def notify(said: dict[str, Any]) -> None:
        report = partial(ctx.session.report_progress, said["progress"], said["total"], said.get("message"))
        anyio.from_thread.run(report)

    in_flight.begin(call)
    try:
        result = await anyio.to_thread.run_sync(
            partial(_perform, call, table, notify, in_flight), abandon_on_cancel=True, limiter=lane
        )
    except Fault as fault:
        raise MCPError(code=fault.code, message=fault.message, data=fault.data) from fault
    finally:
        call.cancelled = True  # a thread that was left behind stops at its next step
    assert result is not None
    return result


def _perform(
    call: Call, table: ToolTable, notify: Callable[[dict[str, Any]], None], in_flight: InFlight
) -> mcp_types.CallToolResult | None:
    try:
        return table.perform(call, notify, _result)
    finally:
        in_flight.end(call)


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
