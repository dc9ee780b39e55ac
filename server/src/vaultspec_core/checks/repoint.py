"""Let links follow documents that get another name: in `related`, in the fields that name a successor, in prose, in an index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vaultspec_core.checks.entries import set_entries
from vaultspec_core.checks.page import Page
from vaultspec_core.report import Refusal
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document, link_target
from vaultspec_core.vault.reword import reworded
from vaultspec_core.vault.splice import set_scalar

FIELDS = ("related", "supersedes", "superseded_by", "derived_from", "promoted_to")
"""Fields of the frontmatter whose values name documents."""


def referrers(corpus: Corpus, stems: Mapping[str, str]) -> Iterator[Document]:
    """The documents that may name one of the stems (case-folded). Only a decision record names one outside of its links."""
    for document in corpus.documents.values():
        if document.type == "adr" or any(target.casefold() in stems for target in (*document.related, *document.links)):
            yield document


def repointed(page: Page, stems: Mapping[str, str]) -> str:
    """The text with the new names in the place of the old ones (`stems`: old, case-folded -> new)."""
    if page.document.type == "index":
        text = page.text
        for target in page.document.related:
            new = stems.get(target.casefold())
            text = text if new is None else text.replace(f"`{target}`", f"`{new}`")
    else:
        text = _prose(page, stems)
    for field in FIELDS:
        said = page.entries(field) or page.front.text(field)
        if said and page.editable:
            text = _field(text, field, said, stems)
    return text


def _field(text: str, field: str, said: str | list[str], stems: Mapping[str, str]) -> str:
    wanted = _renamed(said, stems) if isinstance(said, str) else [_renamed(entry, stems) for entry in said]
    if wanted == said:
        return text
    exact = reworded(text, field, stems, list(wanted) if isinstance(wanted, list) else wanted)
    if exact is not None:
        return exact
    try:
        if isinstance(wanted, str):
            return set_scalar(text, field, wanted)
        return set_entries(text, field, wanted)
    except Refusal:
        return text


def _renamed(entry: str, stems: Mapping[str, str]) -> str:
    target = link_target(entry)
    new = stems.get(target.casefold())
    return entry if new is None else entry.replace(target, new, 1)


def _prose(page: Page, stems: Mapping[str, str]) -> str:
    if not page.document.links:
        return page.text
    edits = []
    for link in page.structure.links():
        written = page.structure.lines[link.line][link.column : link.end_column]
        if link.wiki and (new := _renamed(written, stems)) != written:
            edits.append((link.line, link.column, link.end_line, link.end_column, new))
    return page.spliced(edits) if edits else page.text
