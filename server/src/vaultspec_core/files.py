"""How every file is read and written: whole bytes in, one staged and verified replacement out.

`Disk` is the file system. A write says which bytes it expects to replace, so that nobody's edit is lost between reading and
writing, although other programs take no lock: the new file changes places with the old one, what came out is looked at, and
goes back if it is not what was expected. While it is looked at, the kernel holds back whoever opens it for writing.

Limits, for want of a system call: without an exchange (Windows, some file systems) a change that falls between the last
look and the replacement is lost; without a watch (all but Linux) so is one by a program that had the file open all the time.

A replaced file is a new inode. Other hard links keep the old bytes, as they do with most editors: a snapshot that
shares files with the workspace must not change with it.
"""

from __future__ import annotations

import errno
import os
import stat as stat_bits
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vaultspec_core import system as real_system
from vaultspec_core.report import Refusal
from vaultspec_core.staging import TEMPORARY as TEMPORARY
from vaultspec_core.staging import Staged, abandoned

PRIVATE_MODE = 0o600

WRITER_SECONDS = 1.0
"""How long another program that is writing the file in place is waited for."""

_PAUSE_SECONDS = 0.005
_HALF_WRITTEN_SECONDS = 0.05
_TURNS = 100

_NOT_OFFERED = frozenset(
    (errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EACCES, errno.EMLINK)
)
"""What systems answer where a call, or a file system under it, does not know links or exchanges."""

_FOLDER_NEED_NOT_SYNC = frozenset((errno.EACCES, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EBADF))

_BINARY = getattr(os, "O_BINARY", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY | _NO_FOLLOW


class Changed(Exception):
    """The file is no longer what the caller read: read it again and judge again."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


@dataclass(frozen=True, slots=True)
class Change:
    """One file: its bytes before and after; None where there is no file. `private`: a new file gets mode 0600."""

    path: Path
    before: bytes | None
    after: bytes | None
    private: bool = False


@dataclass(slots=True)
class _Look:
    """What stands under a name: `data` (None: nothing, or not a regular file, which `special` then says).

    `busy`: a program has it open for writing. `watched`: none can open it for writing until the look ends.
    """

    handle: int
    data: bytes | None = None
    special: str = ""
    busy: bool = False
    watched: bool = False

    def demand_file(self, path: Path) -> None:
        if self.special:
            raise Refusal("not-a-file", f"{path} is {self.special}, not a file", "Move it away and run the command again.")


class Disk:
    """The real file system. All paths are absolute and already free of links that must not be followed (`real_target`)."""

    def __init__(self, system: Any = real_system) -> None:
        self._os = system

    def read(self, path: Path) -> bytes | None:
        """The whole file; None when there is none. Raises Refusal `not-a-file` or `unreadable`.

        A file that another program is writing in place is waited for, at most WRITER_SECONDS.
        """
        deadline = time.monotonic() + WRITER_SECONDS
        with _told("unreadable", path):
            while True:
                with self._look(path, follow=True) as look:
                    if not look.busy or time.monotonic() >= deadline:
                        look.demand_file(path)
                        return look.data
                time.sleep(_PAUSE_SECONDS)

    def write(self, path: Path, data: bytes, *, expected: bytes | None, private: bool = False) -> None:
        """Put `data` in place of `expected` (None: the file must not exist yet). A new file that is `private` gets 0600.

        Kept: mode; owner, group, ACL and extended attributes where the system allows. Parent folders are made. Raises
        Changed when the file is not what was expected; Refusal `not-a-file`, `in-use` (a program keeps it open for
        writing) or `unwritable`. The file is then whole, old or new.
        """
        with _told("unwritable", path), self._folders(path.parent):
            if expected is None:
                self._create(path, data, private)
            else:
                self._replace(path, data, expected)

    def remove(self, path: Path, *, expected: bytes) -> None:
        """Delete the file if it still is what was expected. Raises as `write`."""
        with _told("unwritable", path):
            self._demand(path, expected)
            staged = path.parent / Staged.new().complete(expected, None).name
            try:
                self._os.rename(path, staged)
            except FileNotFoundError:
                raise Changed(path) from None
            if not self._settle(staged, path, [expected, None]):
                raise Changed(path)

    def apply(self, change: Change) -> None:
        """Write or remove one file. Raises as `write`."""
        if change.after is not None:
            self.write(change.path, change.after, expected=change.before, private=change.private)
        elif change.before is not None:
            self.remove(change.path, expected=change.before)

    def remove_empty(self, folder: Path) -> bool:
        """Delete the folder if nothing is in it; says whether it went."""
        try:
            self._os.rmdir(folder)
        except OSError:
            return False
        return True

    def sweep(self, *folders: Path) -> list[Path]:
        """Delete the staged files that a kill left in these folders. The caller holds the lock of all who write there.

        Gives what had to stay: staged files that hold the bytes of another program, which exist nowhere else.
        """
        kept = []
        for folder in dict.fromkeys(folders):
            try:
                names = self._os.listdir(folder)
            except OSError:
                continue
            for name in names:
                staged, path = Staged.parse(name), folder / name
                # What cannot be judged or deleted now is left for the next run.
                with suppress(OSError):
                    if staged is None or not abandoned(staged.pid, self._os.lstat(path).st_ctime):
                        continue
                    with self._look(path) as look:
                        expendable = look.data is not None and not look.busy and staged.expendable(look.data)
                    if expendable:
                        self._os.unlink(path)
                    else:
                        kept.append(path)
        return kept

    @contextmanager
    def _look(self, path: Path, *, follow: bool = False) -> Iterator[_Look]:
        """Open and read what stands under the name, and watch it for writers until the block ends.

        With `follow` this is a plain reading: links are followed, and only a file that changed a moment ago is watched.
        """
        try:
            handle = self._os.open(path, _READ if follow else _READ | _NO_FOLLOW)
        except (FileNotFoundError, NotADirectoryError):
            yield _Look(-1)
            return
        except OSError as error:
            if error.errno == errno.ELOOP and not follow:
                yield _Look(-1, special="a symbolic link")
            elif error.errno == errno.ENXIO:
                yield _Look(-1, special="a socket or device")
            else:
                raise
            return
        look = _Look(handle)
        try:
            status = self._os.fstat(handle)
            if stat_bits.S_ISREG(status.st_mode):
                age = time.time() - status.st_mtime
                told = self._os.watch(handle) if not follow or age < WRITER_SECONDS else None
                look.data = self._contents(handle)
                look.busy, look.watched = told is False, bool(told)
                if told is None and follow and not look.data and age < _HALF_WRITTEN_SECONDS:
                    # Truncated a moment ago, and no way to ask whether its writer is about to go on.
                    look.busy = True
            else:
                look.special = "a folder" if stat_bits.S_ISDIR(status.st_mode) else "a pipe or device"
            yield look
        finally:
            self._os.close(handle)

    def _contents(self, handle: int) -> bytes:
        parts = []
        while part := self._os.read(handle, 1 << 20):
            parts.append(part)
        return b"".join(parts)

    def _demand(self, path: Path, expected: bytes) -> None:
        """Raise Changed unless the file is what was expected; wait for a program that has it open for writing."""
        deadline = time.monotonic() + WRITER_SECONDS
        while True:
            with self._look(path) as look:
                look.demand_file(path)
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

    def _create(self, path: Path, data: bytes, private: bool) -> None:
        staged = self._stage(path, data, None, None, private)
        try:
            self._os.link(staged, path)
        except FileExistsError:
            with self._look(path) as look:
                look.demand_file(path)
            raise Changed(path) from None
        except OSError as error:
            if error.errno not in _NOT_OFFERED:
                raise
            self._create_without_links(staged, path, data)
        finally:
            # Ours alone: nobody knows the name. What cannot be deleted is swept by the next run.
            with suppress(OSError):
                self._os.unlink(staged)
        self._sync_folder(path.parent)

    def _create_without_links(self, staged: Path, path: Path, data: bytes) -> None:
        """Reserve the name by an empty file, then replace that."""
        try:
            self._os.close(self._os.open(path, _NEW, PRIVATE_MODE))
        except FileExistsError:
            raise Changed(path) from None
        try:
            self._swap(staged, path, data, b"")
        except OSError:
            self.remove(path, expected=b"")
            raise

    def _replace(self, path: Path, data: bytes, expected: bytes) -> None:
        with self._look(path) as look:
            look.demand_file(path)
            if look.data != expected:
                raise Changed(path)
            if not self._os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            staged = self._stage(path, data, expected, look.handle)
        self._swap(staged, path, data, expected)

    def _stage(self, path: Path, data: bytes, before: bytes | None, like: int | None, private: bool = False) -> Path:
        """A complete, synced file beside the target, with the attributes of the open file `like`."""
        staging = Staged.new()
        part, whole = (path.parent / step.name for step in (staging, staging.complete(before, data)))
        handle = self._os.open(part, _NEW, PRIVATE_MODE if private or like is not None else 0o666)
        try:
            try:
                view = memoryview(data)
                while view:
                    written = self._os.write(handle, view)
                    if not written:
                        raise OSError(errno.EIO, os.strerror(errno.EIO), str(part))
                    view = view[written:]
                if like is not None:
                    self._keep_attributes(like, handle)
                self._os.fsync(handle)
                if self._os.fstat(handle).st_size != len(data):
                    raise OSError(errno.EIO, os.strerror(errno.EIO), str(part))
            finally:
                self._os.close(handle)
            self._os.rename(part, whole)
        except BaseException:
            with suppress(OSError):
                self._os.unlink(part)
            raise
        return whole

    def _keep_attributes(self, source: int, staged: int) -> None:
        """Owner, then mode, then the rest: each of these steps can undo the one after it."""
        if self._os.name == "nt":
            return
        wanted, made = self._os.fstat(source), self._os.fstat(staged)
        mode = stat_bits.S_IMODE(wanted.st_mode)
        if wanted.st_uid != made.st_uid:
            with suppress(OSError):
                self._os.fchown(staged, wanted.st_uid, -1)
        if wanted.st_gid != made.st_gid:
            try:
                self._os.fchown(staged, -1, wanted.st_gid)
            except OSError:
                # Another group than the file had must not get more than everybody has.
                mode = mode & ~0o070 | (mode & 0o007) << 3
        self._os.fchmod(staged, mode)
        if hasattr(os, "listxattr"):
            with suppress(OSError):
                self._keep_extended(source, staged)

    def _keep_extended(self, source: int, staged: int) -> None:
        """ACLs and extended attributes. One that the folder gave by default goes if the old file did not have it."""
        kept = self._os.listxattr(source)
        for name in self._os.listxattr(staged):
            if name not in kept:
                with suppress(OSError):
                    self._os.removexattr(staged, name)
        for name in kept:
            with suppress(OSError):
                self._os.setxattr(staged, name, self._os.getxattr(source, name))

    def _swap(self, staged: Path, path: Path, data: bytes, expected: bytes) -> None:
        """Put the staged file in its place and settle what came out, whatever happens in between."""
        try:
            self._demand(path, expected)
            try:
                self._os.exchange(staged, path)
            except FileNotFoundError:
                raise Changed(path) from None
            except OSError as error:
                if error.errno not in _NOT_OFFERED:
                    raise
                self._overwrite(staged, path)
        finally:
            clean = self._settle(staged, path, [expected, data])
        if not clean:
            raise Changed(path)

    def _overwrite(self, staged: Path, path: Path) -> None:
        deadline = time.monotonic() + WRITER_SECONDS
        while True:
            try:
                return self._os.replace(staged, path)
            except PermissionError:
                # Windows refuses while any program, a virus scanner for one, has the file open.
                if self._os.name != "nt" or time.monotonic() >= deadline:
                    raise
            time.sleep(_PAUSE_SECONDS)

    def _settle(self, staged: Path, path: Path, known: list[bytes | None]) -> bool:
        """Delete the staged file once it holds something of `known`: ours or older. Says whether it did at the first look.

        Anything else is the newest there is and goes back to its place, unless another one has come there since; then
        what comes out instead is judged the same way.
        """
        clean = True
        for _ in range(_TURNS):
            with self._look(staged) as came:
                if came.data is None and not came.special:
                    self._sync_folder(path.parent)
                    return clean
                expendable = not came.special and not came.busy and came.data in known
                if expendable:
                    self._sync_folder(path.parent)
                    expendable = not (came.watched and self._os.disturbed(came.handle))
                if not expendable:
                    clean = False
                    with self._look(path) as now:
                        expendable = bool(now.special) or now.data not in known
                    if not expendable:
                        self._put_back(staged, path, now)
                        known.append(came.data)
            if expendable:
                self._os.unlink(staged)
                return clean
        return False

    def _put_back(self, staged: Path, path: Path, now: _Look) -> None:
        # A name that was taken or freed meanwhile is judged in the next turn.
        with suppress(FileExistsError, FileNotFoundError):
            if now.data is not None:
                self._os.exchange(staged, path)
                return
            try:
                self._os.link(staged, path)
            except OSError as error:
                if error.errno not in _NOT_OFFERED:
                    raise
                self._os.rename(staged, path)
