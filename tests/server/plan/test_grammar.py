"""What a plan says, line by line; what does not parse is a problem with its line, never an exception."""

from __future__ import annotations

import pytest

from tests.conftest import ROOT
from tests.requirements import requirement
from tests.server.plan.conftest import plan_text
from vaultspec_core.plan.grammar import parse_text, summarise
from vaultspec_core.plan.model import Step


def rows(text: str) -> list[tuple[str, bool, str, str | None]]:
    return [(step.path, step.checked, step.action, step.scope) for step in parse_text(plan_text(text)).steps]


def problems(text: str) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in parse_text(text).problems]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("- [ ] `S01` - do it; `a`.", ("S01", False, "do it", "a")),
        ("- [x] `S01` - do it; `a`", ("S01", True, "do it", "a")),
        ("-   [ ]   `S01`-do it;`a`...", ("S01", False, "do it", "a")),
        ("- [ ] `S01` - one; two; `a`.", ("S01", False, "one; two", "a")),
        ("- [ ] `S01` - do it; a/b and c.", ("S01", False, "do it", "a/b and c")),
        ("- [ ] `S01` - do `it`; `a`, `b`.", ("S01", False, "do `it`", "`a`, `b`")),
        ("- [ ] `S01` - do it; `a`. trailing words", ("S01", False, "do it", "`a`. trailing words")),
        ("- [ ] `S123` - do it; `a`.", ("S123", False, "do it", "a")),
        ("- [ ] `S01` - do it", ("S01", False, "do it", None)),
    ],
)
def test_a_row_is_box_path_action_and_scope(line: str, row: tuple[str, bool, str, str | None]) -> None:
    assert rows(f"{line}\n") == [row]


@requirement("D-17")
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("- [X] `S01` - a; `b`.", "its box is [X], not [ ] or [x]"),
        ("- [] `S01` - a; `b`.", "its box is [], not [ ] or [x]"),
        ("* [ ] `S01` - a; `b`.", "begins with *, not -"),
        ("- [ ] S01 - a; `b`.", "its identifier does not stand in backticks"),
        ("- [ ] `S1` - a; `b`.", "its identifier has fewer than two digits"),
        ("- [ ] `S01a` - a; `b`.", "its identifier has a letter"),
        ("  - [ ] `S01` - a; `b`.", "is indented"),
        ("- [ ] `S01` – a; `b`.", "does not read - [ ] `S01` - action; `scope`."),
    ],
)
def test_a_line_that_was_meant_as_a_row_says_why_it_is_none(line: str, reason: str) -> None:
    plan = parse_text(plan_text(f"- [ ] `S09` - ok; `x`.\n{line}\n"))
    assert [(problem.line, problem.message) for problem in plan.problems] == [
        (16, f"the line looks like a step row but {reason}")
    ]
    assert [step.id for step in plan.steps] == ["S09"]
    assert plan.used == {"S09", *plan.strays}


@pytest.mark.parametrize(
    "line",
    [
        "- [ ] a task",
        "- `S01` is first",
        "S01 - a; b",
        "- [S01](x.md)",
        "- [ ] `P01` - a; `b`.",
        "1. [ ] `S01` - a; `b`.",
    ],
)
def test_other_lists_are_prose(line: str) -> None:
    plan = parse_text(plan_text(f"{line}\n"))
    assert (plan.steps, plan.problems, plan.strays) == ((), (), {})


@requirement("PLN-5")
def test_rows_and_headings_in_code_and_comments_are_not_there() -> None:
    plan = parse_text((ROOT / "fixtures/plans/fences-are-opaque/before.md").read_text(encoding="utf-8"))
    assert plan.steps == (
        Step(49, False, "S01", "S01", "the real one", "src/real.py", None),
        Step(50, False, "S02", "S02", "another", "src/other.py", None),
    )
    assert plan.problems == ()


def test_waves_hold_phases_and_phases_hold_steps() -> None:
    plan = parse_text((ROOT / "fixtures/plans/waves/before.md").read_text(encoding="utf-8"))
    assert [(wave.id, wave.title, wave.line, wave.end) for wave in plan.waves] == [
        ("W01", "foundations", 14, 28),
        ("W02", "serving", 28, 34),
    ]
    assert [(phase.path, phase.wave, phase.title) for phase in plan.phases] == [
        ("W01.P01", "W01", "reading"),
        ("W01.P02", "W01", "parsing"),
        ("W02.P03", "W02", "answers"),
    ]
    assert [(step.path, step.phase) for step in plan.steps] == [
        ("W01.P01.S01", "P01"),
        ("W01.P02.S02", "P02"),
        ("W02.P03.S03", "P03"),
    ]
    assert plan.problems == ()


@pytest.mark.parametrize(
    ("comment", "retired"),
    [
        ("<!-- RETIRED: W02, P03a, S04 -->", {"W02", "P03a", "S04"}),
        ("<!--RETIRED:S04,S05-->", {"S04", "S05"}),
        ("<!-- RETIRED:\n  S04,\n  S05\n-->", {"S04", "S05"}),
        ("<!--\nRETIRED: S04 -->", {"S04"}),
        ("<!-- RETIRED: S04 -->\n\n<!-- RETIRED: S05 -->", {"S04", "S05"}),
        ("Text <!-- RETIRED: S04 --> text.", {"S04"}),
        ("<!-- retired: S04 -->", set()),
        ("`<!-- RETIRED: S04 -->`", set()),
        ("Text <!-- RETIRED:\nS04 --> text.", {"S04"}),
        ("```\n<!-- RETIRED: S04 -->\n```", set()),
        ("RETIRED: S04", set()),
    ],
)
def test_retired_identifiers_stand_in_a_comment(comment: str, retired: set[str]) -> None:
    assert parse_text(plan_text(f"{comment}\n")).retired == retired


@requirement("D-17")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (plan_text().replace("tier: L1\n", ""), [("plan-no-tier", None)]),
        (plan_text(tier="L9"), [("plan-unknown-tier", None)]),
        (plan_text(tier="L2"), [("plan-hierarchy", 15)]),
        (plan_text("### Phase `P01` - a\n\n- [ ] `P01.S01` - a; `b`.\n"), [("plan-hierarchy", 15), ("plan-path", 17)]),
        (plan_text("## Wave `W01` - a\n", tier="L2"), [("plan-hierarchy", 15)]),
        (plan_text("### Phase `P01` - a\n", tier="L3"), [("plan-hierarchy", 15)]),
        (plan_text("## Wave `W01` - a\n", tier="L4"), [("plan-hierarchy", 15)]),
        (plan_text("## Epic intent\n\nA.\n"), [("plan-hierarchy", 15)]),
        (plan_text("## Phase `P01` - a\n", tier="L2"), [("plan-heading-level", 15)]),
        (plan_text("### Phase P01 - a\n", tier="L2"), [("plan-heading", 15)]),
        (plan_text("### Phase `P01` - a\n\n- [ ] `S01` - a; `b`.\n", tier="L2"), [("plan-path", 17)]),
        (plan_text("### Phase `W01.P01` - a\n", tier="L2"), [("plan-path", 15)]),
        (plan_text("- [ ] `S01` - a; `b`.\n- [ ] `S01` - c; `d`.\n"), [("plan-duplicate", 16)]),
        (plan_text("<!-- RETIRED: S01 -->\n\n- [ ] `S01` - a; `b`.\n"), [("plan-retired", 17)]),
        (plan_text("- [ ] `S01` - a\n"), [("plan-row-contract", 15)]),
        (plan_text("- [ ] `S01` - ; `b`.\n"), [("plan-row-contract", 15)]),
    ],
)
def test_a_problem_has_a_code_and_a_line(text: str, found: list[tuple[str, int | None]]) -> None:
    assert problems(text) == found


@pytest.mark.parametrize("tier", ["L1", "L2", "L3", "L4"])
def test_an_empty_scaffold_has_no_problem(tier: str) -> None:
    assert problems(plan_text("", tier=tier)) == []


@pytest.mark.parametrize("text", ["", "\ufeff", "---\n", "---\ntier: [", "\r", "- [ ] `S01`", "# a", "<!-- RETIRED:"])
def test_anything_is_read(text: str) -> None:
    assert parse_text(text).tier == "L2"


def test_very_long_numbers_are_no_identifiers() -> None:
    plan = parse_text(plan_text(f"- [ ] `S{'9' * 5000}` - a; `b`.\n### Phase `P{'9' * 5000}` - a\n"))
    assert (plan.steps, plan.used) == ((), frozenset())


def test_the_summary_tells_how_far_the_plan_is() -> None:
    summary = summarise(parse_text(plan_text()))
    assert (summary.tier, summary.total, summary.closed, summary.next_open) == ("L1", 2, 1, "S02")
    assert summary.steps == (("S01", "S01", True), ("S02", "S02", False))


def test_the_next_open_step_is_the_first_in_the_document_not_the_lowest() -> None:
    plan = parse_text(plan_text("- [ ] `S09` - a; `b`.\n- [ ] `S01` - c; `d`.\n"))
    assert plan.next_open is not None
    assert plan.next_open.id == "S09"


def test_reported_problems_are_bounded() -> None:
    assert len(parse_text(plan_text("- [ ] `S01` - a\n" * 1000)).problems) == 100
