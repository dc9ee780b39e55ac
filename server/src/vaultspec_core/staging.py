"""The names of staged files: who made one, and by which bytes the next run knows that it may go.

A staged file is called `PREFIX PID-SERIAL` while it is written, and carries the digests of what it replaces and of what it
holds once it is complete. After a kill it holds one of the two, and is deleted; if it holds anything else, those are the
bytes of another program, which nobody else has.
"""

from __future__ import annotations

import os
from typing import NamedTuple

TEMPORARY = ".vaultspec-tmp-"
"""Prefix of every staged file; it stands beside its target and never outlives the command, save by a kill."""

_ABSENT = "absent"

_CLOCK_STEP_SECONDS = 60.0
"""A process that started this much later than the file was made only has the number of the one that made it."""


def digest(data: bytes | None) -> str:
    """A short digest for names; None stands for a file that is not there."""
    if data is None:
        return _ABSENT
    from hashlib import blake2b

    return blake2b(data, digest_size=6).hexdigest()


class Staged(NamedTuple):
    """A staged file's name. `before` and `after` are digests, empty while the file is written."""

    pid: int
    serial: str
    before: str = ""
    after: str = ""

    @classmethod
    def new(cls) -> Staged:
        return cls(os.getpid(), os.urandom(4).hex())

    @classmethod
    def parse(cls, name: str) -> Staged | None:
        """What a file name says; None when it is none of ours."""
        if not name.startswith(TEMPORARY):
            return None
        match name.removeprefix(TEMPORARY).split("-"):
            case [pid, serial]:
                digests = ("", "")
            case [pid, serial, before, after]:
                digests = (before, after)
            case _:
                return None
        return cls(int(pid), serial, *digests) if pid.isascii() and pid.isdigit() else None

    def complete(self, before: bytes | None, after: bytes | None) -> Staged:
        return Staged(self.pid, self.serial, digest(before), digest(after))

    @property
    def name(self) -> str:
        ending = f"-{self.before}-{self.after}" if self.after else ""
        return f"{TEMPORARY}{self.pid}-{self.serial}{ending}"

    def expendable(self, data: bytes) -> bool:
        """Whether these bytes, found under the name, are ours or what ours replaced."""
        return not self.after or digest(data) in (self.before, self.after)


def abandoned(pid: int, made: float) -> bool:
    """Whether the process that staged a file at `made` (seconds) is gone, or is this one, which holds the lock and stages nothing now."""
    if pid == os.getpid():
        return True
    # Loaded only where a kill left something.
    import psutil

    try:
        process = psutil.Process(pid)
        return process.status() == psutil.STATUS_ZOMBIE or process.create_time() > made + _CLOCK_STEP_SECONDS
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:
        return False
