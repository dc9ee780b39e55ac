"""Add and remove links in the frontmatter of a document, and list those that are there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vaultspec_core.checks.entries import set_entries
from vaultspec_core.plan.rewrite import decoded
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document, link_target
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.resolve import candidates, resolve
from vaultspec_core.vault.stamp import stamped
from vaultspec_core.vault.vault import Vault

AFTER = ("body_hash", "modified", "date")


def add_link(vault: Vault, source: str, target: str, *, force: bool = False) -> tuple[Document, str, bool]:
    """Let `source` name `target` in `related`: the document, the stem linked, and whether that is new. The caller is inside `together`.

    `force`: the target need not exist. Raises Refusal: unresolved, `self-link`, `generated-type`, `frontmatter-unusual`.
    """
    document = _source(vault, source)
    stem = _target(vault.corpus, target, force)
    if stem.casefold() == document.stem.casefold():
        raise Refusal("self-link", f"{document.stem} cannot be linked to itself")
    text = decoded(document.relative, vault.read(document) or b"")
    entries = _entries(text, document)
    if any(link_target(entry).casefold() == stem.casefold() for entry in entries):
        return document, stem, False
    _put(vault, document, text, [*entries, f"[[{stem}]]"])
    return document, stem, True


def remove_link(vault: Vault, source: str, target: str) -> tuple[Document, str, bool]:
    """Take `target` out of `related` of `source`, whether it exists or not. The caller is inside `together`. Raises as `add_link`."""
    document = _source(vault, source)
    wanted = {link_target(target).casefold(), names.stem_of(link_target(target).replace("\\", "/")).casefold()}
    text = decoded(document.relative, vault.read(document) or b"")
    entries = _entries(text, document)
    kept = [entry for entry in entries if link_target(entry).casefold() not in wanted]
    stem = names.stem_of(link_target(target))
    if len(kept) == len(entries):
        return document, stem, False
    _put(vault, document, text, kept)
    return document, stem, True


def edges(corpus: Corpus, document: Document | None, feature: str | None) -> list[dict[str, Any]]:
    """Links as (src, dst, direction): those out of every document (of the feature), or out of and into one, by name."""
    chosen = [document] if document else corpus.of_feature(feature) if feature else list(corpus.documents.values())
    found = [{"src": one.stem, "dst": dst, "direction": "out"} for one in chosen for dst in _targets(corpus, one)]
    if document:
        sources = [one for one in corpus.documents.values() if one is not document]
        linked = [one.stem for one in sources if document.stem in _targets(corpus, one)]
        found += [{"src": src, "dst": document.stem, "direction": "in"} for src in linked]
    return found


def cross_links(corpus: Corpus, feature: str) -> list[dict[str, str]]:
    """Links into a feature from documents of other features: source, target (stems) and source_path. Indexes are passed over."""
    return [
        {"source": one.stem, "target": target.stem, "source_path": one.relative}
        for one in corpus.documents.values()
        if one.feature != feature and one.type != "index"
        for target in dict.fromkeys(found for said in (*one.related, *one.links) for found in corpus.named(said))
        if target.feature == feature
    ]


def _targets(corpus: Corpus, document: Document) -> Iterator[str]:
    """The stems that a document names, as the documents spell them where there are such."""
    for target in dict.fromkeys((*document.related, *document.links)):
        known = corpus.named(target)
        yield known[0].stem if known else target


def _source(vault: Vault, reference: str) -> Document:
    document = resolve(vault.corpus, reference)
    if document.type == "index":
        hint = f"vaultspec-core vault feature index --feature {document.feature or 'TAG'}"
        raise Refusal("generated-type", f"{document.relative} is generated; it links what its feature holds", hint)
    return document


def _target(corpus: Corpus, reference: str, force: bool) -> str:
    found = {document.stem for document in candidates(corpus, reference)}
    if len(found) == 1:
        return found.pop()
    stem = names.stem_of(link_target(reference).replace("\\", "/"))
    if not found and stem and (force or stem.casefold() in corpus.archived) and "]" not in stem and "\n" not in stem:
        return stem
    return resolve(corpus, reference).stem


def _entries(text: str, document: Document) -> list[str]:
    """The entries of `related`, all of them texts. Raises Refusal `frontmatter-unusual`."""
    said = split(text).fields.get("related")
    entries = list(split(text).texts("related"))
    if isinstance(said, list) and len(entries) != len(said):
        message = f"`related` of {document.relative} holds more than links"
        raise Refusal(
            "frontmatter-unusual", message, f"vaultspec-core vault check frontmatter --feature {document.feature}"
        )
    return entries


def _put(vault: Vault, document: Document, text: str, entries: list[str]) -> None:
    data = stamped(set_entries(text, "related", entries, AFTER), vault.today()).encode("utf-8")
    vault.disk.write(vault.path(document), data, expected=text.encode("utf-8"))
    vault.corpus.put(document.relative, data)
