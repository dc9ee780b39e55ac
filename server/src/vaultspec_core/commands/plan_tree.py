"""A plan as a person reads it: its waves, phases and steps with their states, and what comes next."""

from __future__ import annotations

from vaultspec_core.plan.model import Container, Plan, Step
from vaultspec_core.plan.progress import completion
from vaultspec_core.report import Block, Line, counted

Act = tuple[str, str]


def headline(plan: Plan) -> str:
    """`L2, 3 of 5 steps closed (60.0 %), next: P01.S04`."""
    if not plan.steps:
        return f"{plan.tier}, no steps yet"
    closed = sum(step.checked for step in plan.steps)
    following = f"next: {plan.next_open.path}" if plan.next_open else "nothing is open"
    return f"{plan.tier}, {closed} of {counted(len(plan.steps), 'step')} closed ({completion(plan)} %), {following}"


def tree(plan: Plan) -> list[Block]:
    """Every part in the order of the document, indented by what it stands in."""
    parts: list[Step | Container] = sorted((*plan.waves, *plan.phases, *plan.steps), key=lambda part: part.line)
    return [_line(plan, part) for part in parts]


def row(step: Step) -> str:
    """A step in a line."""
    scope = f"; {step.scope}" if step.scope else ""
    return f"[{'x' if step.checked else ' '}] {step.path}  {step.action}{scope}"


def inside(plan: Plan, part: Container) -> list[Step]:
    """The steps of a wave or phase."""
    return [step for step in plan.steps if part.line < step.line < part.end]


def done(plan: Plan, part: Container) -> bool:
    """Whether a wave or phase has steps and all of them are closed."""
    steps = inside(plan, part)
    return bool(steps) and all(step.checked for step in steps)


def next_act(plan: Plan, stem: str) -> Act | None:
    """What the plan needs first: its empty parts in the order in which they are filled, then its next open step."""
    verb = f"vaultspec-core vault plan {{}} {stem}"
    deep = plan.shape in ("L3", "L4")
    if plan.shape == "L4" and plan.epic is None:
        return "Say what the epic is for:", f'{verb.format("epic intent edit")} --text "..."'
    if deep and not plan.waves:
        return "Add a wave:", f'{verb.format("wave add")} --title "..."'
    if plan.shape != "L1" and not plan.phases:
        wave = f" --wave {plan.waves[-1].id}" if deep else ""
        return "Add a phase:", f'{verb.format("phase add")} --title "..."{wave}'
    if not plan.steps:
        phase = f" --phase {plan.phases[-1].id}" if plan.phases else ""
        return "Add a step:", f'{verb.format("step add")} --action "..." --scope PATH{phase}'
    if plan.next_open is not None:
        return "When it is done:", f"{verb.format('step check')} {plan.next_open.path}"
    return None


def _line(plan: Plan, part: Step | Container) -> Line:
    if isinstance(part, Step):
        following = part == plan.next_open
        depth = sum(other.line < part.line < other.end for other in (*plan.waves, *plan.phases))
        return Line(f"{'  ' * depth}{row(part)}{'  <- next' if following else ''}", "dim" if part.checked else "plain")
    steps = inside(plan, part)
    count = f"{sum(step.checked for step in steps)}/{len(steps)}" if steps else "no steps yet"
    depth = sum(wave.line < part.line < wave.end for wave in plan.waves)
    return Line(f"{'  ' * depth}{part.id}  {part.title}  ({count})", "title")
