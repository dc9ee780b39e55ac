"""The server process: `python -m vaultspec_core.mcp_server.app`. Finds the workspace, takes the protocol stream, serves until the client is gone."""

from __future__ import annotations

import os
import sys

from vaultspec_core.load import load
from vaultspec_core.mcp_server import options, stdio, watchdog, wire
from vaultspec_core.mcp_server.calls import InFlight
from vaultspec_core.mcp_server.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultspec_core.mcp_server.table import ToolTable

NOT_SERVING = 1


def main(words: Sequence[str] | None = None) -> int:
    """Serve; the process then ends by itself (`ending`). Gives an exit code only when there is nothing to serve."""
    started_by = os.getppid()
    chosen = options.parse(sys.argv[1:] if words is None else words)
    root = workspace()
    if root is None:
        return NOT_SERVING
    stream = wire.claim()
    in_flight = InFlight()
    ending = Ending(in_flight, stream)
    ending.on_signals()
    watchdog.start(os.environ, started_by, chosen.parent_pid, stream.source, ending.leave)

    def open_table() -> ToolTable:
        table: ToolTable = load("vaultspec_core.mcp_server.table:open_table")(root, chosen.read_only)
        return table

    opening = b""
    if chosen.engine == "stdio":
        session = stdio.Session(open_table, chosen.read_only, in_flight, stream.send)
        opening = stdio.serve(stream, session, ending.input_ended)
    load("vaultspec_core.mcp_server.sdk:serve")(stream, opening, open_table(), chosen.read_only, in_flight)
    ending.leave(0)
    return 0


def workspace() -> str | None:
    """The root of the workspace; None when there is none, which has then been said on stderr.

    The plain case is decided here, without loading what the search through the parents needs.
    """
    home = os.environ.get("HOME", "") or os.environ.get("USERPROFILE", "")
    try:
        folder = os.path.realpath(os.environ.get("VAULTSPEC_TARGET_DIR") or os.getcwd())
        if os.path.isdir(os.path.join(folder, ".vaultspec")) and not os.path.samefile(folder, home):
            return folder
    except OSError:
        pass  # the search says what is wrong
    root: str | None = load("vaultspec_core.mcp_server.workspace_search:search")()
    return root


if __name__ == "__main__":
    sys.exit(main())
