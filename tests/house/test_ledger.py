"""Every requirement id has a test, and every mark names an id that exists."""

from __future__ import annotations

import re
from pathlib import Path

from tests.requirements import DEFERRED, IDS

TESTS = Path(__file__).resolve().parents[1]
MARK = re.compile(r"requirement\(((?:\s*\"[A-Z]+-\d+\"\s*,?)+)\s*\)|^# requirement: (.+)$", re.MULTILINE)


def marked() -> set[str]:
    found: set[str] = set()
    for path in TESTS.rglob("*"):
        if path.suffix in (".py", ".txt") and path.name not in ("requirements.py", "test_ledger.py"):
            for python, scenario in MARK.findall(path.read_text(encoding="utf-8")):
                found.update(re.findall(r"[A-Z]+-\d+", python or scenario))
    return found


def test_every_mark_names_an_id_of_the_contract() -> None:
    assert marked() - IDS == set()


def test_every_id_has_a_test_or_a_reason_why_not_yet() -> None:
    assert sorted(IDS - marked() - set(DEFERRED)) == []


def test_no_deferred_id_has_a_test_already() -> None:
    done = sorted(set(DEFERRED) & marked())
    assert not done, "delete from DEFERRED in tests/requirements.py: " + ", ".join(done)


def test_nothing_is_deferred_that_is_no_id() -> None:
    assert sorted(set(DEFERRED) - IDS) == []
