"""`body-links`: prose links nothing in the vault; `related` does. A wiki-link in prose becomes a code span."""

from __future__ import annotations

from vaultspec_core.checks.contract import ERROR, Check, Fault, limited
from vaultspec_core.checks.page import Page
from vaultspec_core.vault.markdown import Link, Structure


def _links(page: Page) -> list[Link]:
    if page.document.type == "index" or ("[[" not in page.body and "](" not in page.body):
        return []
    return list(page.structure.links())


def _faults(page: Page) -> list[Fault]:
    links = _links(page)
    wiki = [Fault(ERROR, f"wiki-link in prose: [[{link.target}]]", link.line + 1) for link in links if link.wiki]
    other = [
        Fault(ERROR, f"relative link in prose: {link.target[:80]}", link.line + 1) for link in links if not link.wiki
    ]
    return [*limited(wiki, "wiki-links"), *limited(other, "relative links")]


def _repair(page: Page) -> str:
    """Each wiki-link as a code span, with the words that it showed; nothing if the code spans around would no longer be the same."""
    edits, wanted = [], []
    for link in _links(page):
        if link.wiki and "`" not in link.target:
            place = (link.line, link.column, link.end_line, link.end_column)
            code = f"`{link.target}`"
            before, after = (f"{link.alias} (", ")") if link.alias else ("", "")
            edits.append((*place, before + code + after))
            wanted.append((*place, before + " " * len(code) + after))
    if not edits:
        return page.text
    text = page.spliced(edits)
    seen = Page(page.document, _prose(page.structure), page.shipped, page.today).spliced(wanted)
    return text if _prose(page.turned(text).structure) == seen else page.text


def _prose(structure: Structure) -> str:
    """The text without code and comments; a line that is opaque is all spaces."""
    return "".join(structure.prose(number) for number in range(len(structure.lines)))


CHECK = Check("body-links", 7, document=_faults, repair=_repair)
