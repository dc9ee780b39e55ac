"""`placeholders`: braces of a template that nobody filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultspec_core.checks.contract import ERROR, Check, Fault, limited
from vaultspec_core.checks.page import Page

_BRACES = re.compile(r"(?<![{$])\{([^{}\r\n]{1,200})\}(?!\})")
_NAMES = frozenset(
    [
        "feature",
        "topic",
        "title",
        "phase",
        "wave",
        "step",
        "tier",
        "summary",
        "level",
        "description",
        "research",
        "reference",
        "adr",
        "heading",
        "plan_stem",
        "step_id",
        "scope_block",
        "document_list",
        "file1",
        "file2",
    ]
)


def _faults(page: Page) -> list[Fault]:
    return limited(list(_found(page)), "placeholders") if "{" in page.body else []


def _found(page: Page) -> Iterator[Fault]:
    structure = page.structure
    headings = {number for heading in structure.headings for number in range(heading.line, heading.body)}
    for number in range(structure.start, len(structure.lines)):
        line = structure.lines[number]
        if "{" in line and not structure.opaque(number):
            for match in _BRACES.finditer(line if number in headings else structure.prose(number)):
                if is_placeholder(match[1]):
                    yield Fault(ERROR, f"unfilled placeholder {match[0]}", number + 1)


def is_placeholder(token: str) -> bool:
    """Whether a template, and hardly an author, writes this in braces."""
    return "|" in token or token.startswith("yyyy-mm-dd") or token in _NAMES


CHECK = Check("placeholders", 8, document=_faults)
