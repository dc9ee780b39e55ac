"""The network of documents: ids, phantoms, PageRank, neighbourhoods, likeness."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.requirements import requirement
from vaultspec_core.vault.network import Edge, alike, around, build, pagerank
from vaultspec_core.vault.vault import Vault


@requirement("CLI-1")
def test_documents_of_one_stem_are_told_apart_by_their_folder(vault: Vault, write: Callable[..., Path]) -> None:
    write("adr/a.md", "[[b]] [[lost]]", related="b")
    write("plan/b.md")
    write("research/b.md")
    vault.corpus.refresh()
    network = build(vault.corpus)
    assert list(network.documents) == ["a", "plan/b", "research/b"]
    assert network.phantoms == ("lost",)
    assert network.edges == (
        Edge("a", "plan/b", "related"),
        Edge("a", "research/b", "related"),
        Edge("a", "plan/b", "body"),
        Edge("a", "research/b", "body"),
        Edge("a", "lost", "body"),
    )
    assert around(network.neighbours(), "plan/b", 0) == ["plan/b"]
    assert around(network.neighbours(), "plan/b", 2) == ["plan/b", "a", "research/b", "lost"]
    assert alike(network) == [("plan/b", "research/b", 1.0)]
    assert network.within({"a", "lost"}).edges == (Edge("a", "lost", "body"),)


@requirement("CLI-1")
def test_ranks_sum_up_to_one_and_follow_the_links() -> None:
    ranks = pagerank("abcd", [("a", "b"), ("b", "a"), ("c", "a"), ("d", "a")])
    assert sum(ranks.values()) == pytest.approx(1)
    # a = 0.0375 + 0.85 (b + 2 * 0.0375), b = 0.0375 + 0.85 a
    a = (0.0375 + 0.85 * (0.0375 + 0.075)) / (1 - 0.85**2)
    assert ranks == pytest.approx({"a": a, "b": 0.0375 + 0.85 * a, "c": 0.0375, "d": 0.0375}, abs=1e-6)
    assert pagerank("", []) == {}
    assert pagerank("ab", [("a", "b")])["b"] == pytest.approx(0.6491, abs=1e-4)
