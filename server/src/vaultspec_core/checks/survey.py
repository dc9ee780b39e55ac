"""The vault as the validators see it: what each document was found to say, kept as long as its record, and what follows from all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from vaultspec_core.checks.comments import Comments, known_comments
from vaultspec_core.checks.contract import Check, Finding
from vaultspec_core.checks.pace import Pace
from vaultspec_core.checks.page import Page
from vaultspec_core.checks.registry import suite
from vaultspec_core.checks.standing import Standing, standing
from vaultspec_core.report import Refusal
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import UNREADABLE, Document
from vaultspec_core.vault.graph import Graph, build
from vaultspec_core.vault.vault import Vault
from vaultspec_core.vault.walk import text_of

UNFIT = frozenset((UNREADABLE, "not-utf8", "too-large"))
"""Problems of a record that leave nothing to look at but itself."""


class Examined(NamedTuple):
    """What is kept of a document beside its record. `shipped`: the template comments that it was judged by."""

    findings: tuple[Finding, ...]
    standing: Standing
    shipped: Comments


class Survey:
    """A corpus and its findings, as of one generation."""

    def __init__(self, corpus: Corpus, shipped: Comments, today: str) -> None:
        self.corpus = corpus
        self.shipped = shipped
        self.today = today

    @classmethod
    def of(cls, vault: Vault, pace: Pace) -> Survey:
        """The survey of a vault whose corpus was refreshed. Documents that were examined before a Cancelled stay so."""
        survey = vault.corpus.derived(_surveyor(known_comments(vault), vault.today()))
        survey._examine(pace)
        return survey

    @property
    def graph(self) -> Graph:
        return self.corpus.derived(build)

    @cached_property
    def findings(self) -> dict[str, tuple[Finding, ...]]:
        """The findings of every validator of the suite about documents and the vault, by name."""
        found: dict[str, list[Finding]] = {check.name: [] for check in suite()}
        for relative in self.corpus.documents:
            for finding in self.corpus.beside[relative].findings:
                found[finding.check].append(finding)
        for check in suite():
            if check.vault is not None:
                found[check.name] += check.vault(self)
        return {name: tuple(findings) for name, findings in found.items()}

    def standing(self, document: Document) -> Standing:
        known: Examined = self.corpus.beside[document.relative]
        return known.standing

    def targets(self, document: Document) -> Iterator[Document]:
        """The documents that this one links to."""
        for target in dict.fromkeys(document.related + document.links):
            yield from self.corpus.named(target)

    def page(self, document: Document) -> Page | None:
        """The document with its text as it is now; None when it cannot be read, is no UTF-8, or is too large."""
        if any(problem.code in UNFIT for problem in document.problems):
            return None
        return Page(document, text_of(self.corpus.root, document), self.shipped, self.today)

    def _examine(self, pace: Pace) -> None:
        """Look at every document that was not looked at since its record was made."""
        beside = self.corpus.beside
        fresh = [
            document
            for relative, document in self.corpus.documents.items()
            if (known := beside.get(relative)) is None or known.shipped is not self.shipped
        ]
        pace.begin(len(fresh))
        for document in fresh:
            pace.step(document.relative)
            beside[document.relative] = self._examined(document)

    def _examined(self, document: Document) -> Examined:
        page = self.page(document)
        if page is None:
            return Examined((), Standing(), self.shipped)
        return Examined(tuple(examine(page)), standing(page), self.shipped)


@lru_cache(4)
def _surveyor(shipped: Comments, today: str) -> Callable[[Corpus], Survey]:
    """What `Corpus.derived` takes to keep the survey until something changes."""
    return lambda corpus: Survey(corpus, shipped, today)


def examine(page: Page) -> Iterator[Finding]:
    """What the validators say of a document on its own."""
    for check in suite():
        if check.document is not None and (faults := list(check.document(page))):
            left = _left(check, page)
            for fault in faults:
                fixable = left is not None and not left[fault.message]
                if left is not None:
                    left[fault.message] -= not fixable
                document = page.document
                yield Finding(
                    check.name, document.relative, fault.message, fault.severity, fixable, fault.line, document.feature
                )


def _left(check: Check, page: Page) -> Counter[str] | None:
    """The messages that a repair leaves; None when it does nothing."""
    after = repaired(check, page)
    if after == page.text or check.document is None:
        return None
    return Counter(fault.message for fault in check.document(page.turned(after)))


def repaired(check: Check, page: Page) -> str:
    """The text after the check's repair; the same text when it has none, or its frontmatter cannot be edited safely."""
    try:
        return page.text if check.repair is None else check.repair(page)
    except Refusal:
        return page.text
