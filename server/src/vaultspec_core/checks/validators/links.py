"""`links`: wiki-links name a stem, without `.md`."""

from __future__ import annotations

import re

from vaultspec_core.checks.contract import WARNING, Check, Fault, limited
from vaultspec_core.checks.entries import set_entries
from vaultspec_core.checks.page import Page
from vaultspec_core.vault.markdown import Link

_SUFFIX = re.compile(r"\.md(?=[ \t]*(?:#|\||\]\]|\Z))")


def _related(page: Page) -> list[str]:
    return [entry for entry in page.front.texts("related") if entry.startswith("[[") and _SUFFIX.search(entry)]


def _prose(page: Page) -> list[Link]:
    if "[[" not in page.body or ".md" not in page.body:
        return []
    return [link for link in page.structure.links() if link.wiki and _SUFFIX.search(link.target)]


def _faults(page: Page) -> list[Fault]:
    if ".md" not in page.text:
        return []
    faults = [Fault(WARNING, f"`related` names a file, not a stem: {entry}") for entry in _related(page)]
    faults += [Fault(WARNING, f"a wiki-link names a file: [[{link.target}]]", link.line + 1) for link in _prose(page)]
    return limited(faults, "links")


def _repair(page: Page) -> str:
    edits = []
    for link in _prose(page):
        line = page.structure.lines[link.line]
        edits.append(
            (
                link.line,
                link.column,
                link.end_line,
                link.end_column,
                _SUFFIX.sub("", line[link.column : link.end_column], count=1),
            )
        )
    text = page.spliced(edits) if edits else page.text
    wrong, entries = set(_related(page)), page.entries("related")
    if wrong and entries:
        text = set_entries(
            text, "related", [_SUFFIX.sub("", entry, count=1) if entry in wrong else entry for entry in entries]
        )
    return text


CHECK = Check("links", 5, document=_faults, repair=_repair)
