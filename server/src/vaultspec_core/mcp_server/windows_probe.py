"""What Windows says about the client: the process that created the server's stdin pipe, or else an ancestor.

Windows gives orphans no new parent and may leave a dead client's pipe open in other hands, so the client has to be found and watched. Who it
is, is a pure choice (`choose`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

import psutil

from vaultspec_core.mcp_server.named_process import NamedProcess
from vaultspec_core.mcp_server.watchdog import Sighting

GRACE_LOOKS = 5
"""Ancestors are trusted only after this many looks: a launcher that starts the server and ends is then gone."""

LAUNCHERS = frozenset({"uv", "uvx", "python", "pythonw", "py", "cmd", "powershell", "pwsh", "sh", "bash", "conhost"})
"""Programs that start others and wait for them; the client stands behind them."""

CHAIN = 8


def choose(creator: Sighting | None, ancestors: Sequence[Sighting], looks: int) -> Sighting | None:
    """Who the client is. `creator`: of the stdin pipe, None when stdin is no pipe of a client. `ancestors`: nearest first, named by
    their program. `looks`: how many there have been before this one. None: nobody can be told yet."""
    if creator is not None:
        return creator
    if looks < GRACE_LOOKS:
        return None
    living = (one for one in ancestors if one.state == "alive" and one.name not in LAUNCHERS)
    return next(living, None)


class WindowsProbe:
    """`source`: the descriptor that the client writes to. Once the client has been told, that process alone is watched."""

    def __init__(self, started_by: int, parent_pid: int | None, source: int) -> None:
        self._named = None if parent_pid is None else NamedProcess(parent_pid, "explicit-client")
        self._source = source
        self._client: NamedProcess | None = None
        self._looks = 0

    def explicit(self) -> Sighting | None:
        return None if self._named is None else self._named.sight()

    def client(self) -> Sighting | None:
        if self._client is None:
            found = choose(_pipe_creator(self._source), _ancestors(), self._looks)
            self._looks += 1
            if found is None:
                return None
            self._client = NamedProcess(found.pid, found.name)
        return self._client.sight()

    def pause(self, seconds: float) -> None:
        if self._client is None:
            time.sleep(seconds)
        else:
            self._client.wait(seconds)


probe = WindowsProbe


def _pipe_creator(source: int) -> Sighting | None:
    """The process at the other end of a named pipe (anonymous pipes are named ones too)."""
    import ctypes
    import msvcrt

    creator = ctypes.c_ulong()
    kernel: Any = vars(ctypes)["windll"].kernel32  # both names exist on Windows alone
    handle: int = vars(msvcrt)["get_osfhandle"](source)
    if not kernel.GetNamedPipeServerProcessId(ctypes.c_void_p(handle), ctypes.byref(creator)):
        return None
    if creator.value in (0, os.getpid()):
        return None
    return NamedProcess(creator.value, "pipe-creator").sight()


def _ancestors() -> list[Sighting]:
    """The chain of parents that still run, by program."""
    try:
        chain = psutil.Process().parents()[:CHAIN]
        return [NamedProcess(one.pid, one.name().lower().removesuffix(".exe")).sight() for one in chain]
    except psutil.Error:
        return []
