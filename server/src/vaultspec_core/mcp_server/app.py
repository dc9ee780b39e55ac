"""The server process: `python -m vaultspec_core.mcp_server.app`. Finds the workspace, takes the protocol stream, serves until the client is gone."""

from __future__ import annotations

import os
import sys
import threading
import traceback
from functools import cache

from vaultspec_core.load import load
from vaultspec_core.mcp_server import options, stdio, watchdog, wire
from vaultspec_core.mcp_server.calls import InFlight, Lanes
from vaultspec_core.mcp_server.ending import Ending
from vaultspec_core.mcp_server.options import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from vaultspec_core.mcp_server.table import ToolTable

NOT_SERVING, OUR_FAULT = 1, 3


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Serve until the process ends (`ending`). Exits with 1 when there is no workspace to serve."""
    started_by = os.getppid()
    chosen = options.parse(sys.argv[1:] if words is None else words)
    root = workspace()
    if root is None:
        sys.exit(NOT_SERVING)
    serve(root, chosen, started_by)


def serve(root: str, chosen: Options, started_by: int) -> NoReturn:
    """Answer the client from one thread, watch it from another, and run its calls in this one."""
    stream = wire.claim()
    in_flight, lanes = InFlight(), Lanes()
    ending = Ending(in_flight, stream)
    ending.on_signals()
    watchdog.start(os.environ, started_by, chosen.parent_pid, stream.source, ending.leave)

    @cache
    def open_table() -> ToolTable:
        table: ToolTable = load("vaultspec_core.mcp_server.table:open_table")(root, chosen.read_only)
        return table

    def converse() -> None:
        opening: bytes | None = b""
        if chosen.engine == "stdio":
            session = stdio.Session(open_table, chosen.read_only, in_flight, lanes, stream.send)
            opening = stdio.converse(stream, session)
        if opening is not None:
            through_sdk = load("vaultspec_core.mcp_server.sdk:converse")
            through_sdk(stream, opening, open_table(), chosen.read_only, in_flight, lanes)

    def connection() -> None:
        try:
            converse()
        except Exception:
            traceback.print_exc()
            ending.leave(OUR_FAULT)
            raise
        ending.input_ended()

    threading.Thread(target=connection, name="connection", daemon=True).start()
    lanes.work()


def workspace() -> str | None:
    """The root of the workspace; None when there is none, which has then been said on stderr.

    The plain case is decided here, without loading what the search through the parents needs.
    """
    home = os.environ.get("HOME", "") or os.environ.get("USERPROFILE", "")
    try:
        folder = os.path.realpath(os.environ.get("VAULTSPEC_TARGET_DIR") or os.getcwd())
        framework = os.path.join(folder, ".vaultspec")
        if os.path.isdir(framework) and not os.path.islink(framework) and not os.path.samefile(folder, home):
            return folder
    except OSError:
        pass  # the search says what is wrong
    root: str | None = load("vaultspec_core.mcp_server.workspace_search:search")()
    return root


if __name__ == "__main__":
    main()
