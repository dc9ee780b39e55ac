"""`uninstall`: what is recorded as ours and unedited goes, everything else stays and is listed with the reason."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from vaultspec_core.changeset import Change, Changeset
from vaultspec_core.files import Disk
from vaultspec_core.lock import hold
from vaultspec_core.report import FINDINGS, OK, USAGE, Block, Line, Refusal, Report
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK, VAULT, lock_seconds
from vaultspec_providers.contract import Scope

from .. import declaration as declarations
from .. import manifest as manifests
from ..blocks import PARTS as BLOCKS
from ..blocks import remove_part
from ..committing import committed, composed
from ..decide import Wish
from ..enrollment import Result, carry_out, preview
from ..framework import FileRow, take_away
from ..hook import Rendering, converge, lines, look, troubles
from ..narrate import body, items, warnings
from ..narrate import diff as diff_of
from ..provision import VAULT_FOLDERS, bundled
from ..reconcile import Command
from ..survey import TargetSurvey, ownership_path, usable_home
from ..target import ALL, provider_named


def uninstall(call: Call) -> Report:
    """Take the product out of the workspace, or one client out of it."""
    if not (call["force"] or call.dry_run):
        if not call.terminal:
            raise Refusal(
                "unconfirmed",
                "uninstall asks before it removes anything",
                "vaultspec-core uninstall --force",
                exit_code=USAGE,
            )
        if not call.ask(f"Take vaultspec out of {call.target}?"):
            return Report(
                "unchanged", {"action": "uninstall", "items": [], "files": []}, [Line("Nothing was removed.")]
            )
    named = provider_named(call["provider"]).name if call["provider"] not in (None, ALL) else None
    # Everything is judged before the first write, so that a refusal leaves the workspace as it was.
    previews = [] if "mcp" in call["skip"] else _previews(call, named or ALL)
    hooks = [] if "hooks" in call["skip"] else look(call.target, call.environ, Disk().read, named or ALL, removing=True)
    faulty = any(result.faults for result in previews) or _failed(hooks)

    def compose(files: Changeset) -> list[FileRow]:
        return _remove_provider(call, files, named) if named else _remove_framework(call, files, keep=faulty)

    rows, changes = composed(compose)
    if call.dry_run:
        return _report(call, previews, hooks, rows, changes)
    results = [_carry_out(call, result, named or ALL) for result in previews]
    if hooks:
        hooks = converge(call.target, call.environ, Disk(), named or ALL, removing=True)
    faulty = faulty or any(result.faults for result in results) or _failed(hooks)
    with hold(call.target / FRAMEWORK, lock_seconds(call.environ)):
        rows, changes = committed(compose)
        _remove_folders(call, whole=named is None and not faulty)
    return _report(call, results, hooks, rows, changes)


def _failed(hooks: list[Rendering]) -> bool:
    return any(row.outcome == "failed" for one in hooks for row in one.rows)


def _previews(call: Call, chosen: str) -> list[Result]:
    """What would be done at each scope where something of this workspace is recorded or stands. A scope that no installed client
    has, or that needs a home where there is none, is passed over; so is a host file that cannot be read and holds nothing of ours."""
    found: list[Result] = []
    for scope in Scope:
        if scope is not Scope.PROJECT and usable_home(call.environ) is None:
            continue
        try:
            result = preview(call.target, call.environ, scope, chosen, Wish(Command.UNINSTALL), Disk())
        except Refusal as refusal:
            if refusal.code not in ("unsupported-scope", "not-installed"):
                raise
            continue
        result.edits = [edit for edit in result.edits if edit.fault is None or _records(edit.surveyed)]
        if scope is not Scope.PROJECT:
            # Nobody asked for a scope here, so that a client without one is nothing to tell.
            result.found.notes = []
        if result.decisions or result.faults:
            found.append(result)
    return found


def _records(surveyed: TargetSurvey) -> bool:
    return bool(surveyed.record.managed or surveyed.record.pending)


def _carry_out(call: Call, judged: Result, chosen: str) -> Result:
    result = carry_out(call.target, call.environ, judged.found.scope, chosen, Wish(Command.UNINSTALL), Disk())
    result.edits = [edit for edit in result.edits if edit.fault is None or _records(edit.surveyed)]
    result.found.notes = judged.found.notes
    return result


def _remove_provider(call: Call, files: Changeset, name: str) -> list[FileRow]:
    manifest = manifests.load_manifest(call.target, files.read)
    rest = tuple(known for known in manifest.installed if known != name)
    if rest == manifest.installed:
        return []
    path = manifests.path_of(call.target)
    files.write(path, manifest.with_providers(rest, "").to_bytes(""))
    return [FileRow(path.relative_to(call.target).as_posix(), "updated")]


def _remove_framework(call: Call, files: Changeset, *, keep: bool) -> list[FileRow]:
    """`keep`: a host file could not be cleaned, so that the records which know what is ours in it must stay."""
    root = call.target
    rows = [remove_part(files, root, part) for part in BLOCKS if part not in call["skip"]]
    if keep:
        return rows
    manifest = manifests.load_manifest(root, files.read)
    declaration = declarations.load(root, files.read)
    rows += take_away(files, root, manifest, bundled(declaration))
    for path in (declarations.path_of(root), manifests.path_of(root)):
        if files.read(path) is None:
            continue
        shown = path.relative_to(root).as_posix()
        if declaration.newer and path == declaration.path:
            rows.append(FileRow(shown, "kept", "written by a newer release"))
            continue
        files.remove(path)
        rows.append(FileRow(shown, "removed"))
    gone = {change.path for change in files.changes()}
    record = ownership_path(root, Scope.PROJECT, call.environ)
    rows += [
        FileRow(path.relative_to(root).as_posix(), "kept", _why(path, record))
        for path in sorted((root / FRAMEWORK).rglob("*"))
        if path.is_file() and path not in gone and path not in (record, declaration.path)
    ]
    vault = root / VAULT
    if vault.is_dir() and not vault.is_symlink() and (call["remove_vault"] or _is_bare(vault)):
        rows.append(FileRow(f"{VAULT}/", "removed", "as you asked" if call["remove_vault"] else "nothing was in it"))
    return rows


def _is_bare(vault: Path) -> bool:
    """Whether there is nothing but folders that install makes."""
    ours = (*VAULT_FOLDERS, "data")
    return all(
        path.name in ours and path.is_dir() and not path.is_symlink() and not any(path.iterdir())
        for path in vault.iterdir()
    )


def _why(path: Path, record: Path) -> str:
    bad = path.parent == record.parent and path.name.startswith(f"{record.name}.bad")
    return "a damaged record that was set aside" if bad else "yours, not part of what was installed"


def _remove_folders(call: Call, *, whole: bool) -> None:
    """Empty folders of ours, innermost first; the vault only when that was asked for."""
    if not whole:
        return
    disk, framework = Disk(), call.target / FRAMEWORK
    for folder in sorted((path for path in framework.rglob("*") if path.is_dir()), reverse=True):
        disk.remove_empty(folder)
    disk.remove_empty(framework)
    home = usable_home(call.environ)
    if home is not None:
        disk.remove_empty(home / FRAMEWORK)
    vault = call.target / VAULT
    if vault.is_symlink():
        return
    if call["remove_vault"] and vault.is_dir():
        try:
            shutil.rmtree(vault)
        except OSError as error:
            reason = error.strerror or error.__class__.__name__
            raise Refusal(
                "unwritable", f"{error.filename or vault} cannot be removed: {reason}", f"rm -r {vault}"
            ) from error
        return
    # Only the folders that install makes, and only while nothing is in them.
    for name in (*VAULT_FOLDERS, "data"):
        if not (vault / name).is_symlink():
            disk.remove_empty(vault / name)
    disk.remove_empty(vault)


def _report(
    call: Call, results: list[Result], hooks: list[Rendering], rows: list[FileRow], changes: list[Change]
) -> Report:
    told = [row for row in rows if row.outcome != "unchanged"]
    entries: list[dict[str, Any]] = [
        row | {"scope": result.found.scope.value} for result in results for row in items(result)
    ]
    rendered = [row for one in hooks for row in one.rows if row.outcome != "unchanged"]
    moved = [one.change for one in hooks if one.change is not None]
    said = [*(line for result in results for line in warnings(result)), *troubles(rendered)]
    kept = any(row["outcome"] in ("skipped", "failed") for row in [*entries, *(row.data() for row in rendered)])
    vault = call.target / VAULT
    data: dict[str, Any] = {
        "action": "uninstall",
        "path": str(call.target),
        "items": entries,
        "files": [row.data() for row in told],
        "keep_vault": not call["remove_vault"],
        "dry_run": call.dry_run,
        "warnings": said,
    }
    if rendered:
        data["hooks"] = [row.data() for row in rendered]
    blocks: list[Block] = [
        Line(f"{'Would remove' if call.dry_run else 'Removed'} vaultspec from {call.target}", "title"),
        *lines(rendered),
    ]
    for row in told:
        tone = "warn" if row.outcome == "kept" else "change"
        blocks.append(Line(f"  {row.outcome} {row.path}" + (f": {row.reason}" if row.reason else ""), tone))
    for result in results:
        if any(decision.outcome != "unchanged" for decision in result.decisions) or result.faults:
            blocks += body(result, dry_run=call.dry_run)
    if vault.is_dir() and all(row.path != f"{VAULT}/" for row in told):
        blocks.append(Line(f"  kept {VAULT}/: your documents (--remove-vault deletes them)", "dim"))
    if call["diff"]:
        shown = diff_of([*(c for result in results for c in result.changes), *moved, *changes], call.target)
        data["diff"] = shown.text
        blocks.append(shown)
    changed = bool(changes or moved) or any(result.changes for result in results)
    status = "mixed" if kept else "removed" if changed else "unchanged"
    return Report(status, data, blocks, said, exit_code=FINDINGS if kept else OK)
