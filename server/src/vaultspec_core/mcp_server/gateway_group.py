"""A process with all that it starts: put apart from the server, and ended together."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

GRACE_SECONDS = 0.3
"""From being asked to being made to end. A server that is leaving has little longer than this."""


def apart() -> dict[str, Any]:
    """Arguments of Popen that give the process a session of its own: no terminal, and a group that holds its descendants."""
    import subprocess

    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def end_group(child: subprocess.Popen[bytes]) -> None:
    """Ask the process and its descendants to end, give them GRACE_SECONDS, then end them. Nothing happens to those that are gone."""
    if sys.platform == "win32":
        _end_tree(child)
        return
    _signal(child.pid, signal.SIGTERM)
    _wait(child)
    _signal(child.pid, signal.SIGKILL)
    child.wait()


def _signal(group: int, number: int) -> None:
    if sys.platform != "win32":
        with suppress(
            ProcessLookupError, PermissionError
        ):  # the system's word for a group of which only zombies are left
            os.killpg(group, number)


def _wait(child: subprocess.Popen[bytes]) -> None:
    import subprocess

    with suppress(subprocess.TimeoutExpired):
        child.wait(GRACE_SECONDS)


def _end_tree(child: subprocess.Popen[bytes]) -> None:
    """Where there are no process groups: the descendants as the system knows them now."""
    import psutil

    with suppress(psutil.Error):
        for process in psutil.Process(child.pid).children(recursive=True):
            with suppress(psutil.Error):
                process.kill()
    child.kill()
    child.wait()
