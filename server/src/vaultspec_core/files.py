"""How every file is read and written: whole bytes in, one staged and verified replacement out.

`Disk` is the file system. A write says which bytes it expects to replace, so that nobody's edit is lost between reading and
writing, although other programs take no lock (`exchange.py`). It is staged beside its target, synced and put in place at once.

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
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core import system as real_system
from vaultspec_core.attributes import Attributes
from vaultspec_core.exchange import NOT_OFFERED, demand, settle, swap, sync_folder
from vaultspec_core.exchange import Changed as Changed
from vaultspec_core.look import WRITER_SECONDS, Look
from vaultspec_core.report import Refusal
from vaultspec_core.staging import TEMPORARY as TEMPORARY
from vaultspec_core.staging import Staged, abandoned

PRIVATE_MODE = 0o600

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_PAUSE_SECONDS = 0.005
_MOUNTED = frozenset((errno.EBUSY, errno.EXDEV))


class Change(NamedTuple):
    """One file: its bytes before and after; None where there is no file. `private`: a new file gets mode 0600."""

    path: Path
    before: bytes | None
    after: bytes | None
    private: bool = False


class Disk:
    """The real file system. All paths are absolute and already free of links (`real_target`)."""

    def __init__(self, system: Any = real_system) -> None:
        self._os = system

    def read(self, path: Path) -> bytes | None:
        """The whole file; None when there is none. Raises Refusal `not-a-file` or `unreadable`.

        A file that another program is writing in place is waited for, at most WRITER_SECONDS.
        """
        deadline = time.monotonic() + WRITER_SECONDS
        with _explained("unreadable", path):
            while True:
                with Look(self._os, path, plain=True) as look:
                    if not look.busy or time.monotonic() >= deadline:
                        look.demand_file()
                        return look.data
                time.sleep(_PAUSE_SECONDS)

    def write(self, path: Path, data: bytes, *, expected: bytes | None, private: bool = False) -> None:
        """Put `data` in place of `expected` (None: the file must not exist yet). A new file that is `private` gets 0600.

        Kept: the mode; owner, group, ACL and extended attributes where the system allows. Parent folders are made. Raises
        Changed when the file is not what was expected; Refusal `not-a-file`, `in-use` (a program keeps it open for
        writing) or `unwritable`. The file is then whole, old or new.
        """
        with _explained("unwritable", path), self._folder_for(path):
            if expected is None:
                self._create(path, data, PRIVATE_MODE if private else 0o666)
            else:
                self._replace(path, data, expected)

    def remove(self, path: Path, *, expected: bytes) -> None:
        """Delete the file if it still is what was expected. Raises as `write`."""
        with _explained("unwritable", path):
            demand(self._os, path, expected)
            self._demand_writable(path)
            staged = path.parent / Staged.new().complete(expected, None).name
            try:
                self._os.rename(path, staged)
            except FileNotFoundError:
                raise Changed(path) from None
            if not settle(self._os, staged, path, [expected, None]):
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

    def is_private(self, path: Path) -> bool:
        """Whether nobody but its owner may read the file or write it."""
        try:
            return not self._os.stat(path).st_mode & 0o077
        except OSError:
            return False

    def sweep(self, *folders: Path) -> list[Path]:
        """Delete the staged files that a kill left in these folders. The caller holds the lock of all who write there.

        Gives what had to stay: staged files that hold the bytes of another program, which may exist nowhere else.
        """
        kept = []
        for folder in dict.fromkeys(folders):
            try:
                names = self._os.listdir(folder)
            except OSError:
                continue
            for name in names:
                if (staged := Staged.parse(name)) is not None:
                    # What cannot be judged or deleted now is left for the next run.
                    with suppress(OSError):
                        kept += self._clear(folder / name, staged)
        return kept

    def _clear(self, path: Path, staged: Staged) -> list[Path]:
        if not abandoned(staged.pid, self._os.lstat(path).st_ctime):
            return []
        with Look(self._os, path) as look:
            if look.data is None or look.busy or not staged.expendable(look.data):
                return [path]
        self._os.unlink(path)
        return []

    def _create(self, path: Path, data: bytes, mode: int) -> None:
        staged = self._stage(path, data, None, mode)
        try:
            self._os.link(staged, path)
        except FileExistsError:
            with Look(self._os, path) as look:
                look.demand_file()
            raise Changed(path) from None
        except OSError as error:
            if error.errno not in NOT_OFFERED:
                raise
            self._create_without_links(path, data, mode)
        finally:
            # Nobody else knows this name. Where even that is refused, the next run sweeps it.
            with suppress(OSError):
                self._os.unlink(staged)
        sync_folder(self._os, path.parent)

    def _create_without_links(self, path: Path, data: bytes, mode: int) -> None:
        """Take the name by an empty file, then replace that. A kill in between leaves it empty."""
        try:
            self._os.close(self._os.open(path, _NEW, mode))
        except FileExistsError:
            raise Changed(path) from None
        try:
            self._replace(path, data, b"")
        except OSError:
            with suppress(Changed, Refusal):
                self.remove(path, expected=b"")
            raise

    def _replace(self, path: Path, data: bytes, expected: bytes) -> None:
        with Look(self._os, path) as look:
            look.demand_file()
            if look.data != expected:
                raise Changed(path)
            attributes = Attributes.of(self._os, look.handle)
        staged = self._stage(path, data, expected, PRIVATE_MODE, attributes)
        swap(self._os, staged, path, data, expected)

    def _stage(
        self, path: Path, data: bytes, before: bytes | None, mode: int, attributes: Attributes | None = None
    ) -> Path:
        """A complete and synced file beside the target."""
        staging = Staged.new()
        part, whole = (path.parent / step.name for step in (staging, staging.complete(before, data)))
        handle = self._os.open(part, _NEW, mode)
        try:
            try:
                self._fill(handle, data)
                if attributes is not None:
                    self._demand_writable(path)
                    attributes.give(self._os, handle)
                self._os.fsync(handle)
            finally:
                self._os.close(handle)
            self._os.rename(part, whole)
        except BaseException:
            with suppress(OSError):
                self._os.unlink(part)
            raise
        return whole

    def demand_writable(self, path: Path) -> None:
        """Raises Refusal `unwritable` when a later write or removal of the path would be refused. Makes and changes nothing."""
        with _explained("unwritable", path):
            if self._os.path.lexists(path):
                self._demand_writable(path)
            folder = path.parent
            while not self._os.path.isdir(folder):
                folder = folder.parent
            if not self._os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    def _demand_writable(self, path: Path) -> None:
        """A file that was made read-only is not to be changed, though its folder would allow it."""
        if not self._os.access(path, os.W_OK) and self._os.access(path, os.R_OK):
            # To open it is the way to hear the reason.
            self._os.close(self._os.open(path, os.O_WRONLY))

    def _fill(self, handle: int, data: bytes) -> None:
        view = memoryview(data)
        while view:
            written = self._os.write(handle, view)
            if not written:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            view = view[written:]
        if self._os.fstat(handle).st_size != len(data):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    @contextmanager
    def _folder_for(self, path: Path) -> Iterator[None]:
        """Make the folders that are missing; take them away again if the write fails."""
        made: list[Path] = []
        missing: list[Path] = []
        folder = path.parent
        while not self._os.path.isdir(folder):
            missing.append(folder)
            folder = folder.parent
        try:
            for folder in reversed(missing):
                try:
                    self._os.mkdir(folder)
                except FileExistsError:
                    if not self._os.path.isdir(folder):
                        raise NotADirectoryError(errno.ENOTDIR, f"{folder} is not a folder") from None
                    continue
                made.append(folder)
                sync_folder(self._os, folder.parent)
            yield
        except BaseException:
            for folder in reversed(made):
                self.remove_empty(folder)
            raise


@contextmanager
def _explained(code: str, path: Path) -> Iterator[None]:
    """Turn what the system says into a Refusal."""
    try:
        yield
    except ValueError as error:
        # A NUL byte, or a character that no file name can hold.
        raise Refusal(code, f"{str(path)!r} cannot be the name of a file: {error}", "Use another name.") from error
    except OSError as error:
        verb = "read" if code == "unreadable" else "written"
        reason = error.strerror or error.__class__.__name__
        hint = "Mend the permissions or the disk and run the command again."
        if error.errno in _MOUNTED:
            reason, hint = f"{reason} (is it a mount of its own?)", "Edit it where it is mounted from, or unmount it."
        raise Refusal(code, f"{path} cannot be {verb}: {reason}", hint) from error


def real_target(path: Path, roots: tuple[Path, ...]) -> Path:
    """The file that a path means once links are followed, its parents' links included; it need not exist.

    The roots are the workspace, and for the user's own files also the home: a link set up by a dotfile manager stays a link, its
    target is edited.
    Raises Refusal `link-outside` when links leave every root, `link-loop` when they end nowhere.
    """
    with _explained("unreadable", path):
        real = Path(os.path.realpath(path))
        try:
            looping = stat_bits.S_ISLNK(os.lstat(real).st_mode)
        except OSError as error:
            looping = error.errno == errno.ELOOP
    if looping:
        raise Refusal(
            "link-loop",
            f"{path} is a symbolic link that leads back to itself",
            "Replace the link by a file and run the command again.",
        )
    if real == path or any(real.is_relative_to(os.path.realpath(root)) for root in roots):
        return real
    home = len(roots) > 1
    raise Refusal(
        "link-outside",
        f"{path} leads out of the workspace{' and of HOME' if home else ''}, to {real}",
        f"Replace the link by a file, or point it inside the workspace{' or HOME' if home else ''}.",
    )
