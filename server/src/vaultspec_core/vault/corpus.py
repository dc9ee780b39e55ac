"""All documents of a vault in memory, brought up to date by one walk that reads only what changed.

A file is read again when its time stamps, size or inode differ from those it had when it was read, or when it was so young then
that a later write could have left them the same. A Corpus belongs to one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from vaultspec_core.tool import Progress, unreported
from vaultspec_core.vault.document import Document, parse
from vaultspec_core.vault.snapshot import Snapshot
from vaultspec_core.vault.walk import Stray, Walk, look, text_of

T = TypeVar("T")

WORTH_KEEPING = 200
"""So many documents to read at once take longer than to load and save a snapshot."""


class Corpus:
    """`documents`: by path from the workspace, in the order of the paths. `stems`: by case-folded stem. `features`: name -> path -> document.

    `archived`: case-folded stems in the archive. `strays`: what could not be listed. `generation` grows with every change.
    `beside`: what somebody keeps about documents, by path; it goes when the record of the document goes.
    """

    def __init__(self, root: Path, snapshot: Snapshot | None = None) -> None:
        self.root = root
        self._snapshot = snapshot
        self.documents: dict[str, Document] = {}
        self.stems: dict[str, tuple[Document, ...]] = {}
        self.features: dict[str, dict[str, Document]] = {}
        self.archived: frozenset[str] = frozenset()
        self.strays: tuple[Stray, ...] = ()
        self.generation = 0
        self.beside: dict[str, Any] = {}
        self._derived: dict[Callable[[Corpus], Any], tuple[int, Any]] = {}
        self._details: dict[str, dict[Callable[[str], Any], tuple[Document, Any]]] = {}

    def refresh(self, progress: Progress = unreported) -> None:
        """Bring the corpus up to date with the disk. `progress` may raise Cancelled before each document that is read; then nothing is taken in."""
        walk = Walk(self.root)
        known = self.documents
        if self._snapshot is not None and len(walk.files) - len(known) >= WORTH_KEEPING:
            known = self._snapshot.load()
        found = walk.read(known, progress)
        fresh = [path for path, document in found.items() if self.documents.get(path) is not document]
        gone = [document for path, document in self.documents.items() if found.get(path) is not document]
        for document in gone:
            self._forget(document)
        for path in fresh:
            self._index(found[path])
        archived, strays = frozenset(walk.archived), tuple(walk.strays)
        if fresh or gone or archived != self.archived or strays != self.strays:
            self.documents, self.archived, self.strays = dict(sorted(found.items())), archived, strays
            self.generation += 1
        if self._snapshot is not None and sum(found[path] is not known.get(path) for path in fresh) >= WORTH_KEEPING:
            self._snapshot.save(found.values())

    def update(self, relative: str) -> Document | None:
        """Look at one file again, after a write of our own; None when it is gone."""
        return self._set(relative, look(self.root, relative))

    def put(self, relative: str, data: bytes | None) -> Document | None:
        """Take the bytes that a write of ours leaves, or would leave, at the path; None when the file goes.

        The next refresh looks at the file itself.
        """
        return self._set(relative, None if data is None else parse(relative, data, len(data), None))

    def _set(self, relative: str, document: Document | None) -> Document | None:
        old = self.documents.pop(relative, None)
        if old is not None:
            self._forget(old)
        if document is not None:
            self._index(document)
            self.documents[relative] = document
            self.documents = dict(sorted(self.documents.items()))
        self.generation += 1
        return document

    def of_type(self, kind: str) -> list[Document]:
        """The documents of a type, by path."""
        return [document for document in self.documents.values() if document.type == kind]

    def of_feature(self, feature: str) -> list[Document]:
        """The documents of a feature, by path."""
        return [document for _, document in sorted(self.features.get(feature, {}).items())]

    def derived(self, compute: Callable[[Corpus], T]) -> T:
        """What the function makes of the corpus, kept until something changes."""
        known = self._derived.get(compute)
        if known is None or known[0] != self.generation:
            known = self._derived[compute] = (self.generation, compute(self))
        value: T = known[1]
        return value

    def detail(self, document: Document, read: Callable[[str], T]) -> T:
        """What the function makes of the document's text, kept as long as the document is not read again.

        A document that is gone, closed to us or too large has no text.
        """
        known = self._details.setdefault(document.relative, {}).get(read)
        if known is None or known[0] is not document:
            known = self._details[document.relative][read] = (document, read(text_of(self.root, document)))
        value: T = known[1]
        return value

    def named(self, target: str) -> tuple[Document, ...]:
        """The documents that a link means: all with that stem, wherever they lie."""
        folded = target.casefold()
        return self.stems.get(folded) or self.stems.get(folded.rpartition("/")[2], ())

    def _index(self, document: Document) -> None:
        stem = document.stem.casefold()
        self.stems[stem] = (*self.stems.get(stem, ()), document)
        if document.feature is not None:
            self.features.setdefault(document.feature, {})[document.relative] = document

    def _forget(self, document: Document) -> None:
        self._details.pop(document.relative, None)
        self.beside.pop(document.relative, None)
        stem = document.stem.casefold()
        left = tuple(other for other in self.stems[stem] if other is not document)
        if left:
            self.stems[stem] = left
        else:
            del self.stems[stem]
        if document.feature is not None:
            members = self.features[document.feature]
            del members[document.relative]
            if not members:
                del self.features[document.feature]
