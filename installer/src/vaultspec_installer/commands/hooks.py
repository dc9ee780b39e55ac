"""`spec hooks status | sync`: the trusted hooks of the workspace in the clients' own files."""

from __future__ import annotations

from typing import Any

from vaultspec_core.files import Disk
from vaultspec_core.report import FINDINGS, OK, Block, Line, Report
from vaultspec_core.verb import Call

from ..declared import HOOKS, all_of
from ..hook import GONE, converge, lines, look, troubles
from ..narrate import diff as diff_of
from ..narrate import overall
from ..target import ALL
from .declared import row as declared_row

_STATES = {
    "added": "not_rendered",
    "updated": "stale",
    "removed": "stale",
    "adopted": "in_sync",
    "unchanged": "in_sync",
    "skipped": "skipped",
    "failed": "unreadable",
}


def status(call: Call) -> Report:
    """Each hook and where it stands. Exit 1 when a sync would change something or cannot."""
    read = Disk().read
    hooks = all_of(call.target, HOOKS, call.environ, read)
    rows = [row for one in look(call.target, call.environ, read) for row in one.rows]
    states = [row.data() | {"state": _STATES[row.outcome]} for row in rows if row.reason != GONE]
    drifted = any(state["state"] != "in_sync" for state in states) or any(hook.faults for hook in hooks)
    data = {
        "hooks": [declared_row(hook) for hook in hooks],
        "rendered": states,
        "aggregate": "drifted" if drifted else "ok",
    }
    body: list[Block] = [Line(f"{hook.name}: {'invalid' if hook.faults else hook.standing}") for hook in hooks]
    body += [
        Line(f"  {state['file']}: {state['name'] or state['provider']} {state['state']}: {state['reason']}")
        for state in states
    ]
    hint = ("Bring the clients' files up to date:", "vaultspec-core spec hooks sync") if drifted else None
    return Report(
        "unchanged", data, body or [Line("No hooks.", "dim")], exit_code=FINDINGS if drifted else OK, hint=hint
    )


def sync(call: Call) -> Report:
    """Render what is trusted, take out what is trusted no more."""
    disk, chosen = Disk(), call["provider"] or ALL
    if call.dry_run:
        made = look(call.target, call.environ, disk.read, chosen)
    else:
        made = converge(call.target, call.environ, disk, chosen)
    rows = [row for one in made for row in one.rows]
    failed = any(row.outcome == "failed" for row in rows)
    waiting = [
        hook
        for hook in all_of(call.target, HOOKS, call.environ, disk.read)
        if hook.standing != "trusted" or hook.faults
    ]
    warnings = [
        f"{hook.relative} is {'invalid' if hook.faults else hook.standing} and is not rendered" for hook in waiting
    ]
    warnings += troubles(rows)
    data: dict[str, Any] = {
        "items": [row.data() for row in rows],
        "dry_run": call.dry_run,
        "warnings": warnings,
    }
    body = lines(rows) or [Line("Nothing to render.", "dim")]
    if call["diff"]:
        shown = diff_of([one.change for one in made if one.change is not None], call.target)
        data["diff"] = shown.text
        body.append(shown)
    hint = None
    if waiting:
        hint = ("Read and approve:", f"vaultspec-core spec hooks trust {waiting[0].name}")
    word = "unchanged" if call.dry_run else overall(data["items"])
    return Report(word, data, body, warnings, FINDINGS if failed else OK, hint)
