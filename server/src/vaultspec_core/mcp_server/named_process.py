"""One process by its number, told apart from a later process with the same number."""

from __future__ import annotations

import psutil

from vaultspec_core.mcp_server.watchdog import Sighting


class NamedProcess:
    """`name`: what the event line calls it. The number is tied to a process when this is made."""

    def __init__(self, pid: int, name: str) -> None:
        self._pid = pid
        self._name = name
        self._known = True
        self._process: psutil.Process | None = None
        try:
            self._process = psutil.Process(pid)
        except psutil.NoSuchProcess:
            pass
        except psutil.Error:
            self._known = False

    def sight(self) -> Sighting:
        """Alive, dead, or unknown when the system does not tell. A process that has ended and is not yet collected is dead."""
        if self._process is None:
            return Sighting(self._pid, self._name, "dead" if self._known else "unknown")
        try:
            gone = not self._process.is_running() or self._process.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            gone = True
        except psutil.Error:
            return Sighting(self._pid, self._name, "unknown")
        return Sighting(self._pid, self._name, "dead" if gone else "alive")

    def wait(self, seconds: float) -> None:
        """Wait until it ends, at most so long."""
        if self._process is None:
            return
        try:
            self._process.wait(seconds)
        except psutil.Error:
            return
