"""The files of a vault: stat everything, read only what changed, follow no link out of the workspace."""

from __future__ import annotations

import os
import stat as stat_bits
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from vaultspec_core.tool import Progress, unreported
from vaultspec_core.vault import names
from vaultspec_core.vault.document import HEAD_BYTES, SIZE_LIMIT, UNREADABLE, Document, Signature, parse, unread
from vaultspec_core.vault.frontmatter import Problem

RACY_NS = 2_000_000_000
"""A file this young when it is read may change again within the same time stamp (two seconds is the coarsest clock of a file system)."""

LINKED = "link"
"""Code of the problem of a link that is not followed."""

_LISTED = frozenset((*names.TYPES, names.ARCHIVE))

_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Stray(NamedTuple):
    """Something in the vault that cannot be listed as a document. `path` is fit to be shown, not to be opened."""

    path: str
    problem: Problem


class Walk:
    """What is there, without reading it. `files`: signature by path from the workspace."""

    def __init__(self, root: Path) -> None:
        self.files: dict[str, Signature] = {}
        self.archived: set[str] = set()
        self.strays: list[Stray] = []
        self.began = time.time_ns()
        self._root = root
        folders = [(os.path.join(root, names.VAULT), f"{names.VAULT}/")]
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
            elif entry.is_symlink() and entry.is_dir() and (not top or name in _LISTED):
                self._stray(prefix + name, LINKED, "a link to a folder is not followed: nothing in it is seen")

    def _file(self, entry: os.DirEntry[str], relative: str) -> None:
        real = real_path(self._root, relative) if entry.is_symlink() else entry.path
        if real is None:
            self._stray(relative, LINKED, "a link that leaves the workspace is not followed")
            return
        try:
            status = entry.stat(follow_symlinks=False) if real == entry.path else os.lstat(real)
        except OSError:
            return
        if stat_bits.S_ISREG(status.st_mode):
            self.files[relative] = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)

    def _archive(self, top: str) -> None:
        for _, folders, files in os.walk(top):
            folders[:] = [folder for folder in folders if folder[0] != "."]
            self.archived.update(name[:-3].casefold() for name in files if name.endswith(".md"))

    def _stray(self, relative: str, code: str, message: str) -> None:
        shown = relative.encode("utf-8", "replace").decode("utf-8")
        self.strays.append(Stray(shown, Problem(code, message)))

    def read(self, known: Mapping[str, Document], progress: Progress = unreported) -> dict[str, Document]:
        """A document for every file: the known one where nothing changed. `progress` is told nothing; it can raise Cancelled before each other."""
        found: dict[str, Document] = {}
        for relative, signature in self.files.items():
            document = known.get(relative)
            if document is None or document.signature != signature:
                if not _is_text(relative):
                    self._stray(relative, "name", "the file name is no UTF-8")
                    continue
                progress(0, 0, "")
                document = _read(self._root, relative, signature, self.began)
            if document is not None:
                found[relative] = document
        return found


def look(root: Path, relative: str) -> Document | None:
    """The document that stands at the path now; None when there is none."""
    began = time.time_ns()
    try:
        status = os.lstat(real_path(root, relative) or "")
    except OSError:
        return None
    if not stat_bits.S_ISREG(status.st_mode):
        return None
    return _read(root, relative, (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino), began)


def text_of(root: Path, document: Document) -> str:
    """The text of a document as it is now, what is no UTF-8 replaced; empty when it cannot be had or is too large."""
    path = real_path(root, document.relative)
    if path is None or document.size > SIZE_LIMIT:
        return ""
    try:
        return _bytes(path, document.size).decode("utf-8", "replace")
    except OSError:
        return ""


def real_path(root: Path, relative: str) -> str | None:
    """The file itself when the path is a link; None when that leaves the workspace."""
    path = os.path.join(root, relative)
    if not os.path.islink(path):
        return path
    real = os.path.realpath(path)
    return real if real.startswith(os.path.join(os.path.realpath(root), "")) else None


def _read(root: Path, relative: str, signature: Signature, began: int) -> Document | None:
    """`began`: nanoseconds, a moment before the signature was taken."""
    mtime, ctime, size, _ = signature
    young = (ctime if os.name == "posix" else mtime) > began - RACY_NS
    kept = None if young else signature
    path = real_path(root, relative)
    if path is None:
        return None
    try:
        data = _bytes(path, size if size <= SIZE_LIMIT else HEAD_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        return unread(relative, size, Problem(UNREADABLE, f"the file cannot be read: {error.strerror}"))
    return parse(relative, data, size, kept)


def _bytes(path: str, count: int) -> bytes:
    """As many bytes as the file had: one that grew meanwhile has another signature by the next walk."""
    handle = os.open(path, _OPEN)
    try:
        return os.read(handle, count)
    finally:
        os.close(handle)


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
