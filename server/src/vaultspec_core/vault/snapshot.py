"""The corpus of a large vault on disk, in this machine's state folder, so that a new process need not read every document.

A record counts only while its file has the very signature that it had when it was read (see `document.Signature`), so a
snapshot can be old but not wrong. One that is damaged, or was written by other code than this, is passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from sys import version
from typing import Any

from vaultspec_core import plan
from vaultspec_core._version import __version__
from vaultspec_core.plan.tally import Tally
from vaultspec_core.report import Refusal
from vaultspec_core.state import state_folder
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.frontmatter import Problem

_CODE = (os.path.dirname(__file__), os.path.dirname(plan.__file__ or ""))


class Snapshot:
    """The snapshot of one vault. Neither method ever fails: without a snapshot documents are read."""

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._root = str(root)
        self._environ = environ

    def load(self) -> dict[str, Document]:
        """The documents by path; empty without a snapshot that can be trusted."""
        import marshal

        try:
            data, head = self._path().read_bytes(), self._head()
        except (OSError, Refusal):
            return {}
        digest, body = data[len(head) : len(head) + 32], data[len(head) + 32 :]
        if not data.startswith(head) or blake2b(body, digest_size=32).digest() != digest:
            return {}
        return {document.relative: document for document in map(_document, marshal.loads(body))}

    def save(self, documents: Iterable[Document]) -> None:
        """Keep those documents that can be trusted by their signature."""
        import marshal

        body = marshal.dumps([_plain(document) for document in documents if document.signature is not None])
        try:
            data = self._head() + blake2b(body, digest_size=32).digest() + body
            path = self._path()
            path.parent.mkdir(0o700, parents=True, exist_ok=True)
            staged = path.with_suffix(f".{os.getpid()}")
            staged.write_bytes(data)
            os.replace(staged, path)
        except (OSError, Refusal):
            return

    def _path(self) -> Path:
        name = blake2b(self._root.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        return state_folder(self._environ) / "corpus" / name

    def _head(self) -> bytes:
        """Who wrote it, and of which vault: release, interpreter, the code that reads documents."""
        entries = [entry for folder in _CODE for entry in os.scandir(folder) if entry.name.endswith(".py")]
        stamps = sorted((entry.name, entry.stat().st_mtime_ns) for entry in entries)
        return repr((__version__, version, stamps, self._root)).encode("utf-8", "surrogateescape")


def _plain(value: Any) -> Any:
    """The value with plain tuples for named ones, which marshal does not know."""
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _document(row: tuple[Any, ...]) -> Document:
    document = Document._make(row)
    if document.plan is not None:
        document = document._replace(plan=Tally._make(document.plan))
    if document.problems:
        document = document._replace(problems=tuple(map(Problem._make, document.problems)))
    return document
