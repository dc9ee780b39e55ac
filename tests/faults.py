"""A file system that fails at its n-th operation, and one in which another program acts before the n-th.

Every operation of a `Disk` goes through its `system`; these stand in for it. To try a piece of code at every point:

    for system in strikes(Fault.DISK_FULL):         # n = 1, 2, 3, ... until the code ends before the n-th operation
        prepare_files()
        with suppress(Refusal, Changed, Killed):
            the_code(Disk(system))                  # faulty_disk(n, fault) is the short form for one n
        judge_files()

A whole command, which makes its own `Disk()`, is run under a fault by `everywhere(monkeypatch, system)`; a killed command
raises Killed, which is no Exception, and whatever cleaning up it tries fails as well. What a kill leaves is what is on the disk.
`fsync` is counted and not done: no test here cuts the power.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from vaultspec_core import system as real
from vaultspec_core.files import Disk


class Killed(BaseException):
    """The process would be gone here."""


class Fault(Enum):
    """What goes wrong. KILLED, DISK_FULL, READ_ONLY and SHORT_WRITE last from the n-th operation on; the others happen once."""

    KILLED = "killed"
    DISK_FULL = "disk full"
    READ_ONLY = "read-only"
    SHORT_WRITE = "short write"
    IO_ERROR = "input/output error"
    DENIED = "denied"
    NOT_OFFERED = "not offered"


_LASTING = {Fault.KILLED, Fault.DISK_FULL, Fault.READ_ONLY, Fault.SHORT_WRITE}
_NAMES = {"link", "rename", "exchange", "replace", "mkdir"}
_FEELS = {
    Fault.DISK_FULL: {"create", "write", "fsync", "setxattr", *_NAMES},
    Fault.READ_ONLY: {"create", "fchmod", "unlink", "rmdir", "setxattr", *_NAMES},
    Fault.SHORT_WRITE: {"write"},
    Fault.IO_ERROR: {
        "open",
        "create",
        "read",
        "write",
        "fsync",
        "fstat",
        "fchmod",
        "unlink",
        "rmdir",
        "listdir",
        *_NAMES,
    },
    Fault.DENIED: {"open", "create", "unlink", "rmdir", "listdir", *_NAMES},
    Fault.NOT_OFFERED: {"link", "exchange"},
}
_ERRORS = {
    Fault.DISK_FULL: errno.ENOSPC,
    Fault.READ_ONLY: errno.EROFS,
    Fault.IO_ERROR: errno.EIO,
    Fault.DENIED: errno.EACCES,
    Fault.NOT_OFFERED: errno.ENOSYS,
}
_COUNTED = frozenset(
    [
        "open",
        "read",
        "write",
        "close",
        "fstat",
        "fsync",
        "fchmod",
        "fchown",
        "link",
        "rename",
        "replace",
        "exchange",
        "unlink",
        "mkdir",
        "rmdir",
        "lstat",
        "stat",
        "listdir",
        "access",
        "watch",
        "disturbed",
        "listxattr",
        "getxattr",
        "setxattr",
        "removexattr",
    ]
)


class Stand:
    """Counts operations, asks `before` what to do at each, and passes on what is left to be done."""

    def __init__(self) -> None:
        self.count = 0

    def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        return call(*arguments)

    def __getattr__(self, name: str) -> Any:
        found = getattr(real, name)
        if name not in _COUNTED:
            return found
        call = (lambda handle: None) if name == "fsync" else found

        def counted(*arguments: Any) -> Any:
            kind = "create" if name == "open" and arguments[1] & os.O_CREAT else name
            return self.before(kind, call, arguments)

        return counted


class Faulty(Stand):
    """Fails at the n-th operation that can fail in this way. `struck`: whether it came to that."""

    def __init__(self, n: int, fault: Fault) -> None:
        super().__init__()
        self.n, self.fault, self.struck = n, fault, False

    def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        if kind == "close" and (self.struck or self.fault is not Fault.KILLED):
            return call(*arguments)
        if self.fault is Fault.KILLED or kind in _FEELS[self.fault]:
            self.count += 1
            if self.count == self.n or (self.count > self.n and self.fault in _LASTING):
                self.struck = True
                return self._strike(kind, call, arguments)
        return call(*arguments)

    def _strike(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        if self.fault is Fault.KILLED:
            if kind == "close":
                call(*arguments)
            raise Killed
        if self.fault is Fault.SHORT_WRITE:
            handle, data = arguments
            return call(handle, bytes(data)[:1])
        number = _ERRORS[self.fault]
        raise OSError(number, os.strerror(number))


class Meddled(Stand):
    """Another program acts just before the n-th operation, once. `done`: whether it came to that; `past`: the kinds before it."""

    def __init__(self, n: int, act: Callable[[], None]) -> None:
        super().__init__()
        self.n, self.act, self.done = n, act, False
        self.past: list[str] = []

    def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        self.count += 1
        if self.count == self.n:
            self.done = True
            self.act()
        self.past.append(kind)
        return call(*arguments)


def strikes(fault: Fault) -> Iterator[Faulty]:
    """Systems that fail at the first, second, ... operation, until one was not struck."""
    n = 1
    while True:
        system = Faulty(n, fault)
        yield system
        if not system.struck:
            return
        n += 1


def meddlings(act: Callable[[], None]) -> Iterator[Meddled]:
    """Systems in which `act` happens before the first, second, ... operation, until it did not happen."""
    n = 1
    while True:
        system = Meddled(n, act)
        yield system
        if not system.done:
            return
        n += 1


def faulty_disk(n: int, fault: Fault) -> Disk:
    """A Disk that fails at its n-th operation."""
    return Disk(Faulty(n, fault))


def everywhere(monkeypatch: pytest.MonkeyPatch, system: Any) -> None:
    """Every `Disk()` that is made from now on stands on this system."""
    monkeypatch.setattr(Disk.__init__, "__defaults__", (system,))


class Writer:
    """Another program that writes a file in place, as `open(path, "r+")` or a shell does.

    `start` opens, `finish` writes and closes, once. When the kernel holds back the one, both are done as soon as it lets go.
    """

    def __init__(self, path: Any, data: bytes) -> None:
        self.path, self.data = path, data
        self.handle = -1
        self.thread: threading.Thread | None = None
        self.started = False

    def start(self, truncate: bool = False) -> None:
        self.started = True
        flags = os.O_WRONLY | (os.O_TRUNC if truncate else 0)
        try:
            self.handle = os.open(self.path, flags | os.O_NONBLOCK)
        except BlockingIOError:
            # Held back until the one who looks at the file is done; in a thread, because that one is us.
            self.thread = threading.Thread(target=self._late, args=(flags,))
            self.thread.start()
            _wait_until_opening(self.thread)
        except FileNotFoundError:
            self.handle = os.open(self.path, flags | os.O_CREAT)

    def finish(self) -> None:
        if self.thread is not None:
            self.thread.join()
        elif self.handle >= 0:
            self._write()

    def _late(self, flags: int) -> None:
        self.handle = os.open(self.path, flags | os.O_CREAT)
        self._write()

    def _write(self) -> None:
        os.ftruncate(self.handle, 0)
        os.pwrite(self.handle, self.data, 0)
        os.close(self.handle)
        self.handle = -1


def _wait_until_opening(thread: threading.Thread) -> None:
    """Until the kernel holds the thread inside `openat` (its number on x86 and ARM), or it is through."""
    call = Path(f"/proc/self/task/{thread.native_id}/syscall")
    with suppress(FileNotFoundError):
        while thread.is_alive() and call.read_text().split()[0] not in ("257", "56"):
            os.sched_yield()
