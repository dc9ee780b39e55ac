"""A plan as data, from its Markdown. Whatever does not parse is a Problem, never an exception.

    L1  steps              - [ ] `S01` - action; `scope`.
    L2  phases > steps     ### Phase `P01` - title            - [ ] `P01.S01` - ...
    L3  waves > phases     ## Wave `W01` - title              ### Phase `W01.P01` - title
    L4  `## Epic intent`, then as L3

A row counts wherever it stands at column 0 outside code and comments. Identifiers are flat per document and never used twice;
`<!-- RETIRED: P03, S04 -->` keeps those that are gone.
"""

from __future__ import annotations

import re

from vaultspec_core.plan import faults
from vaultspec_core.plan.model import TIERS, Container, Plan, Step, Summary, summarise
from vaultspec_core.vault.frontmatter import Problem, split
from vaultspec_core.vault.inline import covered
from vaultspec_core.vault.markdown import COMMENT, TEXT, Heading, Structure, scan, split_lines

__all__ = ["Plan", "Summary", "parse", "parse_text", "summarise", "summary_of"]

_ID = r"[0-9]{2,9}"
_PATH = rf"(?:W{_ID}[a-z]?\.)?(?:P{_ID}[a-z]?\.)?(S{_ID})"
ROW_HEAD = rf"(- +\[)([ x])(\] +`)({_PATH})(` *- *)"
ROW = re.compile(rf"{ROW_HEAD}(.*)", re.DOTALL)
"""Before the box, the box, up to the path, the path, its identifier, up to the action, the rest."""

CONTAINER = re.compile(rf"(Wave|Phase) +`((?:W{_ID}[a-z]?\.)?([WP]{_ID}[a-z]?))` *- *(.*)", re.DOTALL)
"""The text of a heading: noun, path, identifier, title."""

_ROW_LIKE = re.compile(
    r"[-*+][ \t]*\[([^\]\r\n]{0,3})\][ \t]*(`?)(?:W[0-9]{1,9}[a-z]?\.)?(?:P[0-9]{1,9}[a-z]?\.)?(S([0-9]{1,9})([a-z]?))(?![0-9A-Za-z])(`?)"
)
_CONTAINER_LIKE = re.compile(r"(?i:Wave|Phase|Epic|Step)\b[ \t]*`?(?:W[0-9]{1,9}[a-z]?\.)?([WPS][0-9]{1,9}[a-z]?)\b")
_RETIRED = re.compile(r"<!--\s*+RETIRED:([^<>]*+)(?<=--)>")
_IDENTIFIER = re.compile(rf"(?<![0-9A-Za-z])(?:[WP]{_ID}[a-z]?|S{_ID})(?![0-9A-Za-z])")


def parse_text(text: str, like: Plan | None = None) -> Plan:
    """Read a whole document. `like`: a plan that has most of its rows; those are not taken apart again."""
    front = split(text)
    return parse(scan(text, len(split_lines(text[: front.body_start]))), front.text("tier"), like)


def summary_of(text: str) -> Summary:
    """The compact form of a whole document."""
    return summarise(parse_text(text))


def parse(structure: Structure, tier: str | None, like: Plan | None = None) -> Plan:
    """Read a scanned body. `tier`: what the frontmatter says, None when it says nothing."""
    known = {} if like is None else {like.structure.lines[step.line]: step for step in like.steps}
    strays: list[tuple[str, Problem]] = []
    phases, waves, epic = _containers(structure, strays)
    steps = _steps(structure, phases, strays, known)
    named: dict[str, list[Step]] = {}
    for step in steps:
        named.setdefault(step.id, []).append(step)
        if step.path != step.id:
            named.setdefault(step.path, []).append(step)
    retired = _retired(structure)
    live = (item.id for items in (steps, phases, waves) for item in items)
    plan = Plan(
        structure=structure,
        declared=tier,
        shape=_shape(tier, steps, phases, waves, epic),
        steps=tuple(steps),
        phases=tuple(phases),
        waves=tuple(waves),
        epic=epic,
        named=named,
        strays=dict(strays),
        retired=retired,
        used=frozenset((*live, *(identifier for identifier, _ in strays))) | retired,
        problems=(),
    )
    return plan._replace(problems=faults.find(plan, [problem for _, problem in strays]))


def _shape(
    tier: str | None, steps: list[Step], phases: list[Container], waves: list[Container], epic: Heading | None
) -> str:
    """The declared tier, else that of which the plan has the parts."""
    if tier in TIERS:
        return tier
    if waves:
        return "L4" if epic else "L3"
    return "L1" if steps and not phases else "L2"


def _containers(
    structure: Structure, strays: list[tuple[str, Problem]]
) -> tuple[list[Container], list[Container], Heading | None]:
    phases: list[Container] = []
    waves: list[Container] = []
    epic: Heading | None = None
    for heading, end in zip(structure.headings, _ends(structure), strict=True):
        match = CONTAINER.match(heading.text)
        if match is not None and match[1][0] == match[3][0] and heading.body == heading.line + 1:
            noun, path, identifier, title = match.groups()
            wave = waves[-1].id if waves and noun == "Phase" and heading.line < waves[-1].end else None
            found = Container(heading.line, end, heading.level, identifier, path, title.strip(), wave)
            (waves if noun == "Wave" else phases).append(found)
        elif heading.level == 2 and heading.text == "Epic intent":
            epic = epic or heading
        elif like := _CONTAINER_LIKE.match(heading.text):
            message = f"the heading is no `Wave` or `Phase` heading: {heading.text[:80]}"
            strays.append((like[1], Problem("plan-heading", message, heading.line + 1)))
    return phases, waves, epic


def _ends(structure: Structure) -> list[int]:
    """Where the section of each heading ends, in one pass from the back."""
    ends: list[int] = []
    bounds = [len(structure.lines)] * 7
    for heading in reversed(structure.headings):
        ends.append(min(bounds[1 : heading.level + 1]))
        bounds[heading.level] = heading.line
    return ends[::-1]


def _steps(
    structure: Structure, phases: list[Container], strays: list[tuple[str, Problem]], known: dict[str, Step]
) -> list[Step]:
    """Every row; the lines that were meant as rows but are none go to the strays. `known`: rows that were read, by line."""
    steps: list[Step] = []
    kinds, row, following = structure.kinds, ROW.match, 0
    phase: Container | None = None
    for number, line in enumerate(structure.lines):
        if line[0] not in "-*+ \t" or kinds[number] != TEXT:
            continue
        while following < len(phases) and number >= phases[following].line:
            phase = phases[following]
            following += 1
        inside = phase.id if phase is not None and number < phase.end else None
        if line in known:
            steps.append(Step(number, *known[line][1:6], inside))
            continue
        match = row(line)
        if match is not None:
            _, box, _, path, identifier, _, rest = match.groups()
            action, scope = clauses(rest)
            steps.append(Step(number, box == "x", identifier, path, action, scope, inside))
        elif like := _ROW_LIKE.match(line.lstrip(" \t")):
            message = f"the line looks like a step row but {_fault(line, like)}"
            strays.append((like[3], Problem("plan-row", message, number + 1)))
    return steps


def clauses(rest: str) -> tuple[str, str | None]:
    """Action and scope of a row: the last clause is the scope, in backticks or not; no clause, no scope. A final full stop is no part of either."""
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
        return f"begins with {line[0]}, not -"
    if box not in (" ", "x"):
        return f"its box is [{box}], not [ ] or [x]"
    if not tick or not closing:
        return "its identifier does not stand in backticks"
    if len(digits) < 2:
        return "its identifier has fewer than two digits"
    if suffix:
        return "its identifier has a letter"
    return "does not read - [ ] `S01` - action; `scope`."


def _retired(structure: Structure) -> frozenset[str]:
    comments = retired_comments(structure)
    return frozenset().union(*(retired_in("".join(structure.lines[first:last])) for first, last in comments))


def retired_in(comment: str) -> frozenset[str]:
    """The identifiers that the `RETIRED:` comments in this text list."""
    return frozenset(found for match in _RETIRED.finditer(comment) for found in _IDENTIFIER.findall(match[1]))


def retired_comments(structure: Structure) -> list[tuple[int, int]]:
    """The comments that list retired identifiers, as ranges of lines."""
    lines, kinds = structure.lines, structure.kinds
    found: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        if "RETIRED:" not in line or (found and number < found[-1][1]) or not _commented(structure, number):
            continue
        first = number if "<!--" in line or number == 0 else number - 1
        last = number + 1
        while "-->" not in lines[last - 1] and last < len(lines) and kinds[last] == COMMENT:
            last += 1
        found.append((first, last))
    return found


def _commented(structure: Structure, number: int) -> bool:
    """Whether a comment stands on the line, or a part of one."""
    if structure.kinds[number] != TEXT:
        return structure.kinds[number] == COMMENT
    line = structure.lines[number]
    return number in structure.hidden or any(line.startswith("<!--", start) for start, _ in covered(line))
