"""`adr-status`: the heading of a decision record ends with its status."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultspec_core.checks.contract import WARNING, Check, Fault
from vaultspec_core.checks.page import Page
from vaultspec_core.vault.markdown import Heading

WORDS = ("proposed", "accepted", "rejected", "superseded", "deprecated")

_ENDING = re.compile(r"\|[ \t]*\(\*\*status:\*\*[ \t]*(`?)([^`()]*?)(`?)[ \t]*\)\Z")


def _faults(page: Page) -> Iterator[Fault]:
    if page.document.type != "adr":
        return
    title = _title(page)
    match = _ENDING.search(title.text[-200:]) if title else None
    if title is None:
        yield Fault(WARNING, "there is no heading of level 1 that names the status")
    elif match is None:
        yield Fault(WARNING, "the heading does not end with `| (**status:** `...`)`", title.line + 1)
    else:
        word = match[2].strip()
        if word not in WORDS:
            yield Fault(WARNING, f"the status {word[:80]} is none of {', '.join(WORDS)}", title.line + 1)
        elif not (match[1] and match[3]):
            yield Fault(WARNING, f"the status {word} does not stand in backticks", title.line + 1)
        if word != "superseded" and page.front.texts("superseded_by"):
            yield Fault(WARNING, f"the record has a successor, but its status is {word[:80]}", title.line + 1)
    if "Status" in page.body:
        for heading in page.structure.headings:
            if heading.level == 2 and heading.text == "Status":
                yield Fault(
                    WARNING, "the section `## Status` is of an older form; the heading says it", heading.line + 1
                )


def _title(page: Page) -> Heading | None:
    return next((heading for heading in page.structure.headings if heading.level == 1), None)


def _repair(page: Page) -> str:
    title = _title(page) if page.document.type == "adr" else None
    match = _ENDING.search(title.text[-200:]) if title else None
    if title is None or match is None or (match[1] and match[3]) or match[2].strip() not in WORDS:
        return page.text
    line = page.structure.lines[title.line]
    at = line.rfind("(**status:**")
    end = line.find(")", at)
    if at < 0 or end < 0:
        return page.text
    return page.spliced([(title.line, at, title.line, end + 1, f"(**status:** `{match[2].strip()}`)")])


CHECK = Check("adr-status", 16, document=_faults, repair=_repair)
