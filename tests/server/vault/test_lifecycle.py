"""One rule says how far a feature is."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_core.vault.document import Document, parse
from vaultspec_core.vault.lifecycle import lifecycle, percent


def document(kind: str, body: str = "") -> Document:
    data = f"---\ntags: ['#{kind}', '#auth']\n---\n\n{body}".encode()
    return parse(f".vault/{kind}/2026-01-01-auth-{kind}.md", data, len(data), None)


def plan(closed: int, total: int) -> Document:
    rows = (f"- [{'x' if n < closed else ' '}] `S{n + 1:02d}` - do; `it`.\n" for n in range(total))
    return document("plan", "## Steps\n\n" + "".join(rows))


ADR, RESEARCH, REFERENCE, AUDIT = map(document, ("adr", "research", "reference", "audit"))
LEDGER = document("exec", "## Changes\n\n- `S01` `A` `x.py`\n")
EMPTY_LEDGER = document("exec", "## Changes\n")


@requirement("STS-3", "D-12")
@pytest.mark.parametrize(
    ("documents", "word"),
    [
        ([], "Unknown"),
        ([AUDIT], "Unknown"),
        ([EMPTY_LEDGER], "Unknown"),
        ([RESEARCH], "Researching"),
        ([REFERENCE, AUDIT], "Researching"),
        ([RESEARCH, ADR], "Specified"),
        ([ADR, plan(0, 0)], "Planned"),
        ([ADR, plan(0, 3), EMPTY_LEDGER], "Planned"),
        ([plan(1, 3)], "In Progress"),
        ([plan(0, 3), LEDGER], "In Progress"),
        ([LEDGER], "In Progress"),
        ([plan(3, 3), plan(0, 1)], "In Progress"),
        ([plan(1999, 2000)], "In Progress"),
        ([plan(3, 3)], "Completed"),
        ([plan(3, 3), plan(2, 2), LEDGER], "Completed"),
        ([plan(3, 3), plan(0, 0)], "Completed"),
    ],
)
def test_the_word_follows_from_what_is_there(documents: list[Document], word: str) -> None:
    assert lifecycle(documents) == word
    assert lifecycle(reversed(documents)) == word


@requirement("STS-3")
@pytest.mark.parametrize(
    ("closed", "total", "shown"),
    [(0, 0, 0.0), (0, 3, 0.0), (1, 3, 33.3), (2, 3, 66.7), (1999, 2000, 99.9), (9999, 10000, 99.9), (3, 3, 100.0)],
)
def test_only_a_plan_that_is_done_is_at_a_hundred_percent(closed: int, total: int, shown: float) -> None:
    assert percent(closed, total) == shown
