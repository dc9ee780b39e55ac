"""Promoting a plan to a deeper tier and demoting it to a flatter one. Headings come and go, rows get their new paths; nothing else changes.

    L1 -> L2  all steps go into one new phase       L2 -> L1  phase headings and intents go, their identifiers are retired
    L2 -> L3  all phases go into one new wave       L3 -> L2  the same with waves
    L3 -> L4  the epic intent is written            L4 -> L3  the epic intent goes

Raise Refusal: `no-place` (no such tier, several containers, a title or intent missing), `bad-text`, `plan-guard`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from vaultspec_core.plan import wording
from vaultspec_core.plan.containers import intent_lines, put_epic
from vaultspec_core.plan.draft import Draft
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.lookup import next_id
from vaultspec_core.plan.model import TIERS, Container, Plan
from vaultspec_core.plan.steps import with_path
from vaultspec_core.report import Refusal


class Words(NamedTuple):
    """Title and intent of a container that a promotion makes."""

    title: str
    intent: str


def promote(
    text: str, to: str | None = None, *, phase: Words | None = None, wave: Words | None = None, epic: str | None = None
) -> str:
    """Promote to tier `to`, one tier up if that is not given. What has to be made needs its words."""
    plan = parse_text(text)
    current = plan.shape
    target = _next(current, 1) if to is None else to
    if target not in TIERS or target <= current:
        raise Refusal("no-place", f"this plan is {current}; it cannot be promoted to {target}")
    while current < target:
        draft = Draft(text)
        current = _next(current, 1)
        match current:
            case "L2":
                _wrap_steps(draft, phase)
            case "L3":
                _wrap_phases(draft, wave)
            case _:
                if epic is None and draft.plan.epic is None:
                    raise Refusal("no-place", "an L4 plan needs an epic intent")
                if epic is not None:
                    put_epic(draft, epic)
        draft.set_tier(current)
        text = draft.finish().text
    return text


def demote(text: str, *, force: bool = False) -> str:
    """Demote by one tier. A plan with several containers to lose is refused unless `force` is set."""
    draft = Draft(text)
    plan = draft.plan
    target = _next(plan.shape, -1)
    match target:
        case "L3":
            if plan.epic is not None:
                _, last = intent_lines(plan, plan.epic.body)
                draft.lines.remove(plan.epic.line, last)
        case "L2":
            _dissolve(draft, plan.waves, "waves", force)
            for phase in plan.phases:
                new = phase._replace(wave=None, path=phase.id)
                draft.lines.replace(phase.line, draft.lines[phase.line].replace(f"`{phase.path}`", f"`{phase.id}`", 1))
                draft.put(new, phase)
                _repath(draft, plan._replace(shape=target), phase, new)
        case _:
            _dissolve(draft, plan.phases, "phases", force)
            for phase in plan.phases:
                _repath(draft, plan._replace(shape=target), phase, None)
    draft.set_tier(target)
    return draft.finish().text


def _next(tier: str, way: int) -> str:
    index = TIERS.index(tier) + way
    if not 0 <= index < len(TIERS):
        raise Refusal("no-place", f"there is no tier {'above' if way > 0 else 'below'} {tier}")
    return TIERS[index]


def _wrap_steps(draft: Draft, words: Words | None) -> None:
    plan = draft.plan
    if not plan.steps:
        return
    title, intent = _needed(words, "phase")
    identifier = next_id(plan, "P")
    phase = Container(0, 0, 3, identifier, identifier, title, None)
    draft.lines.insert_block(plan.steps[0].line, [wording.phase_heading(identifier, title), "", *intent])
    draft.put(phase)
    for step in plan.steps:
        path = f"{identifier}.{step.id}"
        draft.lines.replace(step.line, with_path(draft.lines[step.line], path))
        draft.put(step._replace(path=path, phase=identifier), step)


def _wrap_phases(draft: Draft, words: Words | None) -> None:
    plan = draft.plan
    if not plan.phases:
        return
    title, intent = _needed(words, "wave")
    identifier = next_id(plan, "W")
    draft.lines.insert_block(plan.phases[0].line, [wording.wave_heading(identifier, title), "", *intent])
    draft.put(Container(0, 0, 2, identifier, identifier, title, None))
    for phase in plan.phases:
        new = phase._replace(wave=identifier, path=f"{identifier}.{phase.id}")
        draft.lines.replace(phase.line, draft.lines[phase.line].replace(f"`{phase.path}`", f"`{new.path}`", 1))
        draft.put(new, phase)
        _repath(draft, plan._replace(shape="L3"), phase, new)


def _needed(words: Words | None, noun: str) -> tuple[str, list[str]]:
    if words is None:
        raise Refusal("no-place", f"the promotion makes a {noun}, which needs a title and an intent")
    return wording.title(words.title), wording.intent(words.intent)


def _dissolve(draft: Draft, items: Sequence[Container], noun: str, force: bool) -> None:
    """Take the headings and intents of containers out and retire them."""
    if len(items) > 1 and not force:
        listed = ", ".join(item.id for item in items)
        raise Refusal("no-place", f"the plan has several {noun} ({listed}); demoting retires them all and needs force")
    for item in items:
        _, last = intent_lines(draft.plan, item.line + 1)
        draft.lines.remove(item.line, max(last, item.line + 1))
        draft.drop(item)
    draft.retire([item.id for item in items])


def _repath(draft: Draft, plan: Plan, old: Container, new: Container | None) -> None:
    """Give the steps of a phase the path that they have in its new place."""
    for step in plan.steps:
        if old.line < step.line < old.end and step.phase == old.id:
            path = plan.path_in(new) + step.id
            draft.lines.replace(step.line, with_path(draft.lines[step.line], path))
            draft.put(step._replace(path=path, phase=new.id if new else None), step)
