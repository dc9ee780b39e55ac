"""`dangling`: every link leads to a document of the vault or of its archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultspec_core.checks.contract import ERROR, LISTED, Check, Finding
from vaultspec_core.checks.entries import set_entries
from vaultspec_core.checks.mending import Mending
from vaultspec_core.checks.page import Page
from vaultspec_core.checks.survey import Survey
from vaultspec_core.report import Refusal
from vaultspec_core.vault.document import Document, link_target

NAME = "dangling"


def _by_document(survey: Survey) -> dict[str, tuple[Document, list[str]]]:
    found: dict[str, tuple[Document, list[str]]] = {}
    for document, target in survey.graph.dangling:
        found.setdefault(document.relative, (document, []))[1].append(target)
    return found


def _findings(survey: Survey) -> Iterator[Finding]:
    for relative, (document, targets) in _by_document(survey).items():
        page = survey.page(document)
        mended = page is not None and _without(page, targets) != page.text
        removable = set(document.related).difference(document.links) if mended else set()
        fixable = [target in removable for target in targets]
        told = [f"wiki-link target not found: [[{target}]]" for target in targets[:LISTED]]
        if len(targets) > LISTED:
            told.append(f"and {len(targets) - LISTED} more wiki-links without a target")
            fixable[LISTED:] = [all(fixable[LISTED:])]
        for message, mends in zip(told, fixable, strict=True):
            yield Finding(NAME, relative, message, ERROR, mends, feature=document.feature)


def _without(page: Page, targets: Sequence[str]) -> str:
    """The text without the entries of `related` that lead nowhere."""
    entries, lost = page.entries("related") or [], set(targets)
    left = [entry for entry in entries if link_target(entry) not in lost]
    try:
        return page.text if len(left) == len(entries) else set_entries(page.text, "related", left)
    except Refusal:
        return page.text


def _mend(survey: Survey, findings: Sequence[Finding], mending: Mending) -> None:
    wanted = {finding.path for finding in findings}
    for relative, (document, targets) in _by_document(survey).items():
        page = mending.page(document) if relative in wanted else None
        if page is not None:
            linked = set(document.links)
            mending.put(page, _without(page, [target for target in targets if target not in linked]))


CHECK = Check(NAME, 6, vault=_findings, mend=_mend)
