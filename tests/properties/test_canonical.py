"""Laws of writing a plan out: a plan that says what it means stays, one that does not comes to say it, nothing else changes."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.test_plan import plans
from tests.requirements import requirement
from vaultspec_core.plan.canonical import canonical
from vaultspec_core.plan.findings import ERROR, findings
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.steps import with_path

PREFIXES = st.sampled_from(["", "P01.", "P77.", "W01.P01.", "W09a.P03b."])


@requirement("REL-4", "PLN-5")
@settings(max_examples=60)
@given(plans())
def test_a_plan_that_says_what_it_means_stays_byte_for_byte(text: str) -> None:
    assert canonical(text) == text


@requirement("REL-4", "PLN-5")
@settings(max_examples=60)
@given(plans(), st.data())
def test_wrong_paths_come_right_and_nothing_else_changes(text: str, data: st.DataObject) -> None:
    plan = parse_text(text)
    lines = list(plan.structure.lines)
    for step in plan.steps:
        lines[step.line] = with_path(lines[step.line], data.draw(PREFIXES) + step.id)
    for phase in plan.phases:
        wrong = data.draw(PREFIXES.filter(lambda prefix: "P" not in prefix)) + phase.id
        lines[phase.line] = lines[phase.line].replace(f"`{phase.path}`", f"`{wrong}`", 1)
    assert canonical("".join(lines)) == text


@requirement("REL-4", "D-17")
@settings(max_examples=60)
@given(plans())
def test_a_plan_without_a_tier_gets_the_one_it_has_the_parts_of_and_keeps_every_other_line(text: str) -> None:
    bare = re.sub(r"tier: L\d  # kept\r?\n", "", text, count=1)
    was = parse_text(bare)
    new = canonical(bare)
    plan = parse_text(new)
    assert (plan.declared, [(step.id, step.checked, step.action) for step in plan.steps]) == (
        was.shape,
        [(step.id, step.checked, step.action) for step in was.steps],
    )
    grave = [found.message for found in findings(was) if found.rule.severity == ERROR]
    assert [found.message for found in findings(plan) if found.rule.severity == ERROR] == grave
    assert canonical(new) == new
