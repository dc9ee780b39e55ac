"""`vault list`, `vault stats`, `vault feature list`: what the vault holds, filtered and by the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from vaultspec_core.checks.contract import ERROR
from vaultspec_core.checks.registry import suite
from vaultspec_core.checks.run import examined
from vaultspec_core.commands.opening import open_vault
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report, Table, counted
from vaultspec_core.vault import names
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.graph import build
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call

T = TypeVar("T")

_ADD = "vaultspec-core vault add research --feature my-feature"


def list_documents(call: Call) -> Report:
    """Documents by path."""
    vault = _opened(call)
    kind = _kind(call["doc_type"])
    found = _chosen(vault, kind, call["feature"], call["date"])
    page, paging = paged(call, found)
    data = {"documents": [_document_row(document) for document in page], **paging}
    rows = [(one.stem, one.type, one.feature or "", one.date or "") for one in page]
    body: list[Block] = [Table(("DOCUMENT", "TYPE", "FEATURE", "DATE"), rows)] if rows else []
    body += _footer(paging, "document")
    filtered = bool(kind or call["feature"] or call["date"])
    hint = (
        None
        if found
        else ("List all of them:", "vaultspec-core vault list")
        if filtered and vault.corpus.documents
        else ("Create one:", _ADD)
    )
    return Report("unchanged", data, body, hint=hint)


def stats(call: Call) -> Report:
    """Counts over the documents that the filters leave."""
    vault = _opened(call)
    graph = vault.corpus.derived(build)
    found = _chosen(vault, _kind(call["type"]), call["feature"], call["date"])
    if call["orphaned"]:
        orphaned = set(graph.orphaned)
        found = [document for document in found if document in orphaned]
    if call["invalid"]:
        invalid = {
            finding.path for row in examined(vault, suite()) for finding in row.findings if finding.severity == ERROR
        }
        found = [document for document in found if document.relative in invalid]
    chosen = set(found)
    counts = dict.fromkeys(names.TYPES, 0)
    for document in found:
        counts[document.type] = counts.get(document.type, 0) + 1
    data: dict[str, Any] = {
        "total_docs": len(found),
        "total_features": len({document.feature for document in found if document.feature}),
        "counts_by_type": counts,
        "orphaned_count": sum(document in chosen for document in graph.orphaned),
        "dangling_link_count": sum(link.document in chosen for link in graph.dangling),
    }
    body: list[Block] = [
        Line(f"{counted(data['total_docs'], 'document')}, {counted(data['total_features'], 'feature')}", "title"),
        Table(("TYPE", "DOCUMENTS"), [(kind, str(count)) for kind, count in counts.items() if count]),
        Line(f"orphaned: {data['orphaned_count']}", "warn" if data["orphaned_count"] else "dim"),
        Line(f"dangling links: {data['dangling_link_count']}", "warn" if data["dangling_link_count"] else "dim"),
    ]
    if not found:
        body.pop(1)
    hint = None if vault.corpus.documents else ("Create a document:", _ADD)
    if data["dangling_link_count"]:
        hint = ("See which:", "vaultspec-core vault check dangling")
    return Report("unchanged", data, body, hint=hint)


def list_features(call: Call) -> Report:
    """Features by name."""
    vault = _opened(call)
    kind = _kind(call["type"])
    orphaned = set(vault.corpus.derived(build).orphaned)
    stale = _stale_before(call, vault)
    found = []
    for name, members in sorted(vault.corpus.features.items()):
        row = _feature_row(name, list(members.values()))
        if (
            (kind is None or kind in row["types"])
            and (call["date"] is None or names.calendar_date(call["date"]) in {one.date for one in members.values()})
            and (not call["orphaned"] or not orphaned.isdisjoint(members.values()))
            and (stale is None or (row["latest_activity"] or "") < stale)
        ):
            found.append(row)
    page, paging = paged(call, found)
    rows = [
        (
            row["name"],
            str(row["doc_count"]),
            "yes" if row["has_plan"] else "no",
            row["latest_activity"] or "",
            ", ".join(row["types"]),
        )
        for row in page
    ]
    body: list[Block] = [Table(("FEATURE", "DOCUMENTS", "PLAN", "LATEST", "TYPES"), rows)] if rows else []
    body += _footer(paging, "feature")
    hint = None if vault.corpus.features else ("Begin one:", _ADD)
    return Report("unchanged", {"features": page, **paging}, body, hint=hint)


def paged(call: Call, found: Sequence[T]) -> tuple[list[T], dict[str, Any]]:
    """The part that `--offset` and `--limit` leave, and where the next begins. Raises Refusal `usage` for negative ones."""
    for key in ("limit", "offset"):
        if (value := call[key]) is not None and value < 0:
            raise Refusal("usage", f"--{key} must not be negative: {value}", exit_code=USAGE)
    first = call["offset"] or 0
    page = list(found[first:] if call["limit"] is None else found[first : first + call["limit"]])
    following = first + len(page)
    more = following < len(found)
    return page, {
        "returned": len(page),
        "total": len(found),
        "truncated": more,
        "next_offset": following if more else None,
    }


def _footer(paging: dict[str, Any], noun: str) -> list[Block]:
    if not paging["total"]:
        return [Line(f"No {noun}s.", "dim")]
    if paging["returned"] == paging["total"]:
        return [Line(counted(paging["total"], noun), "dim")]
    more = f"; the next: --offset {paging['next_offset']}" if paging["truncated"] else ""
    return [Line(f"{paging['returned']} of {counted(paging['total'], noun)}{more}", "dim")]


def _opened(call: Call) -> Vault:
    vault = open_vault(call)
    vault.corpus.refresh()
    return vault


def _kind(said: str | None) -> str | None:
    if said is None:
        return None
    kind = said.strip().lower()
    if kind not in (*names.TYPES, names.UNKNOWN):
        raise Refusal(
            "invalid-type", f"there is no document type {said!r}; types: {', '.join(names.TYPES)}", exit_code=USAGE
        )
    return kind


def _chosen(vault: Vault, kind: str | None, feature: str | None, date: str | None) -> list[Document]:
    """The documents of a type, of a feature and of a day, by path; None lets all pass."""
    tag = names.normal_tag(feature) if feature else None
    day = names.calendar_date(date) if date else None
    return [
        document
        for document in vault.corpus.documents.values()
        if (kind is None or document.type == kind)
        and (tag is None or document.feature == tag)
        and (day is None or document.date == day)
    ]


def _document_row(document: Document) -> dict[str, Any]:
    return {
        "path": document.relative,
        "doc_type": document.type,
        "feature": document.feature,
        "date": document.date,
    }


def _feature_row(name: str, members: Sequence[Document]) -> dict[str, Any]:
    return {
        "name": name,
        "doc_count": len(members),
        "types": sorted({document.type for document in members}),
        "earliest_date": min((one.date for one in members if one.date and names.is_day(one.date)), default=None),
        "latest_activity": max((one.activity for one in members if one.activity), default=None),
        "has_plan": any(document.type == "plan" for document in members),
    }


def _stale_before(call: Call, vault: Vault) -> str | None:
    """The day before which the last activity counts as long ago."""
    days = call["stale_days"]
    if days is None:
        return None
    if not 0 <= days < 36500:
        raise Refusal("usage", f"--stale-days must be between 0 and 36499: {days}", exit_code=USAGE)
    from datetime import date, timedelta

    return (date.fromisoformat(vault.today()) - timedelta(days=days)).isoformat()
