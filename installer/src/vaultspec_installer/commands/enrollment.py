"""`spec mcps sync | diff | uninstall`."""

from __future__ import annotations

from typing import Any

from vaultspec_core.files import Disk
from vaultspec_core.report import FINDINGS, OK, Line, Report
from vaultspec_core.verb import Call
from vaultspec_providers.contract import Scope

from ..decide import Wish
from ..enrollment import carry_out, preview
from ..narrate import body, items, overall, warnings
from ..narrate import diff as diff_of
from ..reconcile import Command


def _scope(call: Call) -> Scope:
    return Scope(call["scope"])


def sync(call: Call) -> Report:
    """Reconcile the definitions into the selected targets."""
    return enroll(call, _sync_wish(call), _scope(call), call["provider"] or "all")


def _sync_wish(call: Call) -> Wish:
    return Wish(Command.SYNC, call["force"], call["prune"], call["strict_secrets"])


def diff(call: Call) -> Report:
    """The diff that a sync would make, and nothing else; exit 1 when there is one."""
    result = preview(call.target, call.environ, _scope(call), call["provider"] or "all", _sync_wish(call), Disk())
    blocks = diff_of(result.changes, call.target)
    data = {
        "diff": blocks.text,
        "files": [edit.surveyed.target.said(call.target) for edit in result.edits if edit.change],
    }
    code = FINDINGS if result.changes or result.faults else OK
    return Report(
        "unchanged", data, [blocks] if blocks.text else [Line("Nothing would change.", "dim")], exit_code=code
    )


def uninstall(call: Call) -> Report:
    """Take owned enrollment out; definitions and everything that is not ours stay. What was edited stays without --force."""
    return enroll(call, Wish(Command.UNINSTALL, force=call["force"]), _scope(call), call["provider"] or "all")


def enroll(call: Call, wish: Wish, scope: Scope, chosen: str, skip: tuple[str, ...] = ()) -> Report:
    """Run one wish and report it: a real run, a dry run, or a check (nothing is written, exit 1 when something would be).

    `skip`: parts to leave out this time, beside what is opted out.
    """
    options = call.options
    checking = bool(options.get("check"))
    looking = call.dry_run or checking
    if looking:
        result = preview(call.target, call.environ, scope, chosen, wish, Disk(), skip=skip)
    else:
        repair = bool(options.get("repair_ownership"))
        result = carry_out(call.target, call.environ, scope, chosen, wish, Disk(), repair=repair, skip=skip)
    rows = items(result)
    said = warnings(result)
    data: dict[str, Any] = {"items": rows, "dry_run": looking, "scope": scope.value}
    if said:
        data["warnings"] = said
    if result.found.opted_out:
        data["opted_out"] = True
    blocks = body(result, dry_run=looking)
    if result.found.opted_out and not result.edits:
        blocks = [
            Line("Enrollment is opted out in this workspace; nothing was written."),
            Line("vaultspec-core install --no-skip mcp ends that.", "hint"),
        ]
    elif not result.edits:
        blocks = [Line("No client is installed in this workspace; vaultspec-core install adds them.")]
    if options.get("diff"):
        shown = diff_of(result.changes, call.target)
        data["diff"] = shown.text
        blocks = [*blocks, shown]
    kept = wish.command is Command.UNINSTALL and any(row["outcome"] == "skipped" for row in rows)
    bad = bool(result.faults) or kept or (checking and bool(result.changes))
    return Report(overall(rows), data, blocks, warnings=said, exit_code=FINDINGS if bad else OK)
