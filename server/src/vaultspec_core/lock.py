"""One advisory lock per workspace, per vault and per user, on the folder itself, so that no lock file is left anywhere.

The order is workspace, user, vault. A thread that holds a lock may take it again: what it
calls need not know. Windows cannot lock a folder; there a file in the user's application data stands for it.
"""

from __future__ import annotations

import errno
import os
import time
from _thread import get_ident
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from vaultspec_core.report import Refusal

WAIT_SECONDS = 30.0
_SHORTEST_PAUSE_SECONDS = 0.001
_LONGEST_PAUSE_SECONDS = 0.008
_TAKEN = frozenset((errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK))

WINDOWS = os.name == "nt"


_held: set[tuple[int, int, int]] = set()
"""What is locked by this process: thread, device, inode."""


@contextmanager
def hold(folder: Path, wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the folder's lock; it ends with the process, whatever ends that.

    Raises Refusal `busy` when it does not come free in time, `unlockable` when there is no such folder or its file system
    has no locks.
    """
    deadline = time.monotonic() + wait_seconds
    while True:
        handle = _open(folder)
        try:
            status = os.fstat(handle)
            mark = (get_ident(), status.st_dev, status.st_ino)
            if mark in _held:
                yield
                return
            _acquire(handle, folder, wait_seconds, deadline)
            # While we waited, the one who had the lock may have deleted the folder, and another may have made it anew.
            if not _stands(folder, status):
                continue
            _held.add(mark)
            try:
                yield
            finally:
                _held.discard(mark)
            return
        finally:
            os.close(handle)


def _open(folder: Path) -> int:
    try:
        if WINDOWS:
            return os.open(_stand_in(folder), os.O_RDWR | os.O_CREAT)
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise _unlockable(folder, error) from error


def _stand_in(folder: Path) -> Path:
    """The file that stands for a folder, named after the folder's real path."""
    from hashlib import blake2b

    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
    state = Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "vaultspec" / "locks"
    state.mkdir(parents=True, exist_ok=True)
    return state / blake2b(os.path.normcase(os.path.realpath(folder)).encode(), digest_size=16).hexdigest()


def _acquire(handle: int, folder: Path, wait_seconds: float, deadline: float) -> None:
    pause = _SHORTEST_PAUSE_SECONDS
    while True:
        try:
            return _try(handle)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise _unlockable(folder, error) from error
        if time.monotonic() >= deadline:
            raise Refusal(
                "busy",
                f"another vaultspec command has been working on {folder} for {wait_seconds:g} s",
                "Wait until it has ended, then run the command again.",
            )
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)


def _try(handle: int) -> None:
    """Take the lock or raise OSError at once."""
    if WINDOWS:
        windows = import_module("msvcrt")
        windows.locking(handle, windows.LK_NBLCK, 1)
        return
    import fcntl

    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _stands(folder: Path, opened: os.stat_result) -> bool:
    if WINDOWS:
        return True
    try:
        return os.path.samestat(os.stat(folder), opened)
    except FileNotFoundError:
        return False


def _unlockable(folder: Path, error: OSError) -> Refusal:
    return Refusal(
        "unlockable",
        f"{folder} cannot be locked: {error.strerror or error.__class__.__name__}",
        "Make the folder readable, or work on a file system that has locks (a local disk).",
    )
