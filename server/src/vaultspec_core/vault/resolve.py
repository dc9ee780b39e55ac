"""What a reference means: one rule for documents, one for plans, one for the target of `status`."""

from __future__ import annotations

import os
import posixpath

from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document, link_target

SUGGESTIONS = 5


def candidates(corpus: Corpus, reference: str) -> list[Document]:
    """The documents that a stem, file name, path or wiki-link names: none, one, or several with the same stem.

    A path (from the workspace, from the vault, or absolute) names the document at that path and no other. Case counts only
    where it tells two documents apart.
    """
    target = link_target(reference)
    if not target or not _could_be_a_name(target):
        return []
    slashed = target.replace("\\", "/")
    if "/" in slashed:
        return _at_path(corpus, slashed)
    found = corpus.stems.get(target.casefold(), ())
    exact = [document for document in found if document.stem == target]
    return exact or list(found)


def resolve(corpus: Corpus, reference: str) -> Document:
    """The one document that the reference names. Raises Refusal `unresolved-document` or `ambiguous-document`."""
    found = candidates(corpus, reference)
    if not found:
        raise Refusal("unresolved-document", f"Cannot resolve document: {reference!r}", "Look it up with find.")
    if len(found) > 1:
        raise _ambiguous("document", reference, [document.relative for document in found], "address one by its path")
    return found[0]


def resolve_plan(corpus: Corpus, reference: str) -> Document:
    """The one plan that the reference names: its stem or path, else a feature with exactly one plan.

    Raises Refusal `unresolved-plan` or `ambiguous-plan`.
    """
    plans = plans_by_name(corpus, reference) or plans_of_feature(corpus, names.normal_tag(reference))
    if not plans:
        raise Refusal(
            "unresolved-plan",
            f"Cannot resolve plan {reference!r}: no plan document matches it by stem, path, or feature tag."
            + suggestion(corpus, reference),
        )
    if len(plans) > 1:
        if len({plan.stem for plan in plans}) < len(plans):
            raise _ambiguous("plan", reference, [plan.relative for plan in plans], "address one by its path")
        raise _ambiguous("plan", reference, [plan.stem for plan in plans], "address one by its stem")
    return plans[0]


def plans_by_name(corpus: Corpus, reference: str) -> list[Document]:
    """The plans that the reference names by stem, file name, path or wiki-link."""
    return [document for document in candidates(corpus, reference) if document.type == "plan"]


def plans_of_feature(corpus: Corpus, feature: str) -> list[Document]:
    """The plans of a feature, by path."""
    return [document for document in corpus.of_feature(feature) if document.type == "plan"]


def suggestion(corpus: Corpus, reference: str) -> str:
    """` Did you mean: #auth, 2026-07-01-auth-plan?`, or nothing."""
    words = names.normal_tag(link_target(reference))
    known = [f"#{feature}" for feature in sorted(corpus.features)]
    known += [document.stem for document in corpus.documents.values() if document.type == "plan"]
    close = [name for name in known if words and words in name.lower()]
    if not close and words:
        from difflib import get_close_matches

        close = get_close_matches(words, known, SUGGESTIONS, 0.6)
    return f" Did you mean: {', '.join(close[:SUGGESTIONS])}?" if close else ""


def _could_be_a_name(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _at_path(corpus: Corpus, path: str) -> list[Document]:
    if posixpath.isabs(path) or os.path.isabs(path):
        inside = _inside(corpus, path)
        if inside is None:
            return []
        path = inside
    path = f"{posixpath.normpath(path)}.md"
    for relative in (path, f"{names.VAULT}/{path}"):
        found = corpus.documents.get(relative)
        if found is not None:
            return [found]
    folded = {path.casefold(), f"{names.VAULT}/{path}".casefold()}
    stem = names.stem_of(path).casefold()
    return [document for document in corpus.stems.get(stem, ()) if document.relative.casefold() in folded]


def _inside(corpus: Corpus, path: str) -> str | None:
    """An absolute path as one from the workspace; None when it is not in there."""
    for root, place in ((str(corpus.root), os.path.normpath(path)), _real(corpus, path)):
        if place.startswith(os.path.join(root, "")):
            return os.path.relpath(place, root).replace(os.sep, "/")
    return None


def _real(corpus: Corpus, path: str) -> tuple[str, str]:
    folder, name = os.path.split(path)
    return os.path.realpath(corpus.root), os.path.join(os.path.realpath(folder), name)


def _ambiguous(noun: str, reference: str, found: list[str], advice: str) -> Refusal:
    listed = ", ".join(sorted(found))
    return Refusal(
        f"ambiguous-{noun}",
        f"{reference!r} names {len(found)} {noun}s; {advice} instead: {listed}",
        data={"candidates": sorted(found)},
    )
