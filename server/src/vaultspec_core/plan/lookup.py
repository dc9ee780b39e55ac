"""From what a caller names to the step, phase or wave it means; and which identifier comes next."""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.plan.model import Container, Plan, Step
from vaultspec_core.report import Refusal


def find_step(plan: Plan, reference: str) -> Step:
    """The one step with this identifier (`S01`) or display path (`P01.S01`, as its row says it).

    Raises Refusal `unknown-step`, `ambiguous-step`.
    """
    reference = reference.strip()
    found = plan.named.get(reference, [])
    if len(found) == 1:
        return found[0]
    if found:
        paths = [step.path for step in found]
        if len(set(paths)) == len(paths):
            advice = f"use a full display path to select one of: {', '.join(paths)}"
        else:
            advice = f"it stands on lines {', '.join(str(step.line + 1) for step in found)}; give each row its own identifier"
        raise Refusal("ambiguous-step", f"Step {reference} is ambiguous; {advice}")
    if not reference:
        raise Refusal("unknown-step", "A step needs an identifier or display path, such as S01; this one is empty")
    identifier = reference.rpartition(".")[2]
    if identifier in plan.strays:
        stray = plan.strays[identifier]
        raise Refusal("unknown-step", f"Step {reference} cannot be addressed: line {stray.line}: {stray.message}")
    if identifier in plan.retired:
        raise Refusal("unknown-step", f"Step {identifier} is retired")
    raise Refusal("unknown-step", f"Step {reference} does not exist in this plan")


def find_phase(plan: Plan, reference: str) -> Container:
    """The one phase with this identifier (`P01`) or display path (`W01.P01`). Raises Refusal `unknown-phase`, `ambiguous-phase`."""
    return _container(plan, "phase", reference, plan.phases)


def find_wave(plan: Plan, reference: str) -> Container:
    """The one wave with this identifier. Raises Refusal `unknown-wave`, `ambiguous-wave`."""
    return _container(plan, "wave", reference, plan.waves)


def _container(plan: Plan, noun: str, reference: str, among: Iterable[Container]) -> Container:
    reference = reference.strip()
    found = [item for item in among if reference in (item.id, item.path)]
    if len(found) == 1:
        return found[0]
    if found:
        lines = ", ".join(str(item.line + 1) for item in found)
        raise Refusal(f"ambiguous-{noun}", f"{noun.capitalize()} {reference} stands on lines {lines}")
    if reference.rpartition(".")[2] in plan.retired:
        raise Refusal(f"unknown-{noun}", f"{noun.capitalize()} {reference} is retired")
    known = ", ".join(item.id for item in among)
    has = f"it has {known}" if known else f"it has no {noun} yet"
    raise Refusal(f"unknown-{noun}", f"{noun.capitalize()} {reference} does not exist in this plan; {has}")


def next_id(plan: Plan, letter: str) -> str:
    """The next free identifier of a kind: above every one that is, or ever was, in use."""
    numbers = [int(known[1:].rstrip("abcdefghijklmnopqrstuvwxyz")) for known in plan.used if known[0] == letter]
    return f"{letter}{max(numbers, default=0) + 1:02d}"


def suffixed_id(plan: Plan, sibling: str) -> str:
    """A free identifier between `sibling` and what follows it: the sibling's number with the first free letter.

    Raises Refusal `no-free-id` when a to z are used up.
    """
    stem = sibling.rstrip("abcdefghijklmnopqrstuvwxyz")
    for letter in "abcdefghijklmnopqrstuvwxyz":
        if stem + letter not in plan.used:
            return stem + letter
    raise Refusal("no-free-id", f"every letter after {stem} is used up; add at the end instead")
