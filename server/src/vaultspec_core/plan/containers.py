"""Edits of phases, waves and the epic intent. Each takes a plan and gives it as edited; only what is named changes.

Identifiers are never used twice: a new one at the end gets the next number, one in between the number of its elder sibling with a
letter. Raise Refusal with the reason: `unknown-phase`, `unknown-wave`, `bad-text`, `no-place`, `no-free-id`, `plan-guard`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from vaultspec_core.plan import wording
from vaultspec_core.plan.draft import Draft, Source
from vaultspec_core.plan.lookup import find_phase, find_wave, next_id, suffixed_id
from vaultspec_core.plan.model import Container, Plan, Step
from vaultspec_core.plan.steps import Edited, steps_section, with_path
from vaultspec_core.report import Refusal
from vaultspec_core.vault.markdown import TEXT


class Place(NamedTuple):
    """Where a section goes: at a line, inside a wave (phases only). `elder`: the sibling before it."""

    at: int
    wave: Container | None
    elder: Container | None


def add_phase(source: Source, title: str, intent: str | None = None, wave: str | None = None) -> Edited:
    """Add a phase after the last one of its wave; in an L2 plan, of the plan."""
    draft = Draft(source)
    plan = draft.plan
    home = _wave_for(plan, wave)
    kin = [phase for phase in plan.phases if home is None or phase.wave == home.id]
    return _put_new(draft, "P", next_id(plan, "P"), title, intent, Place(_end_of(draft, home, kin), home, None))


def insert_phase(
    source: Source, title: str, intent: str | None = None, *, before: str | None = None, after: str | None = None
) -> Edited:
    """Insert a phase next to another."""
    draft = Draft(source)
    plan = draft.plan
    anchor = find_phase(plan, _one(before, after))
    spot = _beside(plan.phases, anchor, before is not None)
    place = Place(spot.at, _wave_of(plan, anchor), spot.elder)
    return _put_new(draft, "P", suffixed_id(plan, (spot.elder or anchor).id), title, intent, place)


def add_wave(source: Source, title: str, intent: str | None = None) -> Edited:
    """Add a wave after the last one."""
    draft = Draft(source)
    _needs_waves(draft.plan)
    at = _end_of(draft, None, draft.plan.waves)
    return _put_new(draft, "W", next_id(draft.plan, "W"), title, intent, Place(at, None, None))


def insert_wave(
    source: Source, title: str, intent: str | None = None, *, before: str | None = None, after: str | None = None
) -> Edited:
    """Insert a wave next to another."""
    draft = Draft(source)
    anchor = find_wave(draft.plan, _one(before, after))
    place = _beside(draft.plan.waves, anchor, before is not None)
    return _put_new(draft, "W", suffixed_id(draft.plan, (place.elder or anchor).id), title, intent, place)


def edit_phase(source: Source, reference: str, title: str | None = None, intent: str | None = None) -> Edited:
    """Give a phase another title, intent or both."""
    draft = Draft(source)
    return _edit(draft, find_phase(draft.plan, reference), title, intent)


def edit_wave(source: Source, reference: str, title: str | None = None, intent: str | None = None) -> Edited:
    """Give a wave another title, intent or both."""
    draft = Draft(source)
    return _edit(draft, find_wave(draft.plan, reference), title, intent)


def move_phase(
    source: Source, reference: str, *, wave: str | None = None, before: str | None = None, after: str | None = None
) -> Edited:
    """Move a phase with its steps to the end of a wave or next to another phase. Identifiers stay, paths follow."""
    draft = Draft(source)
    plan = draft.plan
    phase = find_phase(plan, reference)
    if before is None and after is None:
        home: Container | None = find_wave(plan, _named(wave, "the wave or phase to move to"))
        kin = [other for other in plan.phases if home and other.wave == home.id and other is not phase]
        at = _end_of(draft, home, kin)
    else:
        anchor = find_phase(plan, _one(before, after))
        home = _wave_of(plan, anchor)
        at = _beside(plan.phases, anchor, before is not None).at
    if phase.line <= at <= phase.end:
        return Edited(draft.plan, phase.id)
    new = phase._replace(wave=home.id if home else None)
    new = new._replace(path=plan.path_in(new)[:-1])
    draft.put(new, phase)
    _move(draft, phase, at, _renamed(draft, phase, new))
    return Edited(draft.finish(), phase.id)


def move_wave(source: Source, reference: str, *, before: str | None = None, after: str | None = None) -> Edited:
    """Move a wave with all it holds next to another one."""
    draft = Draft(source)
    wave = find_wave(draft.plan, reference)
    at = _beside(draft.plan.waves, find_wave(draft.plan, _one(before, after)), before is not None).at
    if wave.line <= at <= wave.end:
        return Edited(draft.plan, wave.id)
    _move(draft, wave, at, {})
    return Edited(draft.finish(), wave.id)


def remove_phase(source: Source, reference: str) -> Edited:
    """Take a phase out with its steps and retire their identifiers."""
    draft = Draft(source)
    return _remove(draft, find_phase(draft.plan, reference))


def remove_wave(source: Source, reference: str) -> Edited:
    """Take a wave out with its phases and steps and retire their identifiers."""
    draft = Draft(source)
    return _remove(draft, find_wave(draft.plan, reference))


def renumber_phase(source: Source, reference: str, to: str) -> Edited:
    """Give a phase another identifier that was never used; the old one is retired."""
    draft = Draft(source)
    plan = draft.plan
    phase = find_phase(plan, reference)
    if re.fullmatch(r"P[0-9]{2,9}[a-z]?", to) is None:
        raise Refusal("bad-text", f"{to} is no phase identifier (P01)")
    if to in plan.used:
        raise Refusal("bad-text", f"{to} is in use or retired; identifiers are never used twice")
    new = phase._replace(id=to)
    new = new._replace(path=plan.path_in(new)[:-1])
    draft.put(new, phase)
    for line, changed in _renamed(draft, phase, new).items():
        draft.lines.replace(line, changed)
    draft.retire([phase.id])
    return Edited(draft.finish(), to)


def epic_intent(plan: Plan) -> str | None:
    """The intent of the epic; None when the plan has no such section."""
    if plan.epic is None:
        return None
    first, last = intent_lines(plan, plan.epic.body)
    return "".join(plan.structure.lines[first:last]).strip()


def set_epic_intent(source: Source, intent: str) -> Edited:
    """Set the intent of the epic of an L4 plan; the section is made before the first wave when there is none."""
    draft = Draft(source)
    plan = draft.plan
    if plan.shape != "L4":
        raise Refusal("no-place", f"only L4 plans have an epic intent; this plan is {plan.shape}")
    put_epic(draft, intent)
    return Edited(draft.finish(), "epic")


def put_epic(draft: Draft, intent: str) -> None:
    """Write the epic intent into the section that is there, or into a new one."""
    plan, words = draft.plan, wording.intent(intent)
    if plan.epic is not None:
        _set_intent(draft, plan.epic.body, words)
        return
    texts = ["## Epic intent", "", *words]
    if plan.waves:
        draft.lines.insert_block(plan.waves[0].line, texts)
    else:
        at, lead = _steps_end(draft)
        draft.lines.insert_block(at, [*lead, *texts])


def intent_lines(plan: Plan, body: int) -> tuple[int, int]:
    """The lines of an intent: the paragraphs from `body` on, before anything else; an empty range where they would stand."""
    lines, kinds = plan.structure.lines, plan.structure.kinds
    stops = {heading.line for heading in plan.structure.headings} | {step.line for step in plan.steps}
    first = body
    while first < len(lines) and not lines[first].strip():
        first += 1
    last = number = first
    while (
        number < len(lines)
        and number not in stops
        and kinds[number] == TEXT
        and not lines[number].startswith(("- ", "* ", "+ ", ">"))
    ):
        number += 1
        if lines[number - 1].strip():
            last = number
    return (first, last) if last > first else (body, body)


def _put_new(draft: Draft, letter: str, identifier: str, title: str, intent: str | None, place: Place) -> Edited:
    title = wording.title(title)
    new = Container(
        0, 0, 2 if letter == "W" else 3, identifier, identifier, title, place.wave.id if place.wave else None
    )
    if letter == "P":
        new = new._replace(path=draft.plan.path_in(new)[:-1])
    heading = wording.wave_heading(new.path, title) if letter == "W" else wording.phase_heading(new.path, title)
    texts = [heading, *(["", *wording.intent(intent)] if intent is not None else [])]
    if place.at >= 0:
        draft.lines.insert_block(place.at, texts)
    else:
        at, lead = _steps_end(draft)
        draft.lines.insert_block(at, [*lead, *texts])
    draft.put(new)
    return Edited(draft.finish(), identifier)


def _edit(draft: Draft, item: Container, title: str | None, intent: str | None) -> Edited:
    if title is not None and (title := wording.title(title)) != item.title:
        line = draft.lines[item.line]
        head = line[: line.index("`", line.index("`") + 1) + 1]
        draft.lines.replace(item.line, f"{head} - {title}")
        draft.put(item._replace(title=title), item)
    if intent is not None:
        _set_intent(draft, item.line + 1, wording.intent(intent))
    return Edited(draft.finish(), item.id)


def _set_intent(draft: Draft, body: int, words: Sequence[str]) -> None:
    first, last = intent_lines(draft.plan, body)
    if first == last:
        draft.lines.insert_block(body, words)
    elif [line.rstrip("\r\n") for line in draft.plan.structure.lines[first:last]] != list(words):
        draft.lines.rewrite(first, last, words)


def _remove(draft: Draft, item: Container) -> Edited:
    plan = draft.plan
    draft.lines.remove(item.line, item.end)
    gone: list[Step | Container] = [step for step in plan.steps if item.line < step.line < item.end]
    gone += [other for other in (*plan.phases, *plan.waves) if item.line <= other.line < item.end]
    for other in gone:
        draft.drop(other)
    draft.retire([other.id for other in gone])
    return Edited(draft.finish(), item.id)


def _move(draft: Draft, item: Container, at: int, changed: dict[int, str]) -> None:
    end = draft.lines.content_end(item.line, item.end)
    lines = [changed.get(number, draft.lines[number]) for number in range(item.line, end)]
    draft.lines.remove(item.line, item.end)
    draft.lines.insert_block(at, lines)


def _renamed(draft: Draft, old: Container, new: Container) -> dict[int, str]:
    """The heading and the rows of a phase under its new path, by line; the draft expects the steps so."""
    line = draft.lines[old.line]
    changed = {old.line: line.replace(f"`{old.path}`", f"`{new.path}`", 1)}
    for step in draft.plan.steps:
        if old.line < step.line < old.end:
            path = draft.plan.path_in(new) + step.id
            changed[step.line] = with_path(draft.lines[step.line], path)
            draft.put(step._replace(path=path, phase=new.id), step)
    return changed


def _beside(among: Sequence[Container], anchor: Container, before: bool) -> Place:
    """The place before or after a sibling."""
    if not before:
        return Place(anchor.end, None, anchor)
    index = among.index(anchor)
    elder = among[index - 1] if index and among[index - 1].wave == anchor.wave else None
    return Place(anchor.line, None, elder)


def _end_of(draft: Draft, home: Container | None, kin: Sequence[Container]) -> int:
    """The line after the last sibling, or after the content of the wave; -1 when there is neither."""
    if kin:
        return draft.lines.content_end(kin[-1].line, kin[-1].end)
    return draft.lines.content_end(home.line, home.end) if home is not None else -1


def _steps_end(draft: Draft) -> tuple[int, list[str]]:
    """Where the first container of a plan goes, and the heading that has to be made for it."""
    for heading in draft.plan.structure.headings:
        if (
            heading.level == 2
            and heading.text in ("Epic intent", "Steps")
            and (heading is draft.plan.epic or draft.plan.epic is None)
        ):
            section = draft.plan.structure.section(heading)
            return draft.lines.content_end(heading.line, section.stop), []
    return steps_section(draft), ["## Steps", ""]


def _wave_for(plan: Plan, wave: str | None) -> Container | None:
    if plan.shape == "L1":
        raise Refusal("no-place", "L1 plans have no phases; promote the plan first")
    if plan.shape == "L2":
        if wave is not None:
            raise Refusal("no-place", "L2 plans have no waves; leave out the wave")
        return None
    return find_wave(
        plan,
        _named(
            wave,
            f"the wave that the phase goes to ({', '.join(item.id for item in plan.waves) or 'there is none yet'})",
        ),
    )


def _wave_of(plan: Plan, phase: Container) -> Container | None:
    return next((wave for wave in plan.waves if wave.line < phase.line < wave.end), None)


def _needs_waves(plan: Plan) -> None:
    if plan.shape in ("L1", "L2"):
        raise Refusal("no-place", f"{plan.shape} plans have no waves; promote the plan first")


def _one(before: str | None, after: str | None) -> str:
    if before is not None and after is not None:
        raise Refusal("no-place", "name one sibling, before or after, not both")
    return _named(before if before is not None else after, "the sibling before or after which to stand")


def _named(value: str | None, what: str) -> str:
    if value is None:
        raise Refusal("no-place", f"name {what}")
    return value
