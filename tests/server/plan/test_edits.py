"""The readable cases of `fixtures/plans`: `before.md`, the calls of `edit.json`, and `after.md`, which is what must come out.

Each case also runs with CRLF line ends and without a final newline: nothing else may differ then.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.requirements import requirement
from vaultspec_core.plan import containers, steps, tiers
from vaultspec_core.plan.grammar import parse_text

CASES = sorted(path.parent for path in (ROOT / "fixtures" / "plans").glob("*/edit.json"))
EDITS: dict[str, Callable[..., Any]] = {
    name: function
    for module in (steps, containers, tiers)
    for name, function in vars(module).items()
    if callable(function) and not name.startswith("_")
}
VARIANTS: dict[str, Callable[[str], str]] = {
    "as written": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "no final newline": lambda text: text.removesuffix("\n"),
    "CRLF, no final newline": lambda text: text.removesuffix("\n").replace("\n", "\r\n"),
    "byte order mark": lambda text: f"\ufeff{text}",
}


def carry_out(text: str, calls: list[dict[str, Any]]) -> str:
    for call in calls:
        words = {
            name: tiers.Words(*value) if isinstance(value, list) else value for name, value in call["with"].items()
        }
        edited = EDITS[call["do"]](text, **words)
        text = edited if isinstance(edited, str) else edited.text
    return text


@requirement("PLN-3", "PLN-5", "PLN-6", "D-17")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_only_what_is_addressed_changes(case: Path, variant: str) -> None:
    before = (case / "before.md").read_text(encoding="utf-8")
    after = (case / "after.md").read_text(encoding="utf-8")
    calls = json.loads((case / "edit.json").read_text(encoding="utf-8"))["calls"]
    assert carry_out(VARIANTS[variant](before), calls) == VARIANTS[variant](after)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_no_edit_brings_a_problem_that_was_not_there(case: Path) -> None:
    before = parse_text((case / "before.md").read_text(encoding="utf-8"))
    after = parse_text((case / "after.md").read_text(encoding="utf-8"))
    assert {problem.code for problem in after.problems} <= {problem.code for problem in before.problems}
