"""Who links to whom: in-degrees for ranking, orphaned documents, links that lead nowhere."""

from __future__ import annotations

from typing import NamedTuple

from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import UNREADABLE, Document


class Dangling(NamedTuple):
    """A link whose target is neither in the vault nor in its archive. `target` as written."""

    document: Document
    target: str


class Graph(NamedTuple):
    """`incoming`: path of a document -> paths of the documents that link to it. `weights`: feature -> sum of its in-degrees.

    `complete`: no folder was closed to us, so no document is missing.
    """

    incoming: dict[str, set[str]]
    weights: dict[str, int]
    orphaned: tuple[Document, ...]
    dangling: tuple[Dangling, ...]
    complete: bool

    def sources(self, document: Document) -> set[str]:
        return self.incoming.get(document.relative, set())


def build(corpus: Corpus) -> Graph:
    """The graph of the corpus as it is; use `corpus.derived(build)`, which keeps it until something changes."""
    incoming: dict[str, set[str]] = {}
    dangling: list[Dangling] = []
    for document in corpus.documents.values():
        for target in dict.fromkeys(document.related + document.links):
            found = corpus.named(target)
            for other in found:
                if other is not document:
                    incoming.setdefault(other.relative, set()).add(document.relative)
            if not found and target.casefold().rpartition("/")[2] not in corpus.archived:
                dangling.append(Dangling(document, target))
    weights = {
        feature: sum(len(incoming.get(path, ())) for path in members) for feature, members in corpus.features.items()
    }
    orphaned = tuple(
        document
        for document in corpus.documents.values()
        if document.relative not in incoming
        and not document.related
        and not document.links
        and _alone(corpus, document)
    )
    hidden = any(stray.problem.code == UNREADABLE for stray in corpus.strays)
    return Graph(incoming, weights, orphaned, tuple(dangling), not hidden)


def _alone(corpus: Corpus, document: Document) -> bool:
    return document.feature is None or len(corpus.features[document.feature]) == 1
