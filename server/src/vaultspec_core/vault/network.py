"""The documents of a vault and the links between them as a network: nodes, edges, PageRank, neighbourhoods, likeness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document

DAMPING = 0.85
ROUNDS = 100
PRECISION = 1e-9
HUB = 200
"""What has more neighbours than this says nothing of their likeness."""


class Edge(NamedTuple):
    """A link from one node to another. `kind`: `related` (frontmatter) or `body`; a pair may have both."""

    source: str
    target: str
    kind: str


class Network(NamedTuple):
    """`documents`: by id, which is the stem, or the path inside the vault where several have that stem. `phantoms`: ids of targets that
    are no documents (archived or nowhere)."""

    documents: dict[str, Document]
    phantoms: tuple[str, ...]
    edges: tuple[Edge, ...]

    def within(self, ids: Collection[str]) -> Network:
        """The part with these nodes and the edges between them."""
        documents = {one: document for one, document in self.documents.items() if one in ids}
        phantoms = tuple(one for one in self.phantoms if one in ids)
        return Network(documents, phantoms, tuple(e for e in self.edges if e.source in ids and e.target in ids))

    def ends(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Id -> the ids that it links, and id -> the ids that link it, sorted; nothing where there is none."""
        out: dict[str, list[str]] = {}
        into: dict[str, list[str]] = {}
        for source, target in sorted({edge[:2] for edge in self.edges}):
            out.setdefault(source, []).append(target)
            into.setdefault(target, []).append(source)
        return out, into

    def neighbours(self) -> dict[str, dict[str, None]]:
        """Id -> ids linked either way, in the order of the edges."""
        found: dict[str, dict[str, None]] = {one: {} for one in (*self.documents, *self.phantoms)}
        for edge in self.edges:
            found[edge.source][edge.target] = None
            found[edge.target][edge.source] = None
        return found


def build(corpus: Corpus) -> Network:
    """The network of the corpus as it is; use `corpus.derived(build)`."""
    ids = {document.relative: _id(corpus, document) for document in corpus.documents.values()}
    phantoms: dict[str, None] = {}
    edges: dict[Edge, None] = {}
    for document in corpus.documents.values():
        for kind, targets in (("related", document.related), ("body", document.links)):
            for target in targets:
                found = [ids[one.relative] for one in corpus.named(target) if one is not document]
                if not corpus.named(target):
                    phantoms[target] = None
                    found = [target]
                edges.update(dict.fromkeys(Edge(ids[document.relative], one, kind) for one in found))
    documents = {ids[relative]: document for relative, document in corpus.documents.items()}
    return Network(documents, tuple(one for one in phantoms if one not in documents), tuple(edges))


def around(linked: Mapping[str, Collection[str]], start: str, depth: int) -> list[str]:
    """The ids at most so many links away, nearest first. `linked`: `neighbours` of a network."""
    seen, front = {start: None}, [start]
    for _ in range(depth):
        front = list(dict.fromkeys(one for node in front for one in linked[node] if one not in seen))
        if not front:
            break
        seen.update(dict.fromkeys(front))
    return list(seen)


def pagerank(nodes: Iterable[str], links: Iterable[tuple[str, str]]) -> dict[str, float]:
    """PageRank by power iteration; the ranks sum up to 1."""
    out: dict[str, list[str]] = {node: [] for node in nodes}
    for source, target in links:
        out[source].append(target)
    if not out:
        return {}
    count = len(out)
    rank = dict.fromkeys(out, 1 / count)
    for _ in range(ROUNDS):
        loose = sum(rank[node] for node, targets in out.items() if not targets)
        new = dict.fromkeys(out, (1 - DAMPING + DAMPING * loose) / count)
        for node, targets in out.items():
            for target in targets:
                new[target] += DAMPING * rank[node] / len(targets)
        moved = sum(abs(new[node] - rank[node]) for node in out)
        rank = new
        if moved < PRECISION:
            break
    return rank


def alike(network: Network) -> list[tuple[str, str, float]]:
    """Pairs of documents that are not linked but share neighbours: (id, id, shared of all neighbours), the most alike first."""
    linked = {one: set(others) for one, others in network.neighbours().items()}
    shared = Counter(
        pair
        for others in linked.values()
        if len(others) <= HUB
        for pair in combinations(sorted(others & network.documents.keys()), 2)
    )
    found = [
        (one, other, round(count / len(linked[one] | linked[other]), 4))
        for (one, other), count in shared.items()
        if other not in linked[one]
    ]
    return sorted(found, key=lambda pair: (-pair[2], pair[0], pair[1]))


def _id(corpus: Corpus, document: Document) -> str:
    if len(corpus.stems[document.stem.casefold()]) == 1:
        return document.stem
    return document.relative.partition("/")[2].removesuffix(".md")
