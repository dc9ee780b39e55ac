"""How every file is read and written: whole bytes in, one staged and verified replacement out.

`Disk` is the file system. A write says which bytes it expects to replace, so that nobody's edit is lost between reading and
writing. The functions of `os` are a value of the Disk, which is where the fault tests stand in.
"""

from __future__ import annotations

import os
import stat as stat_bits
from pathlib import Path
from types import ModuleType
from typing import Any

from vaultspec_core.report import Refusal

TEMPORARY = ".vaultspec-tmp-"
"""Prefix of every staged file; it stands beside its target and never outlives the command, save by a kill."""

PRIVATE_MODE = 0o600


class Changed(Exception):
    """The file is no longer what the caller read: read it again and judge again."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class Disk:
    """The real file system. All paths are absolute and already free of links that must not be followed."""

    def __init__(self, system: ModuleType | Any = os) -> None:
        self._os = system

    def read(self, path: Path) -> bytes | None:
        """The whole file; None when there is none. Raises Refusal `not-a-file` or `unreadable`."""
        try:
            handle = self._os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _refusal("unreadable", path, error) from error
        try:
            status = self._os.fstat(handle)
            if not stat_bits.S_ISREG(status.st_mode):
                raise Refusal("not-a-file", f"{path} is not a regular file", "Move it away and run the command again.")
            parts = []
            while part := self._os.read(handle, 1 << 20):
                parts.append(part)
            return b"".join(parts)
        except OSError as error:
            raise _refusal("unreadable", path, error) from error
        finally:
            self._os.close(handle)

    def write(self, path: Path, data: bytes, *, expected: bytes | None, private: bool = False) -> None:
        """Put `data` in place of `expected` (None: the file must not exist yet). Keeps the mode; a new file that is `private` gets 0600.

        Parent folders are made. Raises Changed when the file is not what was expected, Refusal `unwritable` when the
        system refuses; the file is then whole, old or new.
        """
        try:
            self._write(path, data, expected, private)
        except OSError as error:
            raise _refusal("unwritable", path, error) from error

    def _write(self, path: Path, data: bytes, expected: bytes | None, private: bool) -> None:
        self._os.makedirs(path.parent, exist_ok=True)
        mode = PRIVATE_MODE if private else None
        if expected is not None:
            mode = stat_bits.S_IMODE(self._os.stat(path).st_mode)
        staged = path.parent / f"{TEMPORARY}{os.getpid()}-{os.urandom(6).hex()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        handle = self._os.open(staged, flags, 0o666 if mode is None else PRIVATE_MODE)
        try:
            try:
                view = memoryview(data)
                while view:
                    view = view[self._os.write(handle, view) :]
                if mode is not None and hasattr(os, "fchmod"):
                    self._os.fchmod(handle, mode)
                self._os.fsync(handle)
            finally:
                self._os.close(handle)
            if self.read(path) != expected:
                raise Changed(path)
            if expected is None:
                try:
                    self._os.link(staged, path)
                except FileExistsError as error:
                    raise Changed(path) from error
            else:
                self._os.replace(staged, path)
            self._sync_folder(path.parent)
        finally:
            if self._os.path.lexists(staged):
                self._os.unlink(staged)

    def remove(self, path: Path, *, expected: bytes) -> None:
        """Delete the file if it still is what was expected. Raises Changed, or Refusal `unwritable`."""
        if self.read(path) != expected:
            raise Changed(path)
        try:
            self._os.unlink(path)
            self._sync_folder(path.parent)
        except OSError as error:
            raise _refusal("unwritable", path, error) from error

    def remove_empty(self, folder: Path) -> bool:
        """Delete the folder if nothing is in it; says whether it went."""
        try:
            self._os.rmdir(folder)
        except OSError:
            return False
        return True

    def _sync_folder(self, folder: Path) -> None:
        if os.name == "nt":
            return
        handle = self._os.open(folder, os.O_RDONLY)
        try:
            self._os.fsync(handle)
        finally:
            self._os.close(handle)


def _refusal(code: str, path: Path, error: OSError) -> Refusal:
    reason = error.strerror or error.__class__.__name__
    verb = "read" if code == "unreadable" else "written"
    return Refusal(
        code, f"{path} cannot be {verb}: {reason}", "Mend the permissions or the disk and run the command again."
    )


def real_target(path: Path, roots: tuple[Path, ...]) -> Path:
    """The file that a path means once links are followed. Raises Refusal `link-outside` when that leaves every root.

    The roots are the workspace and the user's home: a link set up by a dotfile manager stays a link, its target is edited.
    """
    real = Path(os.path.realpath(path))
    if real == path or any(real.is_relative_to(os.path.realpath(root)) for root in roots):
        return real
    raise Refusal(
        "link-outside",
        f"{path} leads out of the workspace and of HOME, to {real}",
        "Replace the link by a file, or point it inside the workspace or HOME.",
    )
