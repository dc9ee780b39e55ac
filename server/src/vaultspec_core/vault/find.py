"""`find`: the features of a vault, or the documents that match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vaultspec_core.report import Refusal
from vaultspec_core.tool import Progress, unreported
from vaultspec_core.vault import names
from vaultspec_core.vault.document import SIZE_LIMIT, Document
from vaultspec_core.vault.graph import build
from vaultspec_core.vault.lifecycle import lifecycle
from vaultspec_core.vault.stamp import blob_hash
from vaultspec_core.vault.vault import Vault

DEFAULT_TYPES = ("adr", "plan", "research", "reference")
EXCERPT_CHARACTERS = 600
FULL_BYTES = 1 << 20
"""Total size of the whole documents in one answer; a document that does not fit any more is an excerpt."""

NO_RANKING = "graph ranking unavailable"


def run(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The tool: rows under `result`, and how many there are."""
    rows = find(vault, **arguments, progress=progress)
    return {"result": rows}, "1 row" if len(rows) == 1 else f"{len(rows)} rows"


def find(
    vault: Vault,
    feature: str | None = None,
    type: Sequence[str] | None = None,
    date: str | None = None,
    text: str | None = None,
    body: str = "none",
    json: bool = False,
    limit: int = 20,
    progress: Progress = unreported,
) -> list[dict[str, Any]]:
    """Rows for features when no filter is given, else for documents. Filters that match nothing give no rows."""
    vault.corpus.refresh(progress)
    if not (feature or type or date or text):
        return _features(vault, json, limit)
    found = _matching(vault, feature, type or DEFAULT_TYPES, date, text)[:limit]
    return _documents(vault, found, body, progress)


def _features(vault: Vault, enriched: bool, limit: int) -> list[dict[str, Any]]:
    corpus = vault.corpus
    graph = corpus.derived(build)
    rows = []
    for name in sorted(corpus.features)[:limit]:
        documents = corpus.features[name].values()
        row: dict[str, Any] = {"name": name, "doc_count": len(documents), "weight": graph.weights[name]}
        if not graph.complete:
            row |= {"weight": 0, "note": NO_RANKING}
        if enriched:
            row |= {
                "status": lifecycle(corpus, documents),
                "types": sorted({document.type for document in documents}),
                "earliest_date": min((document.date for document in documents if document.date), default=None),
                "has_plan": any(document.type == "plan" for document in documents),
            }
        rows.append(row)
    return rows


def _matching(
    vault: Vault, feature: str | None, types: Sequence[str], date: str | None, text: str | None
) -> list[Document]:
    """In the order of the types, by path within one."""
    corpus = vault.corpus
    documents = corpus.of_feature(names.normal_tag(feature)) if feature else list(corpus.documents.values())
    if date:
        day = _day(date)
        documents = [document for document in documents if document.date == day]
    if text:
        sought = text.casefold()
        documents = [
            document
            for document in documents
            if sought in document.stem.casefold() or sought in (document.feature or "").casefold()
        ]
    order = {kind: place for place, kind in reversed(list(enumerate(types)))}
    return sorted((one for one in documents if one.type in order), key=lambda one: order[one.type])


def _day(date: str) -> str:
    try:
        return names.calendar_date(date)
    except Refusal:
        return date


def _documents(vault: Vault, documents: Sequence[Document], body: str, progress: Progress) -> list[dict[str, Any]]:
    rows = []
    left = FULL_BYTES if body == "full" else 0
    for document in documents:
        progress(0, 0, "")
        data = _bytes(vault, document)
        row: dict[str, Any] = {
            "name": document.stem,
            "type": document.type,
            "feature": document.feature,
            "date": document.date,
            "path": document.relative,
            "blob_hash": None if data is None else blob_hash(data),
            "resource_uri": _uri(vault.root, document),
        }
        if body != "none":
            whole = data is not None and len(data) <= left
            left -= len(data) if data is not None and whole else 0
            row |= _body(data, document.size, whole)
        rows.append(row)
    return rows


def _bytes(vault: Vault, document: Document) -> bytes | None:
    """The document's bytes; None when they cannot be read or are too many."""
    if document.size > SIZE_LIMIT:
        return None
    try:
        return vault.read(document)
    except Refusal:
        return None


def _body(data: bytes | None, size: int, whole: bool) -> dict[str, Any]:
    try:
        text = None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    shown = text if text is None or whole else excerpt(text)
    return {
        "body": shown,
        "body_bytes": size if data is None else len(data),
        "body_truncated": shown is None or shown != text,
    }


def excerpt(text: str) -> str:
    """The first 600 characters, cut at the last line end in their second half."""
    if len(text) <= EXCERPT_CHARACTERS:
        return text
    head = text[:EXCERPT_CHARACTERS]
    cut = head.rfind("\n", EXCERPT_CHARACTERS // 2)
    return head if cut < 0 else head[:cut]


def _uri(root: Path, document: Document) -> str:
    return (root / document.relative).as_uri()
