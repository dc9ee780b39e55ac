"""`install`: compose, judge, and only then write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vaultspec_core.changeset import Change
from vaultspec_core.dry_run import DryDisk
from vaultspec_core.files import Disk
from vaultspec_core.lock import hold
from vaultspec_core.report import Block, Line, Report
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK, lock_seconds, make_folder

from ..committing import until_still
from ..decide import Decision
from ..enrollment import Result, write
from ..framework import FileRow
from ..migrating import Ran, registered, run
from ..narrate import body, items, warnings
from ..narrate import diff as diff_of
from ..pending import pending_warning
from ..provision import Provision, Request, compose, make_vault, require_folder
from .migrations import body as ran_body
from .migrations import items as ran_items
from .migrations import refreshed
from .migrations import warnings as left_alone

LAUNCHES = "launch_convergence"


def install(call: Call) -> Report:
    """Provision the folder, or complete and converge what is there; a refusal leaves nothing behind."""
    root = call.target
    request = _request(call)
    require_folder(root, call.environ)
    done: dict[tuple[str, str], Decision] = {}
    preview = DryDisk()
    ran: dict[str, Ran] = {}
    provision = _provision(root, call, request, preview, {}, ran)
    record = provision.found.ownership.path
    shown = [change for change in preview.kept.changes() if change.path != record]
    if not call.dry_run:
        ran = {}
        provision = _write(root, call, request, done, ran)
    return _report(call, request, provision, done, shown, list(ran.values()))


def _request(call: Call) -> Request:
    return Request(
        call["provider"],
        call["mode"],
        call["package"] or "vaultspec-core",
        call["module"],
        call["from"],
        tuple(call["skip"]),
        tuple(call["no_skip"]),
        call["upgrade"],
        call["force"],
        call["strict_secrets"],
    )


def _write(
    root: Path, call: Call, request: Request, done: dict[tuple[str, str], Decision], ran: dict[str, Ran]
) -> Provision:
    """The same again under the lock, for real: first our own files, then the clients'. A stop between is completed by the next run."""
    make_folder(root / FRAMEWORK)
    with hold(root / FRAMEWORK, lock_seconds(call.environ)):
        provision = until_still(lambda: _provision(root, call, request, Disk(), done, ran))
        make_vault(root)
        return provision


def _provision(
    root: Path, call: Call, request: Request, disk: Disk, done: dict[tuple[str, str], Decision], ran: dict[str, Ran]
) -> Provision:
    """Compose and write through the disk, an upgrade between migrations: what we remember first, because the choice of the mode
    looks at it; launches last, because they are rendered in that mode. What is done is told in `done` and `ran`."""
    upgrading = request.upgrade and (root / FRAMEWORK).is_dir()
    if upgrading:
        records = [one for one in registered() if one.name != LAUNCHES]
        ran |= {one.migration.name: one for one in run(root, call.environ, disk, records)}
    provision = compose(root, call.environ, request, disk)
    provision.files.commit()
    write(provision.found, provision.edits, disk, done)
    if upgrading:
        ran |= {one.migration.name: one for one in run(root, call.environ, disk)}
    return provision


def _report(
    call: Call,
    request: Request,
    provision: Provision,
    done: dict[tuple[str, str], Decision],
    shown: list[Change],
    ran: list[Ran],
) -> Report:
    result = Result(provision.found, provision.wish, provision.edits, done)
    rows = items(result)
    said = [*provision.warnings, *warnings(result), *left_alone(ran)]
    pending = None if request.upgrade or call.dry_run else pending_warning(call.target, call.environ)
    if pending:
        said.append(pending)
    changed = bool(shown)
    data: dict[str, Any] = {
        "action": "upgrade" if request.upgrade else "install",
        "path": str(call.target),
        "mode": {"value": provision.mode.value.value, "source": provision.mode.source},
        "package": request.package,
        "providers": provision.found.providers,
        "files": [row.data() for row in provision.rows],
        "items": rows,
        "dry_run": call.dry_run,
        "warnings": said,
    }
    if ran:
        data |= {"migrations": ran_items(ran), "converged": refreshed(ran)}
    blocks = [*_body(call, provision, result, changed), *ran_body(ran, dry_run=call.dry_run)]
    if call["diff"]:
        shown_diff = diff_of(shown, call.target)
        data["diff"] = shown_diff.text
        blocks.append(shown_diff)
    status = (
        "unchanged"
        if call.dry_run or not changed
        else "updated"
        if provision.found.manifest.said.get("serial", 0)
        else "created"
    )
    failed = bool(result.faults) or any(one.refusal for one in ran)
    hint = (
        ("Check it with:", "vaultspec-core spec mcps status")
        if not call.dry_run
        else ("Write it with:", "vaultspec-core install")
    )
    return Report("failed" if failed else status, data, blocks, said, exit_code=int(failed), hint=hint)


def _body(call: Call, provision: Provision, result: Result, changed: bool) -> list[Block]:
    mode = f"{provision.mode.value} ({provision.mode.source})"
    word = "Would install" if call.dry_run else "Installed" if changed else "Already up to date:"
    lines: list[Block] = [Line(f"{word} {call.target}  mode {mode}", "title")]
    lines += [_file_line(row) for row in provision.rows if row.outcome != "unchanged"]
    return [*lines, *body(result, dry_run=call.dry_run)]


def _file_line(row: FileRow) -> Line:
    glyph, tone = {"created": ("+", "good"), "updated": ("~", "change"), "removed": ("-", "change")}.get(
        row.outcome, ("s", "warn")
    )
    return Line(f"  {glyph} {row.outcome} {row.path}" + (f": {row.reason}" if row.reason else ""), tone)
