"""Edits of step rows. Each takes a plan and gives it as edited; only the lines of the steps named change.

All raise Refusal with the reason and the line: `unknown-step`, `ambiguous-step`, `unknown-phase`, `bad-text`, `no-place`, `plan-guard`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from vaultspec_core.plan import wording
from vaultspec_core.plan.draft import Draft, Source
from vaultspec_core.plan.grammar import ROW
from vaultspec_core.plan.lookup import find_phase, find_step, next_id
from vaultspec_core.plan.model import Container, Plan, Step
from vaultspec_core.report import Refusal
from vaultspec_core.vault.lines import line_end


class Edited(NamedTuple):
    """A plan after an edit, and the identifier of the step, phase or wave that the edit was about."""

    plan: Plan
    id: str

    @property
    def text(self) -> str:
        """The whole document."""
        return self.plan.text


def set_box(line: str, checked: bool) -> str:
    """A row with its box closed or open."""
    match = _match(line)
    return match[1] + ("x" if checked else " ") + line[match.end(2) :]


def with_path(line: str, path: str) -> str:
    """A row with another display path."""
    match = _match(line)
    return line[: match.start(4)] + path + line[match.end(4) :]


def set_state(source: Source, reference: str, checked: bool) -> Edited:
    """Close or open one step."""
    draft = Draft(source)
    step = find_step(draft.plan, reference)
    if step.checked != checked:
        draft.lines.replace(step.line, set_box(draft.lines[step.line], checked))
        draft.put(step._replace(checked=checked), step)
    return Edited(draft.finish(), step.id)


def add_step(source: Source, action: str, scope: str, phase: str | None = None) -> Edited:
    """Add an open step after the last one of its phase; in an L1 plan, of the plan."""
    draft = Draft(source)
    plan = draft.plan
    home = _home(plan, phase)
    place(draft, _new_step(plan, home, action, scope), home)
    return Edited(draft.finish(), next_id(plan, "S"))


def insert_step(
    source: Source, action: str, scope: str, *, before: str | None = None, after: str | None = None
) -> Edited:
    """Insert an open step next to another. It gets a new identifier; nothing is renumbered."""
    draft = Draft(source)
    anchor, at = _anchor(draft, before, after)
    step = _new_step(draft.plan, _phase_of(draft.plan, anchor), action, scope)
    draft.lines.insert(at, [_row(step)])
    draft.put(step)
    return Edited(draft.finish(), step.id)


def edit_step(source: Source, reference: str, action: str | None = None, scope: str | None = None) -> Edited:
    """Give a step another action, scope or both; what is not named stays as it is written."""
    draft = Draft(source)
    step = find_step(draft.plan, reference)
    new = step._replace(
        action=step.action if action is None else wording.action(action),
        scope=step.scope if scope is None else wording.scope(scope),
    )
    if new != step:
        match = _match(draft.lines[step.line])
        draft.lines.replace(step.line, draft.lines[step.line][: match.end(6)] + _rest(match[7], step, new))
        draft.put(new, step)
    return Edited(draft.finish(), step.id)


def move_step(
    source: Source, reference: str, *, phase: str | None = None, before: str | None = None, after: str | None = None
) -> Edited:
    """Move a row, with all that belongs to it, to the end of a phase or next to another step. Its identifier stays."""
    draft = Draft(source)
    plan = draft.plan
    step = find_step(plan, reference)
    start, end = step.line, draft.item_end(step)
    if before is None and after is None:
        home: Container | None = find_phase(plan, _required(phase, "the phase or step to move to"))
        at = None
    else:
        anchor, at = _anchor(draft, before, after)
        home = _phase_of(plan, anchor)
        if phase is not None and (home is None or find_phase(plan, phase).id != home.id):
            raise Refusal("no-place", f"Step {anchor.id} does not stand in phase {phase}")
        if start <= at <= end:
            return Edited(plan, step.id)
    new = step._replace(path=plan.path_in(home) + step.id, phase=home.id if home else None)
    moved = [with_path(draft.lines[start], new.path), *draft.plan.structure.lines[start + 1 : end]]
    draft.lines.remove(start, end)
    draft.drop(step)
    place(draft, new, home, moved, at, leaving=step)
    return Edited(draft.finish(), step.id)


def remove_step(source: Source, reference: str) -> Edited:
    """Take a row out, with all that belongs to it, and retire its identifier."""
    draft = Draft(source)
    step = find_step(draft.plan, reference)
    draft.lines.remove(step.line, draft.item_end(step))
    draft.drop(step)
    draft.retire([step.id])
    return Edited(draft.finish(), step.id)


def set_states(source: Source, changes: Iterable[tuple[Step, bool]]) -> Plan:
    """Set the boxes of steps of this very plan, in one pass; the last change of a step counts."""
    draft = Draft(source)
    for step, checked in dict(changes).items():
        if step.checked != checked:
            draft.lines.replace(step.line, set_box(draft.lines[step.line], checked))
            draft.put(step._replace(checked=checked), step)
    return draft.finish()


def place(
    draft: Draft,
    step: Step,
    home: Container | None,
    lines: list[str] | None = None,
    at: int | None = None,
    leaving: Step | None = None,
) -> None:
    """Put a step (its row, or the lines given) at line `at`, else after the last step of its home other than `leaving`."""
    texts = lines or [_row(step)]
    if at is None:
        kin = [other for other in draft.plan.steps if other is not leaving and (home is None or _inside(other, home))]
        if kin:
            at = draft.item_end(kin[-1])
        else:
            at = -1
    if at >= 0:
        draft.lines.insert(at, texts)
    else:
        draft.lines.insert_block(*_first_place(draft, home, texts))
    draft.put(step)


def _first_place(draft: Draft, home: Container | None, texts: list[str]) -> tuple[int, list[str]]:
    """Where the first row of a phase, or of the plan, goes; without a `## Steps` section one is made."""
    headings = draft.plan.structure.headings
    if home is not None:
        inner = next((heading.line for heading in headings if home.line < heading.line < home.end), home.end)
        return draft.lines.content_end(home.line + 1, inner), texts
    for heading in headings:
        if heading.level == 2 and heading.text == "Steps":
            section = draft.plan.structure.section(heading)
            inner = next((other.line for other in headings if other.line in section), section.stop)
            return draft.lines.content_end(heading.body, inner), texts
    return steps_section(draft), ["## Steps", "", *texts]


def steps_section(draft: Draft) -> int:
    """Where a plan without a `## Steps` section gets one: before the sections that follow it by custom, else at the end."""
    for heading in draft.plan.structure.headings:
        if heading.level == 2 and heading.text in ("Parallelization", "Verification"):
            return heading.line
    return draft.lines.content_end(draft.plan.structure.start, len(draft.lines))


def _home(plan: Plan, phase: str | None) -> Container | None:
    """The phase that a new step goes to; None in an L1 plan."""
    if plan.shape == "L1":
        if phase is not None:
            raise Refusal("no-place", "L1 plans have no phases; leave out the phase")
        if plan.phases:
            raise Refusal("no-place", f"line {plan.phases[0].line + 1}: the plan is L1, but here is a phase")
        return None
    if phase is None:
        known = f": one of {', '.join(item.id for item in plan.phases)}" if plan.phases else ""
        raise Refusal("no-place", f"{plan.shape} plans need the phase that the step goes to{known}")
    return find_phase(plan, phase)


def _phase_of(plan: Plan, anchor: Step) -> Container | None:
    """The phase around a step."""
    if anchor.phase is not None:
        return next(phase for phase in plan.phases if _inside(anchor, phase))
    if plan.shape != "L1":
        raise Refusal(
            "no-place", f"line {anchor.line + 1}: step {anchor.id} stands in no phase of this {plan.shape} plan"
        )
    return None


def _inside(step: Step, phase: Container) -> bool:
    return phase.line < step.line < phase.end and step.phase == phase.id


def _anchor(draft: Draft, before: str | None, after: str | None) -> tuple[Step, int]:
    """The step to stand next to, and the line to insert at."""
    if before is not None and after is not None:
        raise Refusal("no-place", "name one step, before or after, not both")
    step = find_step(
        draft.plan, _required(before if before is not None else after, "the step before or after which to stand")
    )
    return step, step.line if before is not None else draft.item_end(step)


def _new_step(plan: Plan, home: Container | None, action: str, scope: str) -> Step:
    identifier = next_id(plan, "S")
    path = plan.path_in(home) + identifier
    return Step(0, False, identifier, path, wording.action(action), wording.scope(scope), home.id if home else None)


def _row(step: Step) -> str:
    return wording.row(step.path, step.checked, step.action, step.scope or "")


def _rest(old: str, step: Step, new: Step) -> str:
    """The row from its action on, with what changed put in the place of what was there."""
    rest = _body(old)
    if not step.scope or not step.action:
        return f"{new.action}; `{new.scope}`." if new.scope is not None else new.action
    if new.action != step.action:
        rest = new.action + rest[rest.index(step.action) + len(step.action) :]
    if new.scope != step.scope:
        at = rest.rindex(step.scope)
        quote = "" if rest[at - 1] == "`" else "`"
        rest = f"{rest[:at]}{quote}{new.scope}{quote}{rest[at + len(step.scope) :]}"
    return rest


def _match(line: str) -> re.Match[str]:
    match = ROW.match(line)
    assert match is not None
    return match


def _body(line: str) -> str:
    return line[: len(line) - len(line_end(line))]


def _required(value: str | None, what: str) -> str:
    if value is None:
        raise Refusal("no-place", f"name {what}")
    return value
