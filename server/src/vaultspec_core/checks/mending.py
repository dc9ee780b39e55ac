"""What one round of repairs is about to write: texts by document and new names, then all of it under the vault's lock.

A document that somebody else changed meanwhile, or that the system does not let us write, keeps what it says; its finding stays.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from vaultspec_core.changeset import Changeset
from vaultspec_core.checks.pace import Pace
from vaultspec_core.checks.page import Page
from vaultspec_core.checks.repoint import referrers, repointed
from vaultspec_core.checks.survey import Survey
from vaultspec_core.files import Changed
from vaultspec_core.plan.settle import journal
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.stamp import stamped
from vaultspec_core.vault.vault import Vault


class Mending:
    """`vault`: whose lock the caller holds. `written`: paths that were written, `renamed`: old path -> new one, after `commit`."""

    def __init__(self, vault: Vault, survey: Survey, pace: Pace) -> None:
        self.vault = vault
        self._pace = pace
        self.written: set[str] = set()
        self.renamed: dict[str, str] = {}
        self._survey = survey
        self._before: dict[str, str] = {}
        self._pages: dict[str, Page] = {}
        self._unstamped: set[str] = set()
        self._files: dict[str, tuple[str, str]] = {}
        self._renames: dict[str, str] = {}

    def page(self, document: Document) -> Page | None:
        """The document as it will be; None when it cannot be read as text."""
        known = self._pages.get(document.relative)
        return known or self._survey.page(document)

    def put(self, page: Page, text: str, *, stamped: bool = False) -> None:
        """Give the document of a page another text. `stamped`: the text says already when it was changed."""
        relative = page.document.relative
        if text == page.text:
            return
        self._before.setdefault(relative, page.text)
        self._pages[relative] = page.turned(text)
        if not stamped:
            self._unstamped.add(relative)

    def write(self, relative: str, before: str, after: str) -> None:
        """Give a file that is no document another text."""
        if before != after:
            self._files[relative] = (before, after)

    def rename(self, renames: Mapping[str, str]) -> None:
        """Give documents other paths; what links to them follows."""
        self._renames.update(renames)

    def commit(self) -> None:
        """Write everything: renames and what follows from them together or not at all, other documents one by one (Cancelled stops between two)."""
        together = self._repoint() if self._renames else set()
        texts = {relative: self._final(page) for relative, page in self._pages.items()}
        if self._renames:
            self._rename(together, texts)
        alone = {
            relative: (self._before[relative], text) for relative, text in texts.items() if relative not in together
        }
        self._write({**alone, **self._files})

    def _repoint(self) -> set[str]:
        """Let the links to renamed documents follow; gives the documents that are written with the renames."""
        stems = {names.stem_of(old).casefold(): names.stem_of(new) for old, new in self._renames.items()}
        together = set(self._renames)
        for document in referrers(self._survey.corpus, stems):
            page = self.page(document)
            if page is not None:
                after = repointed(page, stems)
                if after != page.text:
                    self.put(page, after)
                    together.add(document.relative)
        return together

    def _final(self, page: Page) -> str:
        if page.document.relative not in self._unstamped or not page.editable:
            return page.text
        date = page.document.date
        born = date if date is not None and names.is_day(date) else ""
        return stamped(page.text, max(self._survey.today, born))

    def _rename(self, together: set[str], texts: Mapping[str, str]) -> None:
        changes = Changeset(self.vault.disk)
        try:
            for relative in sorted(together):
                self._change(changes, relative, texts.get(relative))
            changes.commit(journal(self.vault))
        except (Changed, Refusal, FileExistsError, FileNotFoundError):
            return
        self.written |= together
        self.renamed = dict(self._renames)

    def _change(self, changes: Changeset, relative: str, text: str | None) -> None:
        path = self.vault.path(relative)
        before = changes.read(path)
        if relative in self._before and before != self._before[relative].encode("utf-8"):
            raise Changed(path)
        new = self._renames.get(relative)
        if new is not None and not os.path.islink(self.vault.root / relative):
            changes.rename(path, self.vault.path(new))
            path = self.vault.path(new)
        if text is not None:
            changes.write(path, text.encode("utf-8"))

    def _write(self, texts: Mapping[str, tuple[str, str]]) -> None:
        self.vault.disk.sweep(*{self.vault.path(relative).parent for relative in texts})
        self._pace.begin(len(texts))
        for relative, (before, after) in texts.items():
            self._pace.step(relative)
            try:
                path = self.vault.path(relative)
                self.vault.disk.write(path, after.encode("utf-8"), expected=before.encode("utf-8"))
            except (Changed, Refusal):
                continue
            self.written.add(relative)
