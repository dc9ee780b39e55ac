"""One rule says how far a feature is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.requirements import requirement
from vaultspec_core.vault.lifecycle import lifecycle, percent
from vaultspec_core.vault.vault import Vault

Written = tuple[str, str]


def plan(closed: int, total: int) -> Written:
    rows = (f"- [{'x' if n < closed else ' '}] `S{n + 1:02d}` - do; `it`.\n" for n in range(total))
    return "plan", "## Steps\n\n" + "".join(rows)


ADR, RESEARCH, REFERENCE, AUDIT = ("adr", ""), ("research", ""), ("reference", ""), ("audit", "")
LEDGER = ("exec", "## Changes\n\n- `S01` `A` `x.py`\n")
EMPTY_LEDGER = ("exec", "## Changes\n\n```\n- `S01` `A` `x.py`\n```\n")


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
def test_the_word_follows_from_what_is_there(
    vault: Vault, write: Callable[..., Path], documents: list[Written], word: str
) -> None:
    for number, (kind, body) in enumerate(documents):
        write(f"{kind}/{number}.md", body)
    vault.corpus.refresh()
    found = vault.corpus.of_feature("auth")
    assert lifecycle(vault.corpus, found) == lifecycle(vault.corpus, found[::-1]) == word


@requirement("STS-3")
@pytest.mark.parametrize(
    ("closed", "total", "shown"),
    [(0, 0, 0.0), (0, 3, 0.0), (1, 3, 33.3), (2, 3, 66.7), (1999, 2000, 99.9), (9999, 10000, 99.9), (3, 3, 100.0)],
)
def test_only_a_plan_that_is_done_is_at_a_hundred_percent(closed: int, total: int, shown: float) -> None:
    assert percent(closed, total) == shown
