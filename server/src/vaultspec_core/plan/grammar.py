"""A plan as data: steps, phases, waves and epic with the lines they stand on. Whatever does not parse is a Problem, never an exception.

    L1  steps              - [ ] `S01` - action; `scope`.
    L2  phases > steps     ### Phase `P01` - title            - [ ] `P01.S01` - ...
    L3  waves > phases     ## Wave `W01` - title              ### Phase `W01.P01` - title
    L4  `## Epic intent`, then as L3

A row counts wherever it stands at column 0 outside code and comments. Identifiers are flat per document and never used twice;
`<!-- RETIRED: P03, S04 -->` keeps those that are gone. The path of a row or heading is what it says, right or not.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultspec_core.vault.frontmatter import Problem, split
from vaultspec_core.vault.markdown import COMMENT, TEXT, Heading, Structure, scan, split_lines

DEFAULT_TIER = "L2"
"""The tier of a plan that names none."""

_ID = r"[0-9]{2,}"
_ROW = re.compile(rf"- +\[([ x])\] +`((?:W{_ID}[a-z]?\.)?(?:P{_ID}[a-z]?\.)?(S{_ID}))` *- *(.*)", re.DOTALL)
_ROW_LIKE = re.compile(
    r"[-*+][ \t]*\[([^\]\r\n]{0,3})\][ \t]*(`?)(?:W[0-9]+[a-z]?\.)?(?:P[0-9]+[a-z]?\.)?(S([0-9]+)([a-z]?))(?![0-9A-Za-z])(`?)"
)
_CONTAINER = re.compile(rf"(Wave|Phase) +`((?:W{_ID}[a-z]?\.)?([WP]{_ID}[a-z]?))` *- *(.*)", re.DOTALL)
_CONTAINER_LIKE = re.compile(
    r"(?:Wave|Phase|Epic|Step)\b[ \t]*`?(?:W[0-9]+[a-z]?\.)?([WPS][0-9]+[a-z]?)\b", re.IGNORECASE
)
_RETIRED = re.compile(r"<!--\s*+RETIRED:([^<>]*+)(?<=--)>")
_IDENTIFIER = re.compile(rf"(?<![0-9A-Za-z])[WP]{_ID}[a-z]?(?![0-9A-Za-z])|(?<![0-9A-Za-z])S{_ID}(?![0-9A-Za-z])")


class Step(NamedTuple):
    """A step row. `path`: the display path as the row says it. `scope` None: the row names none. `phase`: the phase around it."""

    line: int
    checked: bool
    id: str
    path: str
    action: str
    scope: str | None
    phase: str | None


class Container(NamedTuple):
    """A wave or phase. Its lines are `line` (the heading) to `end` (exclusive). `wave`: the wave around a phase."""

    line: int
    end: int
    level: int
    id: str
    path: str
    title: str
    wave: str | None


class Plan(NamedTuple):
    """A parsed plan. `declared`: the tier as the frontmatter says it. `used`: every identifier that may not be given out again."""

    structure: Structure
    declared: str | None
    steps: tuple[Step, ...]
    phases: tuple[Container, ...]
    waves: tuple[Container, ...]
    epic: Heading | None
    retired: frozenset[str]
    used: frozenset[str]
    problems: tuple[Problem, ...]

    @property
    def tier(self) -> str:
        """L1 to L4; a plan that names no valid tier is read as L2."""
        return self.declared if self.declared in TIERS else DEFAULT_TIER

    @property
    def next_open(self) -> Step | None:
        """The first open step in the order of the document."""
        return next((step for step in self.steps if not step.checked), None)


TIERS = ("L1", "L2", "L3", "L4")


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


def parse_text(text: str) -> Plan:
    """Read a whole document."""
    front = split(text)
    return parse(scan(text, len(split_lines(text[: front.body_start]))), front.text("tier"))


def parse(structure: Structure, tier: str | None) -> Plan:
    """Read a scanned body. `tier`: what the frontmatter says, None when it says nothing."""
    problems: list[Problem] = []
    if tier is None:
        problems.append(Problem("plan-no-tier", f"the plan names no tier and is read as {DEFAULT_TIER}"))
    elif tier not in TIERS:
        problems.append(
            Problem(
                "plan-unknown-tier", f"the tier {tier} is none of L1, L2, L3, L4; the plan is read as {DEFAULT_TIER}"
            )
        )
    phases, waves, epic, malformed = _containers(structure, problems)
    steps, strays = _steps(structure, phases, problems)
    retired = _retired(structure)
    places = [(item.line, item.id) for items in (steps, phases, waves) for item in items]
    live = {identifier for _, identifier in places}
    problems += _doubles(places, live, retired)
    problems.sort(key=lambda problem: problem.line or 0)
    return Plan(
        structure, tier, tuple(steps), tuple(phases), tuple(waves), epic,
        retired, frozenset((*live, *malformed, *strays)) | retired, tuple(problems),
    )  # fmt: skip


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


def _containers(
    structure: Structure, problems: list[Problem]
) -> tuple[list[Container], list[Container], Heading | None, list[str]]:
    phases: list[Container] = []
    waves: list[Container] = []
    epic: Heading | None = None
    malformed: list[str] = []
    wave: str | None = None
    ends = _ends(structure)
    for heading, end in zip(structure.headings, ends, strict=True):
        match = _CONTAINER.match(heading.text)
        if match is None or (match[1][0] != match[3][0]):
            if heading.level <= 2:
                wave = None
            if heading.level == 2 and heading.text == "Epic intent":
                epic = epic or heading
            elif like := _CONTAINER_LIKE.match(heading.text):
                malformed.append(like[1])
                problems.append(
                    Problem(
                        "plan-heading",
                        f"the heading is no `Wave` or `Phase` heading: {_shown(heading.text)}",
                        heading.line + 1,
                    )
                )
            continue
        noun, path, identifier, title = match.groups()
        due = 2 if noun == "Wave" else 3
        if heading.level != due:
            problems.append(
                Problem(
                    "plan-heading-level",
                    f"{noun} {identifier} stands at heading level {heading.level}, not {due}",
                    heading.line + 1,
                )
            )
        if noun == "Wave":
            wave = identifier
            waves.append(Container(heading.line, end, heading.level, identifier, path, title.strip(), None))
        else:
            phases.append(Container(heading.line, end, heading.level, identifier, path, title.strip(), wave))
    return phases, waves, epic, malformed


def _ends(structure: Structure) -> list[int]:
    """Where the section of each heading ends, in one pass from the back."""
    ends: list[int] = []
    bounds = [len(structure.lines)] * 7
    for heading in reversed(structure.headings):
        ends.append(min(bounds[1 : heading.level + 1]))
        bounds[heading.level] = heading.line
    return ends[::-1]


def _steps(structure: Structure, phases: list[Container], problems: list[Problem]) -> tuple[list[Step], list[str]]:
    """Every row, and the identifiers of the lines that were meant as rows but are none."""
    steps: list[Step] = []
    strays: list[str] = []
    kinds = structure.kinds
    row = _ROW.match
    following = 0
    phase: Container | None = None
    for number, line in enumerate(structure.lines):
        if following < len(phases) and number >= phases[following].line:
            phase = phases[following]
            following += 1
        if line[0] not in "-*+ \t" or kinds[number] != TEXT:
            continue
        match = row(line)
        if match is None:
            if like := _ROW_LIKE.match(line.lstrip(" \t")):
                strays.append(like[3])
                problems.append(
                    Problem("plan-row", f"the line looks like a step row but {_fault(line, like)}", number + 1)
                )
            continue
        box, path, identifier, rest = match.groups()
        action, scope = _clauses(rest)
        inside = phase.id if phase is not None and number < phase.end else None
        steps.append(Step(number, box == "x", identifier, path, action, scope, inside))
        if scope is None or not action or not scope:
            lack = (
                "names no scope after a `;`"
                if scope is None
                else "has no action"
                if not action
                else "has an empty scope"
            )
            problems.append(Problem("plan-row-contract", f"step {identifier} {lack}", number + 1))
    return steps, strays


def _clauses(rest: str) -> tuple[str, str | None]:
    """Action and scope: the last clause is the scope, which may stand in backticks and end in a full stop."""
    rest = rest.rstrip(" .\t\r\n")
    if rest.endswith("`"):
        before, tick, scope = rest[:-1].rpartition("`")
        before = before.rstrip(" \t")
        if tick and before.endswith(";"):
            return before[:-1].strip(" \t"), scope
    action, semicolon, scope = rest.rpartition(";")
    return (action.strip(" \t"), scope.strip(" \t")) if semicolon else (rest, None)


def _fault(line: str, like: re.Match[str]) -> str:
    box, tick, _, digits, suffix, closing = like.groups()
    if line[0] in " \t":
        return "is indented"
    if line[0] != "-":
        return f"begins with `{line[0]}`, not `-`"
    if box not in (" ", "x"):
        return f"its box is `[{box}]`, not `[ ]` or `[x]`"
    if not tick or not closing:
        return "its identifier does not stand in backticks"
    if len(digits) < 2:
        return "its identifier has fewer than two digits"
    if suffix:
        return "its identifier has a letter"
    return "does not read - [ ] `S01` - action; `scope`."


def _retired(structure: Structure) -> frozenset[str]:
    found: set[str] = set()
    for first, last in retired_comments(structure):
        for match in _RETIRED.finditer("".join(structure.lines[first:last])):
            found.update(_IDENTIFIER.findall(match[1]))
    return frozenset(found)


def retired_comments(structure: Structure) -> list[tuple[int, int]]:
    """The comments that list retired identifiers, as line ranges."""
    lines, kinds = structure.lines, structure.kinds
    found: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        if "RETIRED:" not in line or (found and number < found[-1][1]) or kinds[number] not in (COMMENT, TEXT):
            continue
        first = number if "<!--" in line or number == 0 else number - 1
        last = number + 1
        while "-->" not in lines[last - 1] and last < len(lines) and kinds[last] == COMMENT:
            last += 1
        found.append((first, last))
    return found


def _doubles(places: list[tuple[int, str]], live: set[str], retired: frozenset[str]) -> list[Problem]:
    if len(live) == len(places) and not retired & live:
        return []
    seen: set[str] = set()
    problems = []
    for line, identifier in sorted(places):
        if identifier in seen:
            problems.append(Problem("plan-duplicate", f"{identifier} stands more than once", line + 1))
        if identifier in retired:
            problems.append(Problem("plan-retired", f"{identifier} is in use though it is retired", line + 1))
        seen.add(identifier)
    return problems


def _shown(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
