"""Edit the prose of documents: read, compare, compose and write under the vault's one lock, so that nobody's edit is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vaultspec_core.batch import FAILED, demand_at_most, envelope, summary
from vaultspec_core.files import Changed
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.model import Plan
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Progress
from vaultspec_core.vault.document import SIZE_LIMIT, Document, demand_fitting
from vaultspec_core.vault.resolve import resolve
from vaultspec_core.vault.section import Body, body_content
from vaultspec_core.vault.stamp import blob_hash, stamped
from vaultspec_core.vault.vault import Vault

LIMIT = 200
OPERATIONS = ("append_section", "replace_section", "set_body")
OWNED = {
    "index": "A feature index is generated; rebuild it with `vaultspec-core vault feature index`.",
    "exec": "An execution ledger is appended to with the `log` tool or `vaultspec-core vault exec log`.",
}
"""Types whose whole body belongs to a verb."""

_PLAN_VERBS = "which belong to plan_edit and plan_progress (`vaultspec-core vault plan step ...`)"


def run(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The `edit` tool."""
    answer = edit(vault, arguments["operations"], progress)
    return answer, summary(answer)


def edit(vault: Vault, operations: Sequence[Mapping[str, Any]], progress: Progress) -> dict[str, Any]:
    """Apply each operation to the document as the one before it left it. Raises Refusal `empty-batch`, `batch-too-large`."""
    if not operations:
        raise Refusal("empty-batch", "edit requires at least one operation")
    demand_at_most(LIMIT, "edit", "items", operations)
    items = []
    with vault.hold():
        vault.corpus.refresh()
        for index, operation in enumerate(operations):
            items.append(_item(vault, index, operation))
            progress(index + 1, len(operations), str(items[-1]["target"]))
    return envelope(items)


def _item(vault: Vault, index: int, operation: Mapping[str, Any]) -> dict[str, Any]:
    item: dict[str, Any] = {
        "index": index,
        "target": operation["target"],
        "status": FAILED,
        "path": None,
        "blob_hash": None,
        "error": None,
        "warnings": [],
    }
    try:
        _check(operation)
        document = resolve(vault.corpus, operation["target"])
        item["path"] = document.relative
        before = _bytes(vault, document, operation.get("expected_blob_hash"))
        after, item["warnings"] = composed(document, before, operation, vault.today())
        if after != before:
            vault.write(document, after, expected=before)
            vault.corpus.put(document.relative, after)
    except Refusal as refusal:
        item["error"] = {"message": refusal.message, "code": refusal.code, **refusal.data}
        return item
    except Changed:
        item["error"] = {"message": "The document changed on disk while it was edited", "conflict": True}
        return item
    return item | {"status": "unchanged" if after == before else "updated", "blob_hash": blob_hash(after)}


def _check(operation: Mapping[str, Any]) -> None:
    kind = operation["operation"]
    if kind not in OPERATIONS:
        raise Refusal("unknown-operation", f"Unknown edit operation: {kind}. Allowed: {', '.join(OPERATIONS)}.")
    if kind != "set_body" and not (operation.get("section") or "").strip():
        raise Refusal("section-required", f"'{kind}' requires a section heading")


def _bytes(vault: Vault, document: Document, expected: str | None) -> bytes:
    """The document's bytes now. Raises Refusal: `conflict` when they are not what the caller has read."""
    if document.type in OWNED:
        raise Refusal("owned-document", OWNED[document.type])
    before = vault.read(document)
    if before is None:
        raise Refusal("unresolved-document", f"Cannot resolve document: {document.stem!r}")
    actual = blob_hash(before)
    if expected is not None and expected != actual:
        data = {"conflict": True, "expected": expected, "actual": actual}
        raise Refusal("conflict", "Blob-hash conflict: document changed on disk since it was read", data=data)
    if len(before) > SIZE_LIMIT:
        raise Refusal("too-large", f"The document has {len(before)} bytes; the limit for edits is {SIZE_LIMIT}.")
    return before


def composed(document: Document, before: bytes, operation: Mapping[str, Any], today: str) -> tuple[bytes, list[str]]:
    """The document's bytes after the operation, and warnings. An equal body gives the same bytes.

    Raises Refusal, also when rows of a plan would change: they belong to the plan's own verbs.
    """
    try:
        text = before.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal("not-utf-8", f"{document.relative} is not UTF-8: byte {error.start}") from error
    content, warnings = body_content(operation["content"])
    body = Body(text)
    match operation["operation"]:
        case "append_section":
            new = body.appended(operation["section"], content)
        case "replace_section":
            new = body.replaced(operation["section"], content)
        case _:
            new = body.whole(content)
    if new == text:
        return before, warnings
    after = stamped(new, today).encode("utf-8")
    demand_fitting(after)
    if document.type == "plan" and _owned_lines(parse_text(text)) != _owned_lines(parse_text(new)):
        raise Refusal(
            "plan-rows",
            f"The edit would change rows, headings or identifiers of the plan, {_PLAN_VERBS}.",
        )
    return after, warnings


def _owned_lines(plan: Plan) -> list[str]:
    """The lines of a plan that its verbs own, in order: rows, containers, and what no longer parses but holds an identifier."""
    lines = plan.structure.lines
    numbers = {step.line for step in plan.steps} | {part.line for part in (*plan.waves, *plan.phases)}
    rows = [lines[number].rstrip("\r\n") for number in sorted(numbers)]
    return [*rows, *sorted(plan.retired), *sorted(plan.strays)]


def seeded(kind: str, text: str, content: str) -> tuple[str, list[str]]:
    """A new document with the content under `## Context` at its end, and warnings.

    Raises Refusal for unwritable content, also when it would make rows of a plan.
    """
    content, warnings = body_content(content)
    body = Body(text)
    lines = body.lines_of(content)
    if not lines:
        return text, warnings
    new = text.rstrip("\n") + "\n\n## Context\n\n" + "".join(lines)
    if kind == "plan" and _owned_lines(parse_text(text)) != _owned_lines(parse_text(new)):
        raise Refusal("plan-rows", f"it would make rows, headings or identifiers of the plan, {_PLAN_VERBS}.")
    return new, warnings
