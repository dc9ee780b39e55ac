"""What stands under a name at this moment: its bytes, or what else it is, and whether a program is about to change it."""

from __future__ import annotations

import errno
import os
import stat as stat_bits
import time
from pathlib import Path
from typing import Any

from vaultspec_core.report import Refusal

WRITER_SECONDS = 1.0
"""How long a program that is writing a file in place is waited for."""

_HALF_WRITTEN_SECONDS = 0.05
_OPEN = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class Look:
    """One look, as a context: `with Look(system, path) as look`. Raises OSError.

    `data` is None where there is nothing, or no regular file; `special` then says what there is. `busy`: a program has
    the file open for writing. `watched`: nobody can open it for writing until the block ends.
    A `plain` look is for reading only: links are followed, and a file that has not changed for a while is not watched.
    """

    __slots__ = ("_os", "_path", "_plain", "busy", "data", "handle", "special", "watched")

    def __init__(self, system: Any, path: Path, *, plain: bool = False) -> None:
        self._os, self._path, self._plain = system, path, plain
        self.handle = -1
        self.data: bytes | None = None
        self.special = ""
        self.busy = self.watched = False

    def __enter__(self) -> Look:
        try:
            # Not to hang on a pipe is what O_NONBLOCK is for.
            self.handle = self._os.open(self._path, _OPEN if self._plain else _OPEN | _NO_FOLLOW)
        except (FileNotFoundError, NotADirectoryError):
            return self
        except OSError as error:
            if error.errno == errno.ENXIO:
                self.special = "a socket or device"
            elif error.errno == errno.ELOOP and not self._plain:
                self.special = "a symbolic link"
            else:
                raise
            return self
        try:
            self._fill()
        except BaseException:
            self._os.close(self.handle)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.handle >= 0:
            self._os.close(self.handle)

    @property
    def absent(self) -> bool:
        return self.data is None and not self.special

    def demand_file(self) -> None:
        """Raises Refusal `not-a-file` for anything but a regular file or nothing."""
        if self.special:
            raise Refusal(
                "not-a-file", f"{self._path} is {self.special}, not a file", "Move it away and run the command again."
            )

    def _fill(self) -> None:
        status = self._os.fstat(self.handle)
        if not stat_bits.S_ISREG(status.st_mode):
            self.special = "a folder" if stat_bits.S_ISDIR(status.st_mode) else "a pipe or device"
            return
        age = abs(time.time() - status.st_mtime)
        told = self._os.watch(self.handle) if not self._plain or age < WRITER_SECONDS else None
        parts = []
        while part := self._os.read(self.handle, 1 << 20):
            parts.append(part)
        self.data = b"".join(parts)
        self.watched = told is True
        # Empty since a moment ago, where nobody can be asked: most likely its writer has truncated it and is about to go on.
        just_emptied = told is None and self._plain and not self.data and age < _HALF_WRITTEN_SECONDS
        self.busy = told is False or just_emptied
