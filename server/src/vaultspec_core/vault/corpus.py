"""All documents of a vault in memory, brought up to date by one walk that reads only what changed.

A file is read again when its time stamps, size or inode differ from those it had when it was read, or when it was so young then
that a later write could have left them the same. A Corpus belongs to one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from vaultspec_core.vault.document import Document
from vaultspec_core.vault.walk import Stray, Walk, look

T = TypeVar("T")


class Corpus:
    """`documents`: by path from the workspace, in the order of the paths. `stems`: by case-folded stem. `features`: name -> path -> document.

    `archived`: case-folded stems in the archive. `strays`: what could not be listed. `generation` grows with every change.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.documents: dict[str, Document] = {}
        self.stems: dict[str, tuple[Document, ...]] = {}
        self.features: dict[str, dict[str, Document]] = {}
        self.archived: frozenset[str] = frozenset()
        self.strays: tuple[Stray, ...] = ()
        self.generation = 0
        self._derived: dict[Callable[[Corpus], Any], tuple[int, Any]] = {}

    def refresh(self) -> None:
        """Bring the corpus up to date with the disk."""
        walk = Walk(self.root, self.documents)
        walk.run()
        changed = walk.read or len(walk.found) != len(self.documents)
        if changed:
            for relative, old in self.documents.items():
                if walk.found.get(relative) is not old:
                    self._forget(old)
            for relative in walk.read:
                self._index(walk.found[relative])
            self.documents = dict(sorted(walk.found.items()))
        archived, strays = frozenset(walk.archived), tuple(walk.strays)
        if changed or archived != self.archived or strays != self.strays:
            self.archived, self.strays = archived, strays
            self.generation += 1

    def update(self, relative: str) -> Document | None:
        """Look at one file again, after a write of our own; None when it is gone."""
        old = self.documents.pop(relative, None)
        if old is not None:
            self._forget(old)
        document = look(self.root, relative)
        if document is not None:
            self._index(document)
            self.documents[relative] = document
            if old is None:
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

    def _index(self, document: Document) -> None:
        stem = document.stem.casefold()
        self.stems[stem] = (*self.stems.get(stem, ()), document)
        if document.feature is not None:
            self.features.setdefault(document.feature, {})[document.relative] = document

    def _forget(self, document: Document) -> None:
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
