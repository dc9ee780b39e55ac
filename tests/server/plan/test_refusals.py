"""Edits that are refused, with the reason and the line; what is refused changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.requirements import requirement
from tests.server.plan.conftest import plan_text
from vaultspec_core.plan import containers, steps, tiers
from vaultspec_core.plan.draft import Draft
from vaultspec_core.report import Refusal

PHASES = "### Phase `P01` - a\n\n- [ ] `P01.S01` - one; `x`.\n\n### Phase `P02` - b\n\n- [ ] `P02.S02` - two; `y`.\n"
L1, L2 = plan_text(), plan_text(PHASES, tier="L2")
L3 = (ROOT / "fixtures/plans/waves/before.md").read_text(encoding="utf-8")
MALFORMED = (ROOT / "fixtures/plans/malformed-rows/before.md").read_text(encoding="utf-8")
LOOSE = (ROOT / "fixtures/plans/loose-row-above-the-first-phase/before.md").read_text(encoding="utf-8")
TWICE = plan_text("- [ ] `S01` - a; `b`.\n- [ ] `S01` - c; `d`.\n")
TWICE_IN_PHASES = L2.replace("P02.S02", "P02.S01")
MIXED = plan_text("- [ ] `S01` - a; `b`.\n\n### Phase `P01` - c\n")


def refused(edit: Callable[..., Any], *words: Any, **named: Any) -> str:
    with pytest.raises(Refusal) as caught:
        edit(*words, **named)
    return caught.value.message


@requirement("PLN-2", "D-17")
@pytest.mark.parametrize(
    ("text", "reference", "message"),
    [
        (L1, "S09", "Step S09 does not exist in this plan"),
        (L1, "s01", "Step s01 does not exist in this plan"),
        (L1, "P01.S01", "Step P01.S01 does not exist in this plan"),
        (L1, "", "A step needs an identifier or display path, such as S01; this one is empty"),
        (L2, "P02.S01", "Step P02.S01 does not exist in this plan"),
        (L1.replace("# `", "<!-- RETIRED: S04 -->\n\n# `"), "S04", "Step S04 is retired"),
        (
            MALFORMED,
            "S02",
            "Step S02 cannot be addressed: line 16: the line looks like a step row but its box is [X], not [ ] or [x]",
        ),
        (
            MALFORMED,
            "S06",
            "Step S06 cannot be addressed: line 20: the line looks like a step row but is indented",
        ),
        (TWICE_IN_PHASES, "S01", "Step S01 is ambiguous; use a full display path to select one of: P01.S01, P02.S01"),
        (
            TWICE,
            "S01",
            "Step S01 is ambiguous; it stands on lines 15, 16; give each row its own identifier",
        ),
    ],
)
def test_a_step_that_cannot_be_told_is_refused(text: str, reference: str, message: str) -> None:
    assert refused(steps.set_state, text, reference, True) == message


@requirement("PLN-2")
def test_a_display_path_tells_two_steps_of_one_identifier_apart() -> None:
    edited = steps.set_state(TWICE_IN_PHASES, "P02.S01", True).text
    assert edited == TWICE_IN_PHASES.replace("- [ ] `P02.S01`", "- [x] `P02.S01`")


@requirement("PLN-3")
@pytest.mark.parametrize(
    ("action", "scope", "message"),
    [
        ("", "x", "the action is empty"),
        ("a\nb", "x", "the action must be one line without control characters"),
        ("a\u2028b", "x", "the action must be one line without control characters"),
        ("a\ud800", "x", "the action must be one line without control characters"),
        ("a <!-- b", "x", "the action must not hold comment marks: a <!-- b"),
        ("a", " ", "the scope is empty"),
        ("a", "``", "the scope is empty"),
        ("a", "x; y", "the scope must not hold ;: x; y"),
        ("a", "x` y", "the scope must not hold `: x` y"),
        ("a", "x\r", None),
    ],
)
def test_words_that_would_break_a_row_are_refused(action: str, scope: str, message: str | None) -> None:
    if message is None:
        assert "- [ ] `S03` - a; `x`." in steps.add_step(L1, action, scope).text
    else:
        assert refused(steps.add_step, L1, action, scope) == message


@requirement("PLN-3", "D-17")
@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (L1, {"phase": "P01"}, "L1 plans have no phases; leave out the phase"),
        (L2, {}, "L2 plans need the phase that the step goes to: one of P01, P02"),
        (L2, {"phase": "P09"}, "Phase P09 does not exist in this plan; it has P01, P02"),
        (L2, {"phase": "W01.P01"}, "Phase W01.P01 does not exist in this plan; it has P01, P02"),
        (plan_text("", tier="L2"), {"phase": "P01"}, "Phase P01 does not exist in this plan; it has no phase yet"),
        (MIXED, {}, "line 17: the plan is L1, but here is a phase"),
        (LOOSE, {}, "L2 plans need the phase that the step goes to: one of P01, P02"),
    ],
)
def test_a_step_is_added_only_where_its_place_is_clear(text: str, words: dict[str, str], message: str) -> None:
    assert refused(steps.add_step, text, "do it", "x", **words) == message


@requirement("PLN-3", "D-17")
@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (L1, {}, "name the step before or after which to stand"),
        (L1, {"before": "S01", "after": "S02"}, "name one step, before or after, not both"),
        (L1, {"before": "S09"}, "Step S09 does not exist in this plan"),
        (LOOSE, {"after": "S09"}, "line 19: step S09 stands in no phase of this L2 plan"),
    ],
)
def test_a_step_is_inserted_only_next_to_one_in_its_place(text: str, words: dict[str, str], message: str) -> None:
    assert refused(steps.insert_step, text, "do it", "x", **words) == message


@requirement("D-17")
def test_a_row_is_not_removed_with_a_malformed_one_below_it() -> None:
    text = plan_text("- [ ] `S01` - a; `b`.\n  - [ ] `S02` - c; `d`.\n")
    assert refused(steps.remove_step, text, "S01") == "The edit is refused because S02 would be lost (line 16)"


@requirement("PLN-3")
def test_a_row_is_not_added_into_an_open_fence() -> None:
    text = plan_text("### Phase `P01` - a\n\n```\n", tier="L2")
    assert refused(steps.add_step, text, "do it", "x", "P01") == (
        "The edit is refused because S01 would not read `P01.S01` - do it; x (open, in phase P01)"
    )


@requirement("PLN-3")
def test_the_guard_refuses_an_edit_that_touches_what_it_does_not_name() -> None:
    for line, words, message in [
        (
            14,
            "- [x] `S01` - scan; `src/scanner.py`.",
            "S01 would read `S01` - scan; src/scanner.py (closed, outside every phase)",
        ),
        (15, "text", "S02 would not read `S02` - keep the index; src/index.py (open, outside every phase)"),
        (12, "```", "S01 would not read `S01` - scan the folder; src/scanner.py (closed, outside every phase)"),
        (14, "<!-- RETIRED: S01 -->", "it would change what is retired: S01"),
    ]:
        draft = Draft(L1)
        draft.lines.replace(line, words)
        assert refused(draft.finish) == f"The edit is refused because {message}"


@requirement("PLN-3")
@pytest.mark.parametrize(
    ("edit", "words", "message"),
    [
        (containers.add_phase, (L1, "a"), "L1 plans have no phases; promote the plan first"),
        (containers.add_phase, (L2, "a", None, "W01"), "L2 plans have no waves; leave out the wave"),
        (containers.add_phase, (L3, "a"), "name the wave that the phase goes to (W01, W02)"),
        (containers.add_phase, (L3, "a", None, "W09"), "Wave W09 does not exist in this plan; it has W01, W02"),
        (containers.add_wave, (L2, "a"), "L2 plans have no waves; promote the plan first"),
        (containers.add_phase, (L2, " "), "the title is empty"),
        (containers.add_phase, (L2, "a #"), "the title does not survive as a heading: a #"),
        (containers.add_phase, (L2, "a", " "), "the intent is empty"),
        (containers.add_phase, (L2, "a", "b\n## c"), "the intent must not hold a heading: c"),
        (containers.add_phase, (L2, "a", "b\n===="), "the intent must not hold a heading: b"),
        (containers.add_phase, (L2, "a", "- b"), "the intent must be plain paragraphs, not code or lists: - b"),
        (containers.add_phase, (L2, "a", "b\n```\nc"), "the intent must be plain paragraphs, not code or lists: ```"),
        (containers.insert_phase, (L2, "a"), "name the sibling before or after which to stand"),
        (containers.edit_phase, (L2, "P09", "a"), "Phase P09 does not exist in this plan; it has P01, P02"),
        (containers.renumber_phase, (L2, "P01", "P02"), "P02 is in use or retired; identifiers are never used twice"),
        (containers.renumber_phase, (L2, "P01", "X"), "X is no phase identifier (P01)"),
        (containers.move_phase, (L2, "P01"), "name the wave or phase to move to"),
        (containers.set_epic_intent, (L3, "a"), "only L4 plans have an epic intent; this plan is L3"),
        (tiers.promote, (L1,), "the promotion makes a phase, which needs a title and an intent"),
        (tiers.promote, (L1, "L1"), "this plan is L1; it cannot be promoted to L1"),
        (tiers.promote, (L3,), "an L4 plan needs an epic intent"),
        (tiers.demote, (L1,), "there is no tier below L1"),
        (tiers.demote, (L3,), "the plan has several waves (W01, W02); demoting retires them all and needs force"),
    ],
)
def test_edits_above_the_steps_say_why_they_are_refused(
    edit: Callable[..., Any], words: tuple[Any, ...], message: str
) -> None:
    assert refused(edit, *words) == message


@pytest.mark.parametrize(
    "edit",
    [
        lambda: steps.set_state(L1, "S01", True),
        lambda: steps.set_state(L1, "S02", False),
        lambda: steps.edit_step(L1, "S01", "scan the folder"),
        lambda: steps.edit_step(L1, "S01", None, "`src/scanner.py`"),
        lambda: steps.move_step(L2, "S01", before="S01"),
        lambda: containers.edit_phase(L2, "P01", "a"),
        lambda: containers.move_wave(L3, "W02", after="W01"),
        lambda: containers.move_phase(L3, "P02", after="P01"),
    ],
)
def test_an_edit_that_changes_nothing_leaves_every_byte(edit: Callable[[], steps.Edited]) -> None:
    assert edit().text in (L1, L2, L3)


@requirement("PLN-3")
def test_letters_after_a_phase_run_out() -> None:
    text = L2
    for _ in range(26):
        text = containers.insert_phase(text, "between", after="P01").text
    assert refused(containers.insert_phase, text, "one more", after="P01") == (
        "every letter after P01 is used up; add at the end instead"
    )
