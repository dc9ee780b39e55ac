"""`vault add | edit | set-body | set-frontmatter`, on the same functions as the tools `create` and `edit`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vaultspec_core.dry_run import DryDisk
from vaultspec_core.files import Disk
from vaultspec_core.report import FINDINGS, OK, USAGE, Block, Diff, Line, Refusal, Report
from vaultspec_core.vault.create import create
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.edit import edit
from vaultspec_core.vault.metadata import with_metadata
from vaultspec_core.vault.resolve import resolve
from vaultspec_core.vault.stamp import blob_hash
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call

from .editor import edited_in_editor

SPEC = ("feature", "title", "date", "related", "tags", "tier", "topic", "content")


def _quiet(done: int, total: int, message: str) -> None:
    return None


def _vault(call: Call) -> tuple[Vault, DryDisk | None]:
    disk = DryDisk() if call.dry_run else None
    return Vault.open(call.target, disk or Disk()), disk


def add(call: Call) -> Report:
    """Create one document."""
    if not call["feature"]:
        raise Refusal("usage", "--feature is required", "vaultspec-core vault add --help", exit_code=USAGE)
    vault, dry = _vault(call)
    spec = {key: call[key] or None for key in SPEC} | {"type": call["doc_type"]}
    if call["topic"] is not None:
        spec["topic"] = call["topic"]
    answer = create(vault, [spec], _quiet)
    item = answer["items"][0]
    if item["error"] is not None:
        raise Refusal(item["error"].get("code", "failed"), item["error"]["message"], data={"target": item["target"]})
    data = {
        "path": item["path"],
        "type": call["doc_type"],
        "name": Path(item["path"]).stem,
        "blob_hash": item["blob_hash"],
    }
    data |= {"converged": answer["converged"], "warnings": item["warnings"], "dry_run": call.dry_run}
    word = "Would create" if dry else "Created"
    body: list[Block] = [Line(f"{word} {item['path']}", "good")]
    body += [
        Line(f"  refreshed {row['name']} in {row['file']}: {row['from']} -> {row['to']} ({row['reason']})")
        for row in answer["converged"]
    ]
    hint = None if call["no_hints"] or dry else ("Write it with:", f"vaultspec-core vault edit {data['name']}")
    return _report("unchanged" if dry else "created", data, body, dry, vault, item["warnings"], hint)


def set_body(call: Call) -> Report:
    """Replace the body."""
    vault, dry = _vault(call)
    operation = {"target": call["ref"], "operation": "set_body", "content": _body(call)}
    return _edited(vault, dry, operation | {"expected_blob_hash": call["expected_blob_hash"]})


def set_frontmatter(call: Call) -> Report:
    """Set fields."""
    if not (call["date"] or call["tags"] or call["related"]):
        raise Refusal("usage", "nothing to set: give --date, --tags or --related", exit_code=USAGE)
    vault, dry = _vault(call)
    return _with_fields(call, vault, dry)


def edit_document(call: Call) -> Report:
    """Body and fields from flags, or the body in an editor where a person is."""
    vault, dry = _vault(call)
    if call["date"] or call["tags"] or call["related"]:
        report = _with_fields(call, vault, dry)
        if not (call["body_file"] or call["body_stdin"]):
            return report
    elif not (call["body_file"] or call["body_stdin"]):
        return _in_editor(call, vault, dry)
    return _edited(vault, dry, {"target": call["ref"], "operation": "set_body", "content": _body(call)})


def _in_editor(call: Call, vault: Vault, dry: DryDisk | None) -> Report:
    vault.corpus.refresh()
    document = resolve(vault.corpus, call["ref"])
    before = vault.read(document) or b""
    content = edited_in_editor(call, before.decode("utf-8", "replace"), document)
    operation = {"target": document.relative, "operation": "set_body", "content": content}
    return _edited(vault, dry, operation | {"expected_blob_hash": blob_hash(before)})


def _body(call: Call) -> str:
    """The new body from the one place that was named. A file is read as the user named it; it must be text."""
    if bool(call["body_file"]) == bool(call["body_stdin"]):
        raise Refusal("usage", "give one of --body-file and --body-stdin", exit_code=USAGE)
    data = call.stdin() if call["body_stdin"] else Disk().read(Path(call["body_file"]).absolute())
    if data is None:
        raise Refusal("no-file", f"{call['body_file']} does not exist")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal("not-utf-8", f"the body is not UTF-8: byte {error.start}") from error


def _edited(vault: Vault, dry: DryDisk | None, operation: Mapping[str, Any]) -> Report:
    item = edit(vault, [operation], _quiet)["items"][0]
    if item["error"] is not None:
        error = dict(item["error"])
        raise Refusal(error.pop("code", "failed"), error.pop("message"), data={"path": item["path"], **error})
    return _changed(vault, dry, item["path"], item["blob_hash"], item["status"], item["warnings"])


def _with_fields(call: Call, vault: Vault, dry: DryDisk | None) -> Report:
    def change(document: Document, text: str) -> str:
        return with_metadata(vault.corpus, document, text, vault.today(), call["date"], call["tags"], call["related"])

    path, digest, changed = rewrite(vault, call["ref"], call["expected_blob_hash"], change)
    return _changed(vault, dry, path, digest, "updated" if changed else "unchanged", [])


def rewrite(
    vault: Vault, reference: str, expected: str | None, change: Callable[[Document, str], str]
) -> tuple[str, str, bool]:
    """Change one document's text under the lock: its path, the hash afterwards, and whether anything changed.

    Raises Refusal: unresolved, `conflict`, `not-utf-8`, or what `change` raises.
    """
    with vault.hold():
        vault.corpus.refresh()
        document = resolve(vault.corpus, reference)
        before = vault.read(document) or b""
        if expected is not None and expected != blob_hash(before):
            data = {"conflict": True, "expected": expected, "actual": blob_hash(before)}
            raise Refusal("conflict", "Blob-hash conflict: document changed on disk since it was read", data=data)
        try:
            after = change(document, before.decode("utf-8")).encode("utf-8")
        except UnicodeDecodeError as error:
            raise Refusal("not-utf-8", f"{document.relative} is not UTF-8: byte {error.start}") from error
        if after != before:
            vault.write(document, after, expected=before)
            vault.corpus.put(document.relative, after)
        return document.relative, blob_hash(after), after != before


def _changed(vault: Vault, dry: DryDisk | None, path: str, digest: str, status: str, warnings: list[str]) -> Report:
    changed = status != "unchanged"
    data = {"path": path, "blob_hash": digest, "changed": changed, "warnings": warnings, "dry_run": dry is not None}
    word = "Nothing to change in" if not changed else "Would change" if dry else "Changed"
    return _report("unchanged" if dry else status, data, [Line(f"{word} {path}")], dry, vault, warnings, None)


def _report(
    status: str,
    data: dict[str, Any],
    body: list[Block],
    dry: DryDisk | None,
    vault: Vault,
    warnings: list[str],
    hint: tuple[str, str] | None,
) -> Report:
    if dry is not None:
        data["diff"] = dry.diff(vault.root)
        body.append(Diff(data["diff"]))
    return Report(status, data, body, warnings, OK if status != "failed" else FINDINGS, hint)
