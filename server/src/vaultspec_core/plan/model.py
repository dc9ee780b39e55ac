"""What a plan consists of, and where in the document each part stands. Lines are counted from 0."""

from __future__ import annotations

from typing import NamedTuple

from vaultspec_core.vault.frontmatter import Problem
from vaultspec_core.vault.markdown import Heading, Structure

TIERS = ("L1", "L2", "L3", "L4")

DEFAULT_TIER = "L2"
"""The tier of a plan that names none."""


class Step(NamedTuple):
    """A step row. `path`: the display path as the row says it. `scope` None: the row names none. `phase`: identifier of the phase around it."""

    line: int
    checked: bool
    id: str
    path: str
    action: str
    scope: str | None
    phase: str | None


class Container(NamedTuple):
    """A wave or phase: lines `line` (the heading) to `end` (exclusive). `path`: as the heading says it. `wave`: the wave around a phase."""

    line: int
    end: int
    level: int
    id: str
    path: str
    title: str
    wave: str | None


class Plan(NamedTuple):
    """A parsed plan.

    `declared`: the tier as the frontmatter says it. `named`: the steps by identifier and by display path. `strays`: identifiers in
    rows and headings that do not parse, with the reason. `used`: every identifier that may not be given out again.
    """

    structure: Structure
    declared: str | None
    shape: str
    steps: tuple[Step, ...]
    phases: tuple[Container, ...]
    waves: tuple[Container, ...]
    epic: Heading | None
    named: dict[str, list[Step]]
    strays: dict[str, Problem]
    retired: frozenset[str]
    used: frozenset[str]
    problems: tuple[Problem, ...]

    @property
    def text(self) -> str:
        """The whole document."""
        return "".join(self.structure.lines)

    @property
    def tier(self) -> str:
        """L1 to L4; a plan that names no valid tier is read as L2."""
        return self.declared if self.declared in TIERS else DEFAULT_TIER

    @property
    def next_open(self) -> Step | None:
        """The first open step in the order of the document."""
        return next((step for step in self.steps if not step.checked), None)

    def path_in(self, phase: Container | None) -> str:
        """What stands before the identifier of a step in this phase: ``, `P01.` or `W01.P01.`."""
        if phase is None or self.shape == "L1":
            return ""
        return f"{phase.wave}.{phase.id}." if phase.wave and self.shape in ("L3", "L4") else f"{phase.id}."


class Summary(NamedTuple):
    """What the corpus keeps of a plan. `steps`: (identifier, display path, checked) in the order of the document."""

    tier: str
    declared: str | None
    total: int
    closed: int
    next_open: str | None
    steps: tuple[tuple[str, str, bool], ...]
    retired: frozenset[str]
    problems: tuple[Problem, ...]


def summarise(plan: Plan) -> Summary:
    """The compact form of a plan."""
    following = plan.next_open
    return Summary(
        plan.tier,
        plan.declared,
        len(plan.steps),
        sum(step.checked for step in plan.steps),
        following.path if following else None,
        tuple((step.id, step.path, step.checked) for step in plan.steps),
        plan.retired,
        plan.problems,
    )
