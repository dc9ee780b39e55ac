"""The last look before a plan is written: does the new text say what was meant, and nothing else?

It compares two parses and knows nothing of how the edit was made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from vaultspec_core.plan.model import Container, Plan, Step
from vaultspec_core.report import Refusal

Part = Step | Container

Placeless = tuple[bool, str, str, str, str | None, str | None] | tuple[int, str, str, str, str | None]
"""What a step or a container says, wherever it stands."""


def placeless(part: Part) -> Placeless:
    """The part without the lines it stands on."""
    return part[1:] if isinstance(part, Step) else part[2:]


class Expected:
    """What a plan shall hold: its steps, waves and phases without their lines, how often each, and the retired identifiers."""

    __slots__ = ("parts", "retired")

    def __init__(self, parts: Counter[Placeless], retired: Collection[str]) -> None:
        self.parts = parts
        self.retired = retired

    @classmethod
    def of(cls, plan: Plan) -> Expected:
        """What the plan holds now."""
        parts: list[Part] = [*plan.steps, *plan.phases, *plan.waves]
        return cls(Counter(map(placeless, parts)), plan.retired)


def guard(before: Plan, after: Plan, expected: Expected, touched: Collection[int]) -> None:
    """Raises Refusal `plan-guard` unless the plan after the edit holds exactly what is expected and every line of the plan before
    it that is not in `touched` is still there, in order and byte for byte."""
    actual = Expected.of(after)
    retired = set(actual.retired) ^ set(expected.retired)
    if retired:
        raise _refusal(f"it would change what is retired: {', '.join(sorted(retired))}")
    for part, number in actual.parts.items():
        if number > expected.parts[part]:
            raise _refusal(f"{part[1]} would read {_words(part)}")
    for part, number in expected.parts.items():
        if number > actual.parts[part]:
            raise _refusal(f"{part[1]} would not read {_words(part)}")
    if lost := sorted(set(before.strays) - set(after.strays)):
        raise _refusal(f"{lost[0]} would be lost (line {before.strays[lost[0]].line})")
    if gone := sorted(before.used - after.used):
        raise _refusal(f"{', '.join(gone)} would disappear without being retired")
    kept = [line for number, line in enumerate(before.structure.lines) if number not in touched]
    _find_all(kept, after.structure.lines)


def _words(part: Placeless) -> str:
    if len(part) == 6:
        checked, _, path, action, scope, phase = part
        place = f"in phase {phase}" if phase else "outside every phase"
        return f"`{path}` - {action}; {scope} ({'closed' if checked else 'open'}, {place})"
    _, _, path, title, wave = part
    return f"`{path}` - {title}" + (f" in wave {wave}" if wave else "")


def _find_all(kept: list[str], lines: list[str]) -> None:
    """The kept lines stand among the new ones in the same order; a last line may have got its missing line end."""
    following = iter(lines)
    for line in kept[:-1]:
        if line not in following:
            raise _lost(line)
    for line in kept[-1:]:
        if not any(line in (other, other.rstrip("\r\n")) for other in following):
            raise _lost(line)


def _lost(line: str) -> Refusal:
    return _refusal(f"it would change a line that it must not touch: {line.strip()[:80]}")


def _refusal(reason: str) -> Refusal:
    return Refusal("plan-guard", f"The edit is refused because {reason}")
