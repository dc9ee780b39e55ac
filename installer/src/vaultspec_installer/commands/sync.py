"""`sync`: everything that is managed in the workspace, in the project's own files."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Disk
from vaultspec_core.load import load
from vaultspec_core.lock import hold
from vaultspec_core.report import FINDINGS, Block, Line, Refusal, Report
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK, lock_seconds
from vaultspec_providers.contract import Scope

from .. import declaration as declarations
from .. import manifest as manifests
from ..blocks import PARTS, converge_part, left_out
from ..committing import committed, composed
from ..decide import Wish
from ..framework import FileRow
from ..narrate import diff as diff_of
from ..reconcile import Command
from ..survey import enrolled, load_ownership, ownership_path
from ..target import ALL
from .enrollment import enroll

if TYPE_CHECKING:
    from ..hook import Rendering


def sync(call: Call) -> Report:
    """Blocks first, then enrollment; each part says what it did."""
    looking = call.dry_run or call["check"]
    rows, shown = composed(lambda files: _compose(call, files))
    if shown and not looking:
        with hold(call.target / FRAMEWORK, lock_seconds(call.environ)):
            committed(lambda files: _compose(call, files))
    wish = Wish(Command.SYNC, call["force"], call["prune"], call["strict_secrets"])
    report = enroll(call, wish, Scope.PROJECT, call["provider"] or ALL, skip=tuple(call["skip"]))
    hooks, fault = ([], None) if "hooks" in call["skip"] else _hooks(call, looking=looking)
    rendered = [row for one in hooks for row in one.rows if row.outcome != "unchanged"]
    told = [row for row in rows if row.outcome != "unchanged"]
    blocks: list[Block] = [Line(f"{row.outcome} {row.path}", "change") for row in told]
    said = [fault.message] if fault else []
    if rendered:
        blocks += load("vaultspec_installer.hook:lines")(rendered)
        said = [*load("vaultspec_installer.hook:troubles")(rendered), *said]
    data = {**report.data, "files": [row.data() for row in told]}
    if rendered:
        data["hooks"] = [row.data() for row in rendered]
    if said:
        data["warnings"] = [*report.data.get("warnings", ()), *said]
    moved = [one.change for one in hooks if one.change is not None]
    if call["diff"]:
        parts = diff_of([*shown, *moved], call.target)
        data["diff"] = parts.text + report.data.get("diff", "")
        blocks.append(parts)
    status = report.status if not (told or moved) or report.status != "unchanged" else "updated"
    failed = fault is not None or any(row.outcome == "failed" for row in rendered)
    code = FINDINGS if failed or (call["check"] and (shown or moved)) else report.exit_code
    return report._replace(
        status=status, data=data, body=[*blocks, *report.body], warnings=[*report.warnings, *said], exit_code=code
    )


def _hooks(call: Call, *, looking: bool) -> tuple[list[Rendering], Refusal | None]:
    """What became of the hooks, or why nothing could: what else a sync does is done by then, and stays told."""
    chosen, record = call["provider"] or ALL, ownership_path(call.target, Scope.PROJECT, call.environ)
    if not os.path.isdir(call.target / FRAMEWORK / "hooks") and b':hooks"' not in (Disk().read(record) or b""):
        return [], None
    try:
        if looking:
            return load("vaultspec_installer.hook:look")(call.target, call.environ, Disk().read, chosen), None
        return load("vaultspec_installer.hook:converge")(call.target, call.environ, Disk(), chosen), None
    except Refusal as refusal:
        return [], refusal


def _compose(call: Call, files: Changeset) -> list[FileRow]:
    root = call.target
    declaration = declarations.load(root, files.read)
    out = left_out(declaration) | set(call["skip"])
    rows = [converge_part(files, root, part, declaration) for part in PARTS if part not in out]
    manifest = manifests.load_manifest(root, files.read)
    if not manifest.present and declaration.packages:
        # A fresh clone: this machine gets a record of its own.
        names = enrolled(root, manifest, load_ownership(root, Scope.PROJECT, call.environ, files.read))
        now = datetime.now(UTC).isoformat()
        path = manifests.path_of(root)
        left = load("vaultspec_installer.migrating:pending")(root, call.environ, files.read)
        version = load("vaultspec_installer.migrating:reached")("", left)
        manifest = manifest.with_providers(tuple(names), now).with_value("vaultspec_version", version)
        files.write(path, manifest.to_bytes(now))
        rows.append(FileRow(path.relative_to(root).as_posix(), "created"))
    return rows
