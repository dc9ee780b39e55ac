"""The search for the workspace when the current directory is not plainly one, and the line that says that there is none."""

from __future__ import annotations

import os
from pathlib import Path

from vaultspec_core.mcp_server.wire import note
from vaultspec_core.report import Refusal
from vaultspec_core.workspace import find_workspace


def search() -> str | None:
    """The real path of the root; None, and one line on stderr with the command that makes one."""
    try:
        return str(find_workspace(None, os.environ, Path.cwd()))
    except Refusal as refusal:
        note(f"{refusal.message} (hint: {refusal.hint})")
    except FileNotFoundError:
        note("the current directory does not exist any more (hint: start the server in the workspace)")
    return None
