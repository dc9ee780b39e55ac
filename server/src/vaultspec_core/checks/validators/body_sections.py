"""`body-sections`: the sections that a document of its type and schema has, and something in each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultspec_core.checks.contract import WARNING, Check, Fault
from vaultspec_core.checks.page import Page
from vaultspec_core.checks.validators.placeholders import is_placeholder
from vaultspec_core.vault.markdown import COMMENT, Heading, Structure

_COMMENT = re.compile(r"<!--(?:[^-]|-(?!->))*+-->")

CURRENT = "body-v2"
REQUIRED = {
    "adr": (
        "Problem Statement",
        "Considerations",
        "Considered options",
        "Constraints",
        "Implementation",
        "Rationale",
        "Consequences",
    ),
    "research": ("Findings", "Sources"),
    "reference": ("Summary",),
    "audit": ("Scope", "Findings", "Recommendations"),
    "plan": ("Description", "Steps", "Parallelization", "Verification"),
    "exec": ("Changes",),
    "index": ("Documents",),
}


def _faults(page: Page) -> Iterator[Fault]:
    schema = page.front.text("body_schema")
    if schema is None:
        return
    if schema != CURRENT:
        if schema != "body-v1" and not schema.startswith("legacy-"):
            yield Fault(WARNING, f"unknown body_schema {schema[:80]}; the current one is {CURRENT}")
        return
    required = REQUIRED.get(page.document.type, ())
    sections: dict[str, tuple[Heading, bool]] = {}
    for heading, filled in _sections(page.structure):
        name = "Steps" if heading.text == "Epic intent" or heading.text.startswith("Wave ") else heading.text
        known = sections.get(name)
        sections[name] = (known[0] if known else heading, filled or (known is not None and known[1]))
    for name in required:
        if name not in sections:
            yield Fault(WARNING, f"the section `## {name}` is missing")
        elif not sections[name][1]:
            yield Fault(WARNING, f"the section `## {name}` is empty", sections[name][0].line + 1)


def _sections(structure: Structure) -> Iterator[tuple[Heading, bool]]:
    """The headings of level 2, and whether their section says anything."""
    headings = [heading for heading in structure.headings if heading.level <= 2]
    ends = [*(heading.line for heading in headings[1:]), len(structure.lines)]
    for heading, end in zip(headings, ends, strict=False):
        if heading.level == 2:
            yield heading, any(_says(structure, number) for number in range(heading.body, end))


def _says(structure: Structure, number: int) -> bool:
    line = structure.lines[number].strip()
    if not line or structure.kinds[number] == COMMENT:
        return False
    if "<!--" in line:
        line = _COMMENT.sub("", line).strip()
    return bool(line) and not (line[0] == "{" and line[-1] == "}" and is_placeholder(line[1:-1]))


CHECK = Check("body-sections", 12, document=_faults)
