"""Laws of plans: whatever is edited in whatever plan, authored lines stay, identifiers are never used twice, and a change can be undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.plan import containers, steps, tiers
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.model import Plan
from vaultspec_core.report import Refusal
from vaultspec_core.vault.markdown import split_lines

OURS = re.compile(
    r"- \[[ x]\] `|### Phase `|## Wave `|## Epic intent|## Steps|<!-- RETIRED:|Intent\b|tier: |  continuation|\s*$"
)
"""Lines that an edit may make, change or take out: structure, intents of this test's own, blank lines, what belongs to a row."""

PROSE = st.sampled_from(
    [
        "Some prose.", "Prose with `code` and [[link]].", "```\n- [ ] `S01` - fenced; `x`.\n### Phase `P01` - no\n```",
        "~~~~\n## Wave `W09` - no\n~~~~", "<!-- a comment\n- [ ] `S02` - hidden; `y`.\n-->", "text <!-- here\n## no\n--> end",
        "    indented code", "> quoted", "| a | b |", "- a bullet", "#### deeper", "Soft  ", "* * *", "1. one\n2. two", "- [ ] a task",
    ]
)  # fmt: skip


@st.composite
def plans(draw: st.DrawFn) -> str:
    tier = draw(st.sampled_from(["L1", "L2", "L3", "L4"]))
    numbers = iter(draw(st.permutations(range(1, 13))))
    out = ["---", "# ours", f"tier: {tier}  # kept", "flow: [a, 'b']", "---", ""]
    if draw(st.booleans()):
        out += ["<!-- RETIRED: S20, P20 -->", ""]
    out += ["# `x` plan", "", *_prose(draw), "## Steps", ""]
    if tier == "L1":
        out += _rows(draw, "", numbers)
    elif tier == "L2":
        for phase in range(1, draw(st.integers(1, 4))):
            out += [f"### Phase `P{phase:02}` - title", "", *_prose(draw), *_rows(draw, f"P{phase:02}.", numbers)]
    else:
        out += ["## Epic intent", "", "Intent of it all.", ""] if tier == "L4" else []
        phase = 0
        for wave in range(1, draw(st.integers(1, 4))):
            out += [f"## Wave `W{wave:02}` - title", "", *_prose(draw)]
            for _ in range(draw(st.integers(0, 2))):
                phase += 1
                path = f"W{wave:02}.P{phase:02}"
                out += [f"### Phase `{path}` - title", "", *_prose(draw), *_rows(draw, f"{path}.", numbers)]
    out += ["## Verification", "", *_prose(draw)]
    ends = draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=1, max_size=3))
    lines = "\n".join(out).split("\n")
    text = "".join(line + ends[number % len(ends)] for number, line in enumerate(lines))
    return text.rstrip("\r\n") if draw(st.booleans()) else text


def _prose(draw: st.DrawFn) -> list[str]:
    parts = draw(st.lists(PROSE, max_size=2))
    return [line for part in parts for line in (part, "")]


def _rows(draw: st.DrawFn, path: str, numbers: Any) -> list[str]:
    out: list[str] = []
    for _ in range(draw(st.integers(0, 3))):
        number = next(numbers, None)
        if number is None:
            break
        box = draw(st.sampled_from(" x"))
        out.append(f"- [{box}] `{path}S{number:02}` - action {number}; `scope/{number}`.")
        out += draw(st.sampled_from([[], [], ["  continuation"], [""]]))
    return [*out, ""]


Edit = Callable[[str, Plan, st.DataObject], Any]


def _step(plan: Plan, data: st.DataObject) -> str:
    return data.draw(st.sampled_from([step.id for step in plan.steps] or ["S01"]))


def _phase(plan: Plan, data: st.DataObject) -> str:
    return data.draw(st.sampled_from([phase.id for phase in plan.phases] or ["P01"]))


def _wave(plan: Plan, data: st.DataObject) -> str:
    return data.draw(st.sampled_from([wave.id for wave in plan.waves] or ["W01"]))


def _maybe(value: str, data: st.DataObject) -> str | None:
    return data.draw(st.sampled_from([value, None]))


EDITS: dict[str, Edit] = {
    "check": lambda text, plan, data: steps.set_state(text, _step(plan, data), data.draw(st.booleans())),
    "add": lambda text, plan, data: steps.add_step(
        text, "new", "new/x", None if plan.shape == "L1" else _phase(plan, data)
    ),
    "insert before": lambda text, plan, data: steps.insert_step(text, "new", "x", before=_step(plan, data)),
    "insert after": lambda text, plan, data: steps.insert_step(text, "new", "x", after=_step(plan, data)),
    "edit": lambda text, plan, data: steps.edit_step(text, _step(plan, data), "changed; twice", _maybe("y", data)),
    "remove": lambda text, plan, data: steps.remove_step(text, _step(plan, data)),
    "move": lambda text, plan, data: steps.move_step(text, _step(plan, data), before=_step(plan, data)),
    "move to": lambda text, plan, data: steps.move_step(text, _step(plan, data), phase=_phase(plan, data)),
    "add phase": lambda text, plan, data: containers.add_phase(
        text, "new", _maybe("Intent of it.", data), None if plan.shape == "L2" else _wave(plan, data)
    ),
    "insert phase": lambda text, plan, data: containers.insert_phase(text, "new", before=_phase(plan, data)),
    "edit phase": lambda text, plan, data: containers.edit_phase(text, _phase(plan, data), "changed"),
    "move phase": lambda text, plan, data: containers.move_phase(text, _phase(plan, data), after=_phase(plan, data)),
    "renumber": lambda text, plan, data: containers.renumber_phase(text, _phase(plan, data), "P30"),
    "add wave": lambda text, plan, data: containers.add_wave(text, "new", _maybe("Intent of it.", data)),
    "insert wave": lambda text, plan, data: containers.insert_wave(text, "new", after=_wave(plan, data)),
    "move wave": lambda text, plan, data: containers.move_wave(text, _wave(plan, data), before=_wave(plan, data)),
    "promote": lambda text, plan, data: tiers.promote(
        text, phase=tiers.Words("new", "Intent."), wave=tiers.Words("new", "Intent."), epic="Intent of all."
    ),
}


def attempt(edit: Callable[[], Any]) -> str | Refusal:
    """The new text, or why there is none."""
    try:
        edited = edit()
    except Refusal as refusal:
        return refusal
    return edited if isinstance(edited, str) else str(edited.text)


def authored(text: str) -> list[str]:
    return [line for line in split_lines(text) if not OURS.match(line)]


def same(before: list[str], after: list[str]) -> bool:
    """Equal line for line; only the last line of the text may have got or lost its line end."""
    return before == after or [line.rstrip("\r\n") for line in before] == [line.rstrip("\r\n") for line in after]


@requirement("PLN-3", "PLN-5", "REL-4")
@settings(max_examples=120, deadline=None)
@given(plans(), st.lists(st.sampled_from(sorted(EDITS)), min_size=1, max_size=5), st.data())
def test_authored_lines_stay_and_identifiers_are_never_used_twice(
    text: str, names: list[str], data: st.DataObject
) -> None:
    ever = set(parse_text(text).used)
    for name in names:
        plan = parse_text(text)
        new = attempt(lambda: EDITS[name](text, plan, data))  # noqa: B023 (called at once)
        if isinstance(new, Refusal):
            assert new.code != "plan-guard", new.message
            continue
        after = parse_text(new)
        moved = name.startswith("move ")
        kept, found = authored(text), authored(new)
        assert same(sorted(kept) if moved else kept, sorted(found) if moved else found)
        fresh = after.used - plan.used
        assert not fresh & ever
        assert plan.used <= after.used
        ever |= after.used
        assert {problem.code for problem in after.problems} <= {problem.code for problem in plan.problems}
        assert _ends(new) == _ends(text)
        text = new


def _ends(text: str) -> bool:
    return text.endswith("\n")


@requirement("PLN-2", "REL-4")
@settings(max_examples=80, deadline=None)
@given(plans(), st.data())
def test_a_box_closed_and_opened_again_leaves_the_text_as_it_was(text: str, data: st.DataObject) -> None:
    plan = parse_text(text)
    for step in plan.steps:
        flipped = steps.set_state(text, step.id, not step.checked).text
        assert steps.set_state(flipped, step.id, not step.checked).text == flipped
        assert steps.set_state(flipped, step.path, step.checked).text == text
        lines, changed = split_lines(text), split_lines(flipped)
        assert [number for number in range(len(lines)) if lines[number] != changed[number]] == [step.line]


@requirement("PLN-3", "REL-4")
@settings(max_examples=80, deadline=None)
@given(plans(), st.data())
def test_an_added_step_that_is_removed_leaves_only_its_identifier(text: str, data: st.DataObject) -> None:
    plan = parse_text(text)
    phase = None if plan.shape == "L1" else data.draw(st.sampled_from([item.id for item in plan.phases] or ["P01"]))
    try:
        added = steps.add_step(text, "new", "x", phase)
    except Refusal:
        return
    removed = steps.remove_step(added.text, added.id).text
    after = parse_text(removed)
    assert after.retired == plan.retired | {added.id}
    assert [step._replace(line=0) for step in after.steps] == [step._replace(line=0) for step in plan.steps]
    again = steps.add_step(removed, "new", "x", phase)
    assert int(again.id[1:]) == int(added.id[1:]) + 1


@requirement("PLN-3", "REL-4")
@settings(max_examples=80, deadline=None)
@given(plans())
def test_a_promoted_plan_that_is_demoted_holds_the_same_steps(text: str) -> None:
    plan = parse_text(text)
    if plan.shape == "L4" or not plan.steps:
        return
    words = tiers.Words("new", "Intent of it.")
    up = attempt(lambda: tiers.promote(text, phase=words, wave=words, epic="Intent of all."))
    if isinstance(up, Refusal):
        assert up.code == "plan-guard"
        return
    down = parse_text(tiers.demote(up))
    assert [step._replace(line=0) for step in down.steps] == [step._replace(line=0) for step in plan.steps]
    assert down.declared == plan.declared
