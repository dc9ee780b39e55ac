"""What `spec hooks` and `spec triggers` have in common: list them, show one, and approve them at a terminal."""

from __future__ import annotations

import json
from typing import Any

from vaultspec_core.commands.editor import GATEWAY
from vaultspec_core.files import Disk
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report, Table
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK

from ..declared import KINDS, Declared, Kind, all_of, named, unread
from ..definition_faults import printable
from ..digest import digest
from ..trust import record


def kind_of(call: Call) -> Kind:
    """Hooks or triggers, from the words of the verb."""
    return KINDS[call.verb.words[1]]


def row(one: Declared) -> dict[str, Any]:
    """One of them, as JSON."""
    return {
        "name": one.name,
        "path": one.relative,
        "event": one.said.get("event"),
        "trust": one.standing,
        "trusted": one.trusted,
        "faults": list(one.faults),
    }


def list_declared(call: Call) -> Report:
    """All of a kind, with what the operator approved of."""
    kind = kind_of(call)
    found = all_of(call.target, kind, call.environ, Disk().read)
    rows = [row(one) | {"description": one.said.get("description")} for one in found]
    shown = [
        (one.name, "invalid" if one.faults else str(one.said["event"]), one.standing, one.relative) for one in found
    ]
    body: list[Block] = (
        [Table(("NAME", "EVENT", "TRUST", "FILE"), shown)] if found else [Line(f"No {kind.folder}.", "dim")]
    )
    body += _faults(found)
    warnings = [
        f"{path} is not read: a {kind.noun} is a .json file (docs/hooks.md)" for path in unread(call.target, kind)
    ]
    data = {
        kind.folder: rows,
        "total": len(rows),
        "supported_events": list(kind.events),
        f"{kind.folder}_dir": f"{FRAMEWORK}/{kind.folder}",
        "warnings": warnings,
    }
    return Report("unchanged", data, body, warnings, hint=_hint(found))


def show(call: Call) -> Report:
    """One file: what it says, word for word, and whether it is trusted."""
    one = named(call.target, kind_of(call), call["name"], call.environ, Disk().read)
    text = one.data.decode("utf-8", "replace")
    body: list[Block] = [Line(f"{one.relative}: {one.standing}", "title"), *_faults([one])]
    body += [Line(printable(line)) for line in text.splitlines()]
    return Report("unchanged", row(one) | {"content": text, "digest": digest(one.data)}, body, hint=_hint([one]))


def trust(call: Call) -> Report:
    """Approve one, or each in turn, after its command was shown to a person who says yes; or take approval back."""
    kind, read = kind_of(call), Disk().read
    one = call["name"] and named(call.target, kind, call["name"], call.environ, read)
    chosen = [one] if one else all_of(call.target, kind, call.environ, read)
    if call["revoke"]:
        changed = record(call.target, call.environ, {each.key: None for each in chosen}) if chosen else False
        said = f"Withdrew the approval of {', '.join(each.name for each in chosen)}" if changed else "None was approved"
        return Report("updated" if changed else "unchanged", {}, [Line(said)], hint=_sync(kind) if changed else None)
    if not call.terminal or call.environ.get(GATEWAY):
        raise Refusal(
            "no-terminal",
            f"a {kind.noun} is approved by a person at a terminal",
            f"Run `vaultspec-core spec {kind.folder} trust` in a terminal of your own.",
            exit_code=USAGE,
        )
    if one and one.faults:
        raise Refusal(f"invalid-{kind.noun}", f"{one.relative}: {one.faults[0]}", f"Mend {one.relative}.")
    approved = [each for each in chosen if not each.faults and each.standing != "trusted" and call.ask(_question(each))]
    if not approved:
        standing = all(each.standing == "trusted" for each in chosen)
        return Report("unchanged", {}, [Line("Nothing is left to approve." if standing else "Nothing was approved.")])
    record(call.target, call.environ, {each.key: digest(each.data) for each in approved})
    body = [Line(f"Trusted {each.relative} as it is now", "good") for each in approved]
    return Report("updated", {}, body, hint=_sync(kind))


def _question(one: Declared) -> str:
    """Everything that the approval is about, so that nothing in it can hide or act on the terminal."""
    said = {key: value for key, value in one.said.items() if key != "description"}
    before = " (it was changed since it was approved)" if one.standing == "changed" else ""
    return f"{one.relative}{before}\n{json.dumps(said, indent=2)}\nLet this run on this machine as you?"


def _faults(found: list[Declared]) -> list[Block]:
    return [Line(f"  {one.relative}: {printable(fault)}", "warn") for one in found for fault in one.faults]


def _hint(found: list[Declared]) -> tuple[str, str] | None:
    waiting = next((one for one in found if not one.faults and one.standing != "trusted"), None)
    if waiting is None:
        return None
    return (
        f"Read {FRAMEWORK}/{waiting.kind.folder} and approve:",
        f"vaultspec-core spec {waiting.kind.folder} trust {waiting.name}",
    )


def _sync(kind: Kind) -> tuple[str, str] | None:
    return (
        ("Bring the clients' files up to date:", "vaultspec-core spec hooks sync") if kind.folder == "hooks" else None
    )
