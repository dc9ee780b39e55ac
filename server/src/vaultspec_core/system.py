"""The operating system as `Disk` sees it: all of `os`, an exchange of two names, and a watch for writers.

One value stands for the whole, so that the fault tests can put another in its place. What a system does not offer is said
(`ENOSYS`, `None`), never imitated.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

_WORKING_FOLDER = -100
"""AT_FDCWD of Linux."""

_EXCHANGE = 2
"""RENAME_EXCHANGE of Linux's renameat2, RENAME_SWAP of macOS's renamex_np."""


def __getattr__(name: str) -> Any:
    return getattr(os, name)


def exchange(one: Path, other: Path) -> None:
    """Swap what two existing names stand for, in one step. Raises OSError, with ENOSYS where the system has no such call."""
    call = _exchange_call()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(one), None, str(other))
    if number := call(os.fsencode(one), os.fsencode(other)):
        raise OSError(number, os.strerror(number), str(one), None, str(other))


@cache
def _exchange_call() -> Callable[[bytes, bytes], int] | None:
    """A function that exchanges and gives an error number, 0 for none."""
    if sys.platform == "win32":
        return None
    try:
        # Costs some milliseconds, so only a command that replaces a file pays for it.
        import ctypes

        library = ctypes.CDLL(None, use_errno=True)
    except (ImportError, OSError):
        return None
    call: Callable[[bytes, bytes], int]
    if hasattr(library, "renameat2"):
        call = partial(_of_linux, library.renameat2)
    elif hasattr(library, "renamex_np"):
        call = partial(_of_mac, library.renamex_np)
    else:
        return None
    return lambda one, other: ctypes.get_errno() if call(one, other) else 0


def _of_linux(renameat2: Callable[..., int], one: bytes, other: bytes) -> int:
    return renameat2(_WORKING_FOLDER, one, _WORKING_FOLDER, other, _EXCHANGE)


def _of_mac(renamex_np: Callable[..., int], one: bytes, other: bytes) -> int:
    return renamex_np(one, other, _EXCHANGE)


def watch(handle: int) -> bool | None:
    """Ask the kernel to hold back everybody who opens this file for writing, until the handle is closed (a read lease).

    False: somebody has it open for writing already. None: not offered here (no Linux, a network file system, somebody
    else's file).
    """
    if sys.platform != "linux":
        return None
    import fcntl
    import signal

    try:
        # A waiting writer makes the kernel send a signal; the default one would end the process, this one is ignored.
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return False if error.errno == errno.EAGAIN and not _is_remote(os.fstat(handle).st_dev) else None
    return True


@cache
def _is_remote(device: int) -> bool:
    """Whether a file system answers for a server, which grants a watch by its own rules: there a "no" says nothing of writers."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as mounts:
            return remote(mounts.read(), f"{os.major(device)}:{os.minor(device)}")
    except OSError:
        return False


def remote(mounts: str, device: str) -> bool:
    """Whether the table of mounts (see proc_pid_mountinfo(5)) calls the device `MAJOR:MINOR` NFS or SMB."""
    for line in mounts.splitlines():
        place, _, what = line.partition(" - ")
        if place.split()[2:3] == [device]:
            return what.startswith(("nfs", "cifs", "smb"))
    return False


def disturbed(handle: int) -> bool:
    """Whether a writer waits for the watched file."""
    if sys.platform != "linux":
        return False
    import fcntl

    try:
        return bool(fcntl.fcntl(handle, fcntl.F_GETLEASE) != fcntl.F_RDLCK)
    except OSError:
        return False
