"""`spec triggers status | add | run | remove | rename | edit`: commands that follow events of the vault."""

from __future__ import annotations

import json
from typing import Any

from vaultspec_core.changeset import Changeset
from vaultspec_core.commands.editor import GATEWAY, editor_command
from vaultspec_core.files import Changed, Disk
from vaultspec_core.lock import hold
from vaultspec_core.report import FINDINGS, OK, USAGE, Block, Line, Refusal, Report
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK, lock_seconds

from ..declared import SUFFIX, TRIGGERS, Declared, all_of, named, place
from ..narrate import diff as diff_of
from ..trigger import for_event, run_all
from .declared import row


def status(call: Call) -> Report:
    """Which triggers would run at which event."""
    found = all_of(call.target, TRIGGERS, call.environ, Disk().read)
    ready = [one for one in found if one.trusted]
    by_event = {event: [one.name for one in ready if one.said["event"] == event] for event in TRIGGERS.events}
    data = {"triggers": [row(one) for one in found], "events": by_event, "trusted": len(ready), "total": len(found)}
    body: list[Block] = [Line(f"{len(ready)} of {len(found)} triggers are trusted")]
    body += [Line(f"  {event}: {', '.join(names)}") for event, names in by_event.items() if names]
    body += [
        Line(f"  {one.name}: {'invalid' if one.faults else one.standing}", "warn") for one in found if not one.trusted
    ]
    return Report("unchanged", data, body)


def add(call: Call) -> Report:
    """A new file; it runs once it is trusted."""
    if call["event"] not in TRIGGERS.events:
        raise Refusal(
            "bad-event",
            f"{call['event']!r} is no event",
            f"Known: {', '.join(TRIGGERS.events)}.",
            exit_code=USAGE,
        )
    if not (call["command"] or "").strip():
        raise Refusal("usage", "a trigger needs --command", call.verb.example, exit_code=USAGE)
    path = place(call.target, TRIGGERS, call["name"])
    text = json.dumps({"event": call["event"], "command": call["command"]}, indent=2, ensure_ascii=False)
    data = f"{text}\n".encode()
    files = Changeset(Disk())
    before = files.read(path)
    relative = _relative(call["name"])
    if before not in (None, data) and not call["force"]:
        raise Refusal("already-exists", f"{relative} exists already", "Overwrite it with --force.")
    files.write(path, data)
    changes = files.changes()
    said: dict[str, Any] = {"name": call["name"], "path": relative, "dry_run": call.dry_run}
    if not call.dry_run:
        _carried(call, files, relative)
    word = "unchanged" if not changes or call.dry_run else "updated" if before is not None else "created"
    body: list[Block] = [
        Line(f"{'Would write' if call.dry_run else 'Wrote'} {relative}" if changes else f"{relative} says that already")
    ]
    if call.dry_run:
        said["diff"] = diff_of(changes, call.target).text
        body.append(diff_of(changes, call.target))
    return Report(word, said, body, hint=("Approve it:", f"vaultspec-core spec triggers trust {call['name']}"))


def run(call: Call) -> Report:
    """The trigger of that name, or all of that event; only what is trusted."""
    if call.environ.get(GATEWAY):
        raise Refusal("not-here", "triggers are not run for a program", "Run it in a terminal of your own.")
    name, waiting = call["name"], list[Declared]()
    if name in TRIGGERS.events:
        event = name
        chosen, waiting = for_event(call.target, event, call.environ)
    else:
        one = named(call.target, TRIGGERS, name, call.environ, Disk().read)
        if not one.trusted:
            reason = one.faults[0] if one.faults else f"it is {one.standing}"
            raise Refusal(
                "untrusted",
                f"{one.relative} was not run: {reason}",
                f"vaultspec-core spec triggers trust {one.name}",
            )
        event, chosen = one.said["event"], [one]
    said = {"path": call.options["path"]} if call.options.get("path") else {}
    ran = run_all(call.target, call.environ, chosen, event, said)
    warnings = [f"trigger {one.name} is {'invalid' if one.faults else one.standing} and was not run" for one in waiting]
    failed = any(one.failure for one in ran)
    data = {
        "event": event,
        "ran": [one.data() for one in ran],
        "skipped": [one.name for one in waiting],
        "warnings": warnings,
    }
    body = [line for one in ran for line in one.lines()] or [Line("No trigger was run.", "dim")]
    hint = ("Read and approve:", f"vaultspec-core spec triggers trust {waiting[0].name}") if waiting else None
    return Report(
        "failed" if failed else "ok" if ran else "unchanged", data, body, warnings, FINDINGS if failed else OK, hint
    )


def remove(call: Call) -> Report:
    """Delete one file."""
    one = named(call.target, TRIGGERS, call["name"], call.environ, Disk().read)
    if not (call["yes"] or call["force"]) and not call.ask(f"Delete {one.relative}?"):
        hint = f"vaultspec-core spec triggers remove {one.name} --yes"
        raise Refusal("needs-yes", f"{one.relative} was not deleted: nobody confirmed it", hint)
    files = Changeset(Disk())
    files.remove(one.path)
    _carried(call, files, one.relative)
    return Report("removed", {"name": one.name, "path": one.relative}, [Line(f"Deleted {one.relative}", "good")])


def rename(call: Call) -> Report:
    """Another name. An approval is of a name and its bytes, so that it ends."""
    old = named(call.target, TRIGGERS, call["old_name"], call.environ, Disk().read)
    relative = _relative(call["new_name"])
    said = {"old_name": old.name, "new_name": call["new_name"], "old_path": old.relative, "new_path": relative}
    new = place(call.target, TRIGGERS, call["new_name"])
    if new == old.path:
        return Report("unchanged", said, [Line(f"{relative} has that name already", "dim")])
    files = Changeset(Disk())
    try:
        files.rename(old.path, new)
    except FileExistsError as error:
        raise Refusal("name-taken", f"{relative} exists already", "Choose another name.") from error
    _carried(call, files, relative)
    hint = ("Approve it under its new name:", f"vaultspec-core spec triggers trust {call['new_name']}")
    return Report("updated", said, [Line(f"Renamed {old.relative} to {relative}", "good")], hint=hint)


def edit(call: Call) -> Report:
    """One file in an editor, at a terminal."""
    one = named(call.target, TRIGGERS, call["name"], call.environ, Disk().read)
    if not call.terminal or call.environ.get(GATEWAY):
        raise Refusal(
            "no-terminal", "an editor is opened only at a terminal", f"Edit {one.relative} itself.", exit_code=USAGE
        )
    import subprocess

    command = [*editor_command(call["editor"], call.target, call.environ), str(one.path)]
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        hint = "Set EDITOR, or pass --editor."
        raise Refusal("no-editor", f"{command[0]} cannot be started: {error.strerror}", hint) from error
    if code != 0:
        raise Refusal("editor-failed", f"{command[0]} ended with {code}")
    now = named(call.target, TRIGGERS, one.name, call.environ, Disk().read)
    if now.data == one.data:
        return Report("unchanged", row(now), [Line(f"{one.relative} is as it was")])
    body: list[Block] = [Line(f"Changed {one.relative}"), *(Line(f"  {fault}", "warn") for fault in now.faults)]
    return Report("updated", row(now), body, hint=("Approve it:", f"vaultspec-core spec triggers trust {one.name}"))


def _relative(name: str) -> str:
    return f"{FRAMEWORK}/{TRIGGERS.folder}/{name}{SUFFIX}"


def _carried(call: Call, files: Changeset, relative: str) -> None:
    with hold(call.target / FRAMEWORK, lock_seconds(call.environ)):
        try:
            files.commit()
        except Changed as moved:
            message = f"{relative} was being changed by another program"
            raise Refusal("busy", message, "Run the command again.") from moved
