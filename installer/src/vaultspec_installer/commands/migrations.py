"""`migrations status | run`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vaultspec_core.dry_run import DryDisk
from vaultspec_core.files import Change, Disk
from vaultspec_core.migration import Migration
from vaultspec_core.report import FINDINGS, OK, Block, Line, Refusal, Report, Table
from vaultspec_core.verb import Call

from ..manifest import load_manifest
from ..migrating import Ran, pending, registered, run
from ..narrate import diff as diff_of


def status(call: Call) -> Report:
    """What is registered, what is pending, and how far this machine's record says that migrations ran."""
    disk = Disk()
    manifest = load_manifest(call.target, disk.read)
    left = pending(call.target, call.environ, disk.read)
    word = "pending" if left else "up_to_date" if manifest.present else "unknown"
    data = {
        "manifest_version": manifest.version,
        "status": word,
        "registered": [_named(one) for one in registered()],
        "pending": [_named(one) for one in left],
    }
    rows = [(one.name, one.version, "pending" if one in left else "nothing to do", one.summary) for one in registered()]
    said = {
        "pending": Line(f"{len(left)} pending", "warn"),
        "up_to_date": Line("up to date", "good"),
        "unknown": Line("nothing pending; this machine keeps no record of the workspace yet", "dim"),
    }
    hint = ("Apply them with:", "vaultspec-core migrations run") if left else None
    body: list[Block] = [Table(("migration", "version", "here", "what it does"), rows), said[word]]
    return Report("unchanged", data, body, exit_code=FINDINGS if left else OK, hint=hint)


def run_pending(call: Call) -> Report:
    """Run what is pending: looked at first, so that a person is asked before documents go."""
    preview = DryDisk()
    looked = [(ran, _deletes(ran, preview, call)) for one in registered() for ran in _run(call, preview, one)]
    doomed = [path for _, paths in looked for path in paths]
    if call.dry_run:
        ran = [one for one, _ in looked]
    else:
        if doomed and call.terminal and not call["yes"] and not call.ask(f"Delete {', '.join(doomed)}?"):
            raise Refusal("declined", "nothing was changed", "vaultspec-core migrations run --dry-run")
        ran = run(call.target, call.environ, Disk())
    data: dict[str, Any] = {"items": items(ran), "converged": refreshed(ran), "dry_run": call.dry_run}
    said = warnings(ran)
    if call.dry_run:
        data["deletes"] = len(doomed)
        data["migrations"] = [{**_named(one.migration), "previewable": True, "deletes": paths} for one, paths in looked]
    data["warnings"] = said
    blocks = body(ran, dry_run=call.dry_run) or [Line("Nothing is pending.", "good")]
    if call["diff"]:
        shown = diff_of(preview.kept.changes(), call.target)
        data["diff"] = shown.text
        blocks.append(shown)
    failed = any(one.refusal for one in ran)
    word = "failed" if failed else "unchanged" if call.dry_run or not ran else "updated"
    return Report(word, data, blocks, said, exit_code=FINDINGS if failed else OK)


def _named(one: Migration) -> dict[str, str]:
    return {"name": one.name, "target_version": one.version}


def _run(call: Call, disk: DryDisk, one: Migration) -> list[Ran]:
    return run(call.target, call.environ, disk, [one])


def _deletes(ran: Ran, disk: DryDisk, call: Call) -> list[str]:
    """Documents that go and whose bytes are nowhere afterwards; a moved one stays."""
    if ran.migration.reach == "environment":
        return []
    changes = disk.kept.changes()
    kept = {change.after for change in changes}
    gone = [change for change in changes if change.after is None and change.before not in kept]
    return [_shown(change, call.target) for change in gone]


def _shown(change: Change, root: Path) -> str:
    return change.path.relative_to(root).as_posix()


def items(ran: list[Ran]) -> list[dict[str, str]]:
    """One row for each migration that ran: name, outcome, and in a clause what it did or why it could not."""
    return [
        {
            "name": one.migration.name,
            "outcome": "failed" if one.refusal else "updated",
            "detail": f"{one.migration.version}  {one.refusal.message if one.refusal else _detail(one)}",
        }
        for one in ran
    ]


def refreshed(ran: list[Ran]) -> list[dict[str, Any]]:
    """Each entry whose launch changed: name, group, file, from, to, reason."""
    return [row for one in ran if one.applied for row in one.applied.refreshed]


def warnings(ran: list[Ran]) -> list[str]:
    """What was left as it is, one line each."""
    return [line for one in ran if one.applied for line in one.applied.warnings]


def body(ran: list[Ran], *, dry_run: bool) -> list[Block]:
    """The same for a person, each refresh with its old and new launch."""
    lines: list[Block] = []
    for one in ran:
        if one.refusal is not None:
            lines.append(Line(f"x {one.migration.name}: {one.refusal.message}", "bad"))
            lines += [Line(f"    {one.refusal.hint}", "hint")] if one.refusal.hint else []
            continue
        word = "would run" if dry_run else "ran"
        lines.append(Line(f"~ {word} {one.migration.name}: {_detail(one)}", "change"))
        for row in refreshed([one]):
            lines.append(Line(f"  ~ updated {row['name']} in {row['file']}: {row['reason']}", "change"))
            lines.append(Line(f"      from: {row['from']}", "dim"))
            lines.append(Line(f"      to:   {row['to']}", "dim"))
    return lines


def _detail(one: Ran) -> str:
    return one.applied.detail if one.applied else ""
