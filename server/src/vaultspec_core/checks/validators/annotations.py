"""`annotations`: guidance that a template left in a document. Only comments that a template wrote are ever taken out."""

from __future__ import annotations

from collections.abc import Iterator

from vaultspec_core.checks.contract import WARNING, Check, Fault, limited
from vaultspec_core.checks.page import Page
from vaultspec_core.vault.lines import Lines
from vaultspec_core.vault.markdown import COMMENT


def _comments(page: Page) -> Iterator[tuple[int, int, bool]]:
    """The standalone comments as (first line, line after the last, whether a template wrote it)."""
    if "<!--" not in page.body:
        return
    lines, kinds = page.structure.lines, page.structure.kinds
    number = page.structure.start
    while number < len(lines):
        if kinds[number] != COMMENT or not lines[number].lstrip(" ").startswith("<!--"):
            number += 1
            continue
        first = number
        while number < len(lines) and kinds[number] == COMMENT and "-->" not in lines[number]:
            number += 1
        closed = number < len(lines) and kinds[number] == COMMENT
        number += closed
        text = "".join(lines[first:number]).strip()
        if not text.startswith("<!-- RETIRED:") and not text.startswith("<!--RETIRED:"):
            yield first, number, closed and text.endswith("-->") and page.shipped.wrote(text, page.document)


def _faults(page: Page) -> list[Fault]:
    faults = [
        Fault(
            WARNING,
            "guidance of the template is still there" if shipped else "an HTML comment that no template wrote",
            first + 1,
        )
        for first, _, shipped in _comments(page)
    ]
    return limited(faults, "comments")


def _repair(page: Page) -> str:
    found = [(first, last) for first, last, shipped in _comments(page) if shipped]
    if not found:
        return page.text
    lines = Lines(page.structure.lines)
    for first, last in found:
        if first > 0 and last < len(lines) and not lines.blank(first - 1) and not lines.blank(last):
            lines.rewrite(first, last, [""])  # what it parted stays apart
        else:
            lines.remove(first, last)
    return lines.text()


CHECK = Check("annotations", 3, document=_faults, repair=_repair)
