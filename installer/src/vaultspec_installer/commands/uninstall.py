"""`uninstall`: what is recorded as ours and unedited goes, everything else stays and is listed with the reason."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
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
from ..decide import Wish
from ..enrollment import Result, carry_out, preview
from ..framework import FileRow, take_away
from ..hook import Rendering, converge, lines, look, troubles
from ..narrate import body, items, warnings
from ..narrate import diff as diff_of
from ..provision import bundled
from ..reconcile import Command
from ..survey import ownership_path, usable_home
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
    results = [] if "mcp" in call["skip"] else list(_enrollment(call, named or ALL))
    hooks = [] if "hooks" in call["skip"] else _hooks(call, named or ALL)
    faults = any(result.faults for result in results) or any(
        row.outcome == "failed" for one in hooks for row in one.rows
    )
    files = Changeset(Disk())
    rows = _remove_provider(call, files, named) if named else _remove_framework(call, files, keep=faults)
    changes = files.changes()
    if not call.dry_run:
        with hold(call.target / FRAMEWORK, lock_seconds(call.environ)):
            files.commit()
            _remove_folders(call, whole=named is None and not faults)
    return _report(call, results, hooks, rows, changes)


def _hooks(call: Call, chosen: str) -> list[Rendering]:
    if call.dry_run:
        return look(call.target, call.environ, Disk().read, chosen, removing=True)
    return converge(call.target, call.environ, Disk(), chosen, removing=True)


def _enrollment(call: Call, chosen: str) -> Iterator[Result]:
    """Every scope in turn; a scope that no installed client has, or that needs a home where there is none, is passed over."""
    disk, wish = Disk(), Wish(Command.UNINSTALL)
    for scope in Scope:
        if scope is not Scope.PROJECT and usable_home(call.environ) is None:
            continue
        try:
            run = preview if call.dry_run else carry_out
            result = run(call.target, call.environ, scope, chosen, wish, disk)
            # Nobody asked for a scope here, so that a client without one is nothing to tell.
            result.found.notes = [] if scope is not Scope.PROJECT else result.found.notes
            yield result
        except Refusal as refusal:
            if refusal.code not in ("unsupported-scope", "not-installed"):
                raise


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
        if files.read(path) is not None:
            files.remove(path)
            rows.append(FileRow(path.relative_to(root).as_posix(), "removed"))
    gone = {change.path for change in files.changes()}
    record = ownership_path(root, Scope.PROJECT, call.environ)
    rows += [
        FileRow(path.relative_to(root).as_posix(), "kept", "not written by vaultspec")
        for path in sorted((root / FRAMEWORK).rglob("*"))
        if path.is_file() and path not in gone and path != record
    ]
    return rows


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
    if call["remove_vault"] and vault.is_dir() and not vault.is_symlink():
        shutil.rmtree(vault)
        return
    for folder in sorted((path for path in vault.rglob("*") if path.is_dir()), reverse=True):
        disk.remove_empty(folder)
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
    if not call["remove_vault"] and vault.is_dir():
        blocks.append(Line(f"  kept {VAULT}/: your documents (--remove-vault deletes them)", "dim"))
    if call["diff"]:
        shown = diff_of([*(c for result in results for c in result.changes), *moved, *changes], call.target)
        data["diff"] = shown.text
        blocks.append(shown)
    changed = bool(changes or moved) or any(result.changes for result in results)
    status = "mixed" if kept else "removed" if changed else "unchanged"
    return Report(status, data, blocks, said, exit_code=FINDINGS if kept else OK)
