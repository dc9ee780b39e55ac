"""`markdown`: white space that no reader sees. Hard breaks, code, comments and raw HTML are left alone."""

from __future__ import annotations

from collections.abc import Iterator

from vaultspec_core.checks.contract import WARNING, Check, Fault
from vaultspec_core.checks.page import Page
from vaultspec_core.vault.lines import line_end


def _faults(page: Page) -> list[Fault]:
    if _tidy(page.body):
        return []
    faults = []
    trailing = list(_trailing(page))
    if trailing:
        faults.append(Fault(WARNING, f"trailing white space on {_lines(len(trailing))}", trailing[0] + 1))
    runs = _blank_runs(page)
    if runs:
        faults.append(Fault(WARNING, f"more than one blank line in a row, {len(runs)} times", runs[0][0] + 1))
    if page.body and not page.body.endswith(("\n", "\r")):
        faults.append(Fault(WARNING, "no line end at the end of the file", len(page.structure.lines)))
    last = _content_end(page)
    if last < len(page.structure.lines) - 1 or (last == len(page.structure.lines) - 1 and _final_blank(page)):
        faults.append(Fault(WARNING, "blank lines at the end of the file", last + 1))
    return faults


def _tidy(body: str) -> bool:
    """Whether a glance is enough."""
    if "\r" in body or not body.endswith("\n") or body.endswith("\n\n"):
        return not body
    return " \n" not in body and "\t\n" not in body and "\n\n\n" not in body


def _trailing(page: Page) -> Iterator[int]:
    """The lines whose trailing white space means nothing: no hard break, and nowhere near an open code span."""
    structure = page.structure
    for number in range(structure.start, len(structure.lines)):
        line = structure.lines[number]
        bare = line.rstrip("\r\n")
        kept = bare.rstrip(" \t")
        if len(kept) == len(bare) or structure.opaque(number) or _ticks(kept):
            continue
        following = number + 1 < len(structure.lines) and structure.continues(number + 1)
        if kept and bare.endswith("  ") and following:
            continue
        yield number


def _ticks(line: str) -> bool:
    """Whether a code span, or a comment, may go on over the line's end."""
    return line.count("`") % 2 == 1 or line.rfind("<!--") > line.rfind("-->")


def _blank_runs(page: Page) -> list[tuple[int, int]]:
    """Runs of blank lines between two others of which more than one is there, as (first to go, line after the last)."""
    structure, runs = page.structure, []
    number, end = structure.start, _content_end(page)
    while number < end:
        first = number
        while number < end and not structure.opaque(number) and not structure.lines[number].strip(" \t\r\n"):
            number += 1
        if number - first > 1:
            runs.append((first + 1, number))
        number = max(number, first + 1)
    return runs


def _content_end(page: Page) -> int:
    """The line after the last one that holds something, or that is opaque."""
    structure = page.structure
    end = len(structure.lines)
    while end > structure.start and not structure.opaque(end - 1) and not structure.lines[end - 1].strip(" \t\r\n"):
        end -= 1
    return end


def _final_blank(page: Page) -> bool:
    return not page.structure.lines[-1].strip(" \t\r\n") and not page.structure.opaque(len(page.structure.lines) - 1)


def _repair(page: Page) -> str:
    if _tidy(page.body):
        return page.text
    lines = list(page.structure.lines)
    for number in _trailing(page):
        end = line_end(lines[number])
        lines[number] = lines[number].rstrip(" \t\r\n") + end
    last = _content_end(page)
    if last > page.structure.start:
        del lines[last:]
    for first, after in reversed(_blank_runs(page)):
        del lines[first:after]
    if lines and not line_end(lines[-1]):
        lines[-1] += next((end for line in reversed(lines) if (end := line_end(line))), "\n")
    return "".join(lines)


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{count} lines"


CHECK = Check("markdown", 4, document=_faults, repair=_repair)
