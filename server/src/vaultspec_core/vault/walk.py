"""One pass over the files of a vault: stat everything, read only what changed, follow no link out of the workspace."""

from __future__ import annotations

import os
import stat as stat_bits
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from vaultspec_core.vault import names
from vaultspec_core.vault.document import HEAD_BYTES, SIZE_LIMIT, UNREADABLE, Document, Signature, parse, unread
from vaultspec_core.vault.frontmatter import Problem

RACY_NS = 2_000_000_000
"""A file this young when it is read may change again within the same time stamp (two seconds is the coarsest clock of a file system)."""

_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Stray(NamedTuple):
    """Something in the vault that cannot be listed as a document. `path` is fit to be shown, not to be opened."""

    path: str
    problem: Problem


class Walk:
    """What is there now. `found`: every document by path; `read`: the paths of those that were read because they changed."""

    def __init__(self, root: Path, known: dict[str, Document]) -> None:
        self.found: dict[str, Document] = {}
        self.read: list[str] = []
        self.archived: set[str] = set()
        self.strays: list[Stray] = []
        self._root = root
        self._known = known
        self._now = time.time_ns()

    def run(self) -> None:
        """Walk the vault. A folder that cannot be read is a stray."""
        folders = [(os.path.join(self._root, names.VAULT), f"{names.VAULT}/")]
        while folders:
            path, prefix = folders.pop()
            try:
                with os.scandir(path) as entries:
                    self._folder(entries, prefix, folders)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._stray(prefix.rstrip("/"), UNREADABLE, f"the folder cannot be read: {error.strerror}")

    def _folder(self, entries: Iterable[os.DirEntry[str]], prefix: str, folders: list[tuple[str, str]]) -> None:
        top = prefix.count("/") == 1
        for entry in entries:
            name = entry.name
            if name[0] == ".":
                continue
            if entry.is_dir(follow_symlinks=False):
                if name == names.ARCHIVE:
                    self._archive(entry.path)
                elif not top or name not in names.RUNTIME_FOLDERS:
                    folders.append((entry.path, f"{prefix}{name}/"))
            elif name.endswith(".md") and not (top and name.lower() == "readme.md"):
                self._file(entry, prefix + name)

    def _file(self, entry: os.DirEntry[str], relative: str) -> None:
        known = self._known.get(relative)
        if known is not None and not entry.is_symlink():
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                return
            if known.signature == (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino):
                self.found[relative] = known
                return
        try:
            relative.encode("utf-8")
        except UnicodeEncodeError:
            self._stray(relative, "name", "the file name is no UTF-8")
            return
        document = look(self._root, relative, self._now, known)
        if document is not None:
            self.found[relative] = document
            if document is not known:
                self.read.append(relative)

    def _archive(self, top: str) -> None:
        for _, folders, files in os.walk(top):
            folders[:] = [folder for folder in folders if folder[0] != "."]
            self.archived.update(name[:-3].casefold() for name in files if name.endswith(".md"))

    def _stray(self, relative: str, code: str, message: str) -> None:
        shown = relative.encode("utf-8", "replace").decode("utf-8")
        self.strays.append(Stray(shown, Problem(code, message)))


def look(root: Path, relative: str, now: int | None = None, known: Document | None = None) -> Document | None:
    """The document that stands at the path, read unless it is still the `known` one; None when there is none.

    `now`: nanoseconds, a moment before the file's status is taken. A link that leaves the workspace is no document.
    """
    now = time.time_ns() if now is None else now
    path = os.path.join(root, relative)
    try:
        status = os.lstat(path)
        if stat_bits.S_ISLNK(status.st_mode):
            path = os.path.realpath(path)
            if not path.startswith(os.path.join(os.path.realpath(root), "")):
                return None
            status = os.lstat(path)
    except OSError:
        return None
    if not stat_bits.S_ISREG(status.st_mode):
        return None
    size = status.st_size
    signature: Signature | None = (status.st_mtime_ns, status.st_ctime_ns, size, status.st_ino)
    if known is not None and known.signature == signature:
        return known
    changed = status.st_ctime_ns if os.name == "posix" else status.st_mtime_ns
    if changed > now - RACY_NS:
        signature = None
    try:
        data = _read(path, size if size <= SIZE_LIMIT else HEAD_BYTES - 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        return unread(relative, size, None, Problem(UNREADABLE, f"the file cannot be read: {error.strerror}"))
    return parse(relative, data, size, signature)


def _read(path: str, expected: int) -> bytes:
    """At most one byte more than expected: a file that grew meanwhile is seen as changed by the next walk."""
    handle = os.open(path, _OPEN)
    try:
        return os.read(handle, expected + 1)
    finally:
        os.close(handle)
