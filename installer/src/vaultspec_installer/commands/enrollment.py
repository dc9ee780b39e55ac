"""`spec mcps status | sync | diff | uninstall`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vaultspec_core.files import Disk
from vaultspec_core.report import FINDINGS, OK, Block, Line, Refusal, Report, Table
from vaultspec_core.verb import Call
from vaultspec_providers.contract import Scope

from ..decide import Wish
from ..enrollment import carry_out, preview
from ..health import status_data
from ..narrate import body, items, overall, warnings
from ..narrate import diff as diff_of
from ..preconditions import floor_warning, secret_warnings
from ..reconcile import Action, Command, action
from ..shadowing import shadowed
from ..survey import Survey, survey


def _scope(call: Call) -> Scope:
    return Scope(call["scope"])


def status(call: Call) -> Report:
    """Judge and say; exit 0 only when the aggregate is `ok`. Starts nothing, locks nothing, writes nothing."""
    scope = _scope(call)
    try:
        found = survey(call.target, call.environ, scope, call["provider"] or "all", Disk().read)
    except Refusal as refusal:
        if refusal.code not in ("bad-ownership", "unsupported-scope", "not-installed"):
            raise
        failed: dict[str, Any] = {
            "status": "invalid_target",
            "scope": scope.value,
            "providers": {},
            "warnings": [refusal.message],
        }
        raise Refusal(
            refusal.code, refusal.message, refusal.hint, exit_code=refusal.exit_code, data=failed
        ) from refusal
    data = status_data(found)
    shadows = shadowed(found, call.environ, Disk().read)
    data["shadowed"] = shadows
    secrets = secret_warnings(found)
    floor = floor_warning(found)
    data["warnings"] += [*secrets, *(shadow["message"] for shadow in shadows), *([floor] if floor else [])]
    if (floor or (secrets and call["strict_secrets"])) and data["status"] == "ok":
        data["status"] = "partial"
    healthy = data["status"] == "ok"
    return Report(
        "unchanged",
        data,
        _status_body(found, data),
        warnings=data["warnings"],
        exit_code=OK if healthy else FINDINGS,
        hint=None if healthy else _remedy(found, data),
    )


def _remedy(found: Survey, data: Mapping[str, Any]) -> tuple[str, str]:
    """The next step: a plain sync where that changes something, else what overwrites or prunes."""
    scope = "" if found.scope is Scope.PROJECT else f" --scope {found.scope.value}"
    sync = f"vaultspec-core spec mcps sync{scope}"
    if data["status"] == "no_providers":
        return "Add clients with:", "vaultspec-core install all"
    if data["status"] == "invalid_config":
        return "Mend the file named above, then run:", sync
    sides = [item.side for surveyed in found.targets for item in surveyed.items]
    displaced = any(row["layout"] == "displaced" for row in data["providers"].values())
    if displaced or any(action(side, Command.SYNC, force=False) is Action.WRITE for side in sides):
        return "Reconcile with:", sync
    if data["drifted"] or data["conflicts"]:
        return "Look at what --force would overwrite:", f"vaultspec-core spec mcps diff{scope} --force"
    if data["stale_managed"]:
        return "Take out what has no definition:", f"{sync} --prune"
    return "See what is wrong with the definitions:", "vaultspec-core spec mcps list"


def _status_body(found: Survey, data: Mapping[str, Any]) -> list[Block]:
    if data.get("opted_out") and not found.targets:
        return [
            Line("Enrollment is opted out in this workspace; nothing is judged."),
            Line("vaultspec-core install --no-skip mcp ends that.", "hint"),
        ]
    if not found.targets:
        return [Line("No client is installed in this workspace.")]
    words = ("managed", "missing", "drifted", "stale_managed", "conflicts", "external")
    rows = [
        (name, row["scope"], row["status"], row["config_path"], *(str(len(row[word])) for word in words))
        for name, row in data["providers"].items()
    ]
    lines: list[Block] = [
        Table(("provider", "scope", "status", "file", *(w.replace("_managed", "") for w in words)), rows)
    ]
    for word in ("missing", "drifted", "stale_managed", "conflicts", "invalid"):
        if data[word]:
            lines.append(Line(f"{word.replace('_', ' ')}: {', '.join(data[word])}", "warn"))
    tone = "good" if data["status"] == "ok" else "warn"
    return [
        *lines,
        Line(f"{data['status']}: {len(rows)} target{'s' if len(rows) != 1 else ''} at {found.scope.value} scope", tone),
    ]


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
