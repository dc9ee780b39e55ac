"""Put a staged file in the place of another one, and take nothing from programs that write there without a lock.

The staged file and the target change names in one step. What came out is looked at, while the kernel holds back whoever
opens it for writing: what was expected is deleted, anything else is newer and goes back.

Limits, for want of a system call: without an exchange (Windows, some file systems) a change that falls between the last
look and the replacement is lost; without a watch (all but Linux) so is one by a program that had the file open before.
"""

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from vaultspec_core.look import WRITER_SECONDS, Look
from vaultspec_core.report import Refusal

NOT_OFFERED = frozenset(
    (errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EACCES, errno.EMLINK)
)
"""What systems answer where they, or a file system, do not know links or exchanges."""

_FOLDER_WITHOUT_SYNC = frozenset((errno.EACCES, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EBADF))
_PAUSE_SECONDS = 0.005
_TURNS = 100


class Changed(Exception):
    """The file is no longer what the caller read: read it again and judge again."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


def demand(system: Any, path: Path, expected: bytes) -> None:
    """Raise Changed unless the file is what was expected; wait for a program that has it open for writing."""
    deadline = time.monotonic() + WRITER_SECONDS
    while True:
        with Look(system, path) as look:
            look.demand_file()
            if look.data != expected:
                raise Changed(path)
            if not look.busy:
                return
        if time.monotonic() >= deadline:
            raise Refusal(
                "in-use",
                f"{path} is open for writing in another program",
                "Close it there and run the command again.",
            )
        time.sleep(_PAUSE_SECONDS)


def swap(system: Any, staged: Path, path: Path, data: bytes, expected: bytes) -> None:
    """Put the staged file, which holds `data`, in the place of `expected`. Raises Changed, Refusal, OSError.

    However it ends, the staged name is gone, unless the system refuses even that.
    """
    try:
        demand(system, path, expected)
        try:
            system.exchange(staged, path)
        except FileNotFoundError:
            raise Changed(path) from None
        except OSError as error:
            if error.errno not in NOT_OFFERED:
                raise
            _overwrite(system, staged, path)
    finally:
        clean = settle(system, staged, path, [expected, data])
    if not clean:
        raise Changed(path)


def settle(system: Any, staged: Path, path: Path, known: list[bytes | None]) -> bool:
    """Delete the staged file once it holds something of `known`: ours, or older. Says whether it did at the first look.

    Anything else is newer than what it left its place to, and goes back; then what comes out instead is judged in the
    same way, until the newest stands. None in `known`: the target was removed, so that nothing need come out.
    """
    clean = True
    for _ in range(_TURNS):
        failure: OSError | None = None
        with Look(system, staged) as came:
            expendable = came.absent or (not came.special and not came.busy and came.data in known)
            if expendable:
                try:
                    sync_folder(system, path.parent)
                except OSError as error:
                    failure = error
                expendable = not (came.watched and system.disturbed(came.handle))
            if not expendable:
                clean = False
                _put_back(system, staged, path, None in known)
                known = known if came.special else [*known, came.data]
        if expendable:
            if not came.absent:
                system.unlink(staged)
            if failure is not None:
                raise failure
            return clean
    return False


def sync_folder(system: Any, folder: Path) -> None:
    """Make the folder's names durable, where that can be asked for. Raises OSError."""
    if system.name == "nt":
        return
    try:
        handle = system.open(folder, os.O_RDONLY)
        try:
            system.fsync(handle)
        finally:
            system.close(handle)
    except OSError as error:
        if error.errno not in _FOLDER_WITHOUT_SYNC:
            raise


def _overwrite(system: Any, staged: Path, path: Path) -> None:
    deadline = time.monotonic() + WRITER_SECONDS
    while True:
        try:
            system.replace(staged, path)
            return
        except PermissionError:
            # Windows refuses while any program, a virus scanner for one, has the file open.
            if system.name != "nt" or time.monotonic() >= deadline:
                raise
        time.sleep(_PAUSE_SECONDS)


def _put_back(system: Any, staged: Path, path: Path, removed: bool) -> None:
    """Where the target is gone, though we did not remove it, its deletion is the newest, and nothing goes back."""
    try:
        system.exchange(staged, path)
        return
    except OSError as error:
        if error.errno != errno.ENOENT and error.errno not in NOT_OFFERED:
            raise
    if removed:
        with suppress(FileExistsError):
            try:
                system.link(staged, path)
                system.unlink(staged)
            except OSError as error:
                if error.errno not in NOT_OFFERED:
                    raise
                system.rename(staged, path)
