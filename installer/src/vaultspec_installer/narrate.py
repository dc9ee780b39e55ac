"""Say what was decided: JSON items and lines for a person. Values of env and secrets never appear (DEF-6)."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vaultspec_core.changeset import Change, unified_diff
from vaultspec_core.report import Block, Diff, Line
from vaultspec_providers.contract import Launch, Scope

from .decide import Decision, is_refresh
from .enrollment import Result
from .health import others_warnings
from .preconditions import secret_warnings
from .reconcile import Action, Actual, Command, Verdict
from .secrets import redact_args, redact_text

UNTOUCHED = (Verdict.CURRENT, Verdict.ADOPTABLE, Verdict.OUTDATED)
GLYPHS = {
    "created": ("+", "good"),
    "adopted": ("+", "good"),
    "updated": ("~", "change"),
    "removed": ("-", "change"),
    "forgotten": ("-", "dim"),
    "skipped": ("s", "warn"),
    "failed": ("x", "bad"),
    "unchanged": ("=", "dim"),
}


def launch_text(launch: Launch | None) -> str:
    """The command line of a launch, secrets taken out; env by name only."""
    if launch is None:
        return "(not a launch)"
    names = [f"{name}=…" for name in sorted(launch.env)]
    return " ".join([*names, shlex.join(redact_args([launch.command, *launch.args]))])


def reason(decision: Decision) -> str:
    """Why the entry is what it is, or why nothing was done about it: one clause."""
    item = decision.item
    if decision.action is Action.REMOVE and item.verdict in UNTOUCHED:
        return "written by vaultspec and not edited since"
    if decision.surveyed.target.left_by and item.verdict is Verdict.STALE:
        return f"written for {decision.surveyed.target.left_by}, which is gone"
    match item.verdict:
        case Verdict.MISSING:
            return "defined and not enrolled"
        case Verdict.CURRENT:
            return "up to date"
        case Verdict.ADOPTABLE if item.side.actual is Actual.FORMER:
            return "written by an earlier release of vaultspec"
        case Verdict.ADOPTABLE:
            return "equal to our rendering"
        case Verdict.OUTDATED:
            return _difference(decision)
        case Verdict.EDITED:
            return "edited by hand since vaultspec wrote it"
        case Verdict.UNVERIFIED:
            return "recorded without a fingerprint, so that an edit cannot be ruled out"
        case Verdict.CONFLICT:
            return "an entry of this name exists that vaultspec did not write"
        case Verdict.STALE:
            return "its definition is gone"
        case Verdict.STALE_EDITED:
            return "its definition is gone, and it was edited by hand"
        case Verdict.GONE:
            return "gone from the host file and from the definitions"
        case Verdict.OTHERS:
            return f"owned by the workspace {item.owner}"
        case Verdict.INVALID:
            return "its definition is invalid"
        case Verdict.FOREIGN:
            return "not vaultspec's"


def _difference(decision: Decision) -> str:
    old, new = decision.item.actual_launch, decision.item.launch
    if old is None or new is None or old.command != new.command or old.args != new.args:
        return "the standard launch has changed" if decision.item.bundled else "its definition has changed"
    changed = sorted(name for name in {*old.env, *new.env} if old.env.get(name) != new.env.get(name))
    return f"env changed: {', '.join(changed)}"


def item_data(decision: Decision, root: Path) -> dict[str, Any]:
    """One row of `items`."""
    target, item = decision.surveyed.target, decision.item
    data: dict[str, Any] = {
        "name": item.name,
        "outcome": decision.outcome,
        "group": target.provider.name,
        "file": target.said(root),
    }
    if decision.outcome != "unchanged":
        data["reason"] = reason(decision)
    if is_refresh(decision):
        data["from"] = launch_text(item.actual_launch)
        data["to"] = launch_text(item.launch)
    return data


def items(result: Result) -> list[dict[str, Any]]:
    """All rows, each target's failure in its place."""
    root = result.found.root
    rows = [item_data(decision, root) for decision in result.decisions]
    for group, fault in result.faults:
        rows.append(
            {
                **fault.data,
                "name": fault.data.get("file", group),
                "outcome": "failed",
                "group": group,
                "detail": fault.message,
            }
        )
    return rows


def warnings(result: Result) -> list[str]:
    """One line for each entry that was left as it is, with the command that would change that."""
    said = list(result.found.notes)
    root = result.found.root
    for decision in result.decisions:
        if decision.outcome == "skipped":
            target, item = decision.surveyed.target, decision.item
            text = f"{target.said(root)}: {item.name} left as it is: {reason(decision)}"
            said.append(f"{text}; {_remedy(result, decision)}")
    if result.wish.command is Command.SYNC:
        said += secret_warnings(result.found)
    if result.wish.command is Command.UNINSTALL:
        said += others_warnings(result.found)
    if result.wish.command is Command.SYNC and not result.wish.prune:
        stale = sorted({*result.found.named(Verdict.STALE), *result.found.named(Verdict.STALE_EDITED)})
        said += [
            f"left behind by {left.target.left_by}, which is gone: {', '.join(names)}; --prune takes them out"
            for left in result.found.left
            if not result.wish.force and (names := [item.name for item in left.items if item.verdict is Verdict.STALE])
        ]
        if stale:
            said.append(f"no definition any more: {', '.join(stale)}; --prune takes them out of the clients")
    return said


def _remedy(result: Result, decision: Decision) -> str:
    if decision.item.verdict is Verdict.INVALID:
        return "vaultspec-core spec mcps list says what is wrong"
    target = decision.surveyed.target
    scope = "" if target.scope is Scope.PROJECT else f" --scope {target.scope.value}"
    word = Command.UNINSTALL if result.wish.command is Command.UNINSTALL else Command.SYNC
    command = f"vaultspec-core spec mcps {word.value} {target.provider.name}{scope}"
    if result.wish.command is Command.UNINSTALL:
        return f"{command} --force removes it"
    if decision.item.verdict is Verdict.STALE_EDITED:
        return f"{command} --prune --force removes it"
    return f"{command} --force overwrites it"


def body(result: Result, *, dry_run: bool) -> list[Block]:
    """Lines for a person: per target what was written, where and why; last, what to do for the client to see it."""
    root = result.found.root
    lines: list[Block] = []
    by_target: dict[str, list[Decision]] = {}
    for decision in result.decisions:
        by_target.setdefault(decision.surveyed.target.key, []).append(decision)
    for edit in result.edits:
        target = edit.surveyed.target
        heading = f"{target.provider.title} ({target.scope.value})  {target.said(root)}"
        if edit.fault is not None:
            lines += [Line(heading, "title"), Line(f"  x {edit.fault.message}", "bad")]
            continue
        decisions = by_target.get(target.key, [])
        told = [decision for decision in decisions if decision.outcome != "unchanged"]
        if not told and target.left_by:
            continue
        if not told:
            layout = "  ~ marker region restored" if edit.change is not None else "  = up to date"
            lines += [Line(heading, "title"), Line(layout, "change" if edit.change is not None else "dim")]
            continue
        lines.append(Line(heading, "title"))
        for decision in told:
            lines += _lines(decision)
        if edit.change is not None and edit.change.after is None:
            lines.append(Line("  - removed the file: nothing else was in it", "change"))
        if not dry_run and any(decision.action is Action.WRITE for decision in told):
            lines.append(Line(f"  {target.provider.next_step}", "hint"))
    return lines


def _lines(decision: Decision) -> list[Block]:
    glyph, tone = GLYPHS[decision.outcome]
    lines: list[Block] = [Line(f"  {glyph} {decision.outcome} {decision.item.name}: {reason(decision)}", tone)]
    if is_refresh(decision):
        lines.append(Line(f"      from: {launch_text(decision.item.actual_launch)}", "dim"))
        lines.append(Line(f"      to:   {launch_text(decision.item.launch)}", "dim"))
    return lines


def diff(changes: list[Change], root: Path) -> Diff:
    """A unified diff of host files with secret-like values taken out of every line, the user's own included (D-20)."""

    def name(path: Path) -> str:
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)

    return Diff(unified_diff(changes, name, redact_text))


def overall(rows: Sequence[Mapping[str, Any]]) -> str:
    """The envelope's status: the one outcome of all rows, `mixed`, or `unchanged` for none."""
    outcomes = {str(row["outcome"]) for row in rows}
    if not outcomes:
        return "unchanged"
    return outcomes.pop() if len(outcomes) == 1 else "mixed"
