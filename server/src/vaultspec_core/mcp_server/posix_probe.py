"""What a POSIX system says about the client: whoever started the server is its parent, until the parent dies and a reaper adopts the server."""

from __future__ import annotations

import os
import stat
import sys
import time

from vaultspec_core.load import load
from vaultspec_core.mcp_server.watchdog import Sighting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from vaultspec_core.mcp_server.named_process import NamedProcess

REAPERS = frozenset(
    {"init", "systemd", "launchd", "tini", "dumb-init", "docker-init", "podman-init", "catatonit", "s6-svscan", "runit"}
)
"""Programs that adopt orphans and start no MCP server through a pipe."""

_FIRST = 1


class PosixProbe:
    """`started_by`: the parent when the process began. `source`: the descriptor that the client writes to."""

    def __init__(self, started_by: int, parent_pid: int | None, source: int) -> None:
        self._started_by = started_by
        self._named: NamedProcess | None = None
        if parent_pid is not None:  # psutil costs more than everything else that this module does
            self._named = load("vaultspec_core.mcp_server.named_process:NamedProcess")(parent_pid, "explicit-client")
        self._source = source

    def explicit(self) -> Sighting | None:
        return None if self._named is None else self._named.sight()

    def client(self) -> Sighting | None:
        """The parent. One that adopted the server before it looked is nobody."""
        if os.getppid() != self._started_by:
            return Sighting(self._started_by, "parent", "dead")
        if _adopts(self._started_by, self._source):
            return None
        return Sighting(self._started_by, "parent", "alive")

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)


probe = PosixProbe


def _adopts(pid: int, source: int) -> bool:
    """Whether this parent only adopted the server. The first process of a container may be the client itself: then it holds the pipe."""
    reaper = _name(pid) in REAPERS
    if not (reaper or pid == _FIRST):
        return False
    status = os.fstat(source)
    if not (stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode)):
        return False
    holds = _holds(pid, status.st_ino) if stat.S_ISFIFO(status.st_mode) else None
    return reaper if holds is None else not holds


def _name(pid: int) -> str:
    if sys.platform == "darwin" and pid == _FIRST:
        return "launchd"
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as handle:
            return handle.read().strip()
    except OSError:
        return ""


def _holds(pid: int, inode: int) -> bool | None:
    """Whether the process has the pipe open; None when the system does not tell."""
    folder = f"/proc/{pid}/fd"
    try:
        return any(os.readlink(f"{folder}/{handle}") == f"pipe:[{inode}]" for handle in os.listdir(folder))
    except OSError:
        return None
