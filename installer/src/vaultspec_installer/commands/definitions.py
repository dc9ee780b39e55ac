"""`spec mcps list`, `add` and `remove`: the canonical definitions alone. Clients learn of a change by `spec mcps sync`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Changed, Disk, real_target
from vaultspec_core.lock import hold
from vaultspec_core.report import Block, Line, Refusal, Report, Table
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK

from ..definition import (
    BUILT_IN_SUFFIX,
    CUSTOM,
    SUFFIX,
    Definition,
    InvalidDefinition,
    folder_of,
    judge,
    load_definitions,
)
from ..definition_faults import NAME_RULE, name_fault
from ..json_text import Malformed, parse_object
from ..narrate import diff as diff_of
from ..secrets import find_secrets
from .definition_input import read_input

SYNC = ("Clients learn of it by:", "vaultspec-core spec mcps sync")


def list_definitions(call: Call) -> Report:
    """Every definition with its source; the invalid ones apart, each with all its faults."""
    found = load_definitions(call.target, Disk().read)
    data = {
        "items": [{"name": name, "source": one.source} for name, one in found.valid.items()],
        "invalid": [_invalid(one, call.target) for one in found.invalid.values()],
    }
    rows = [(name, one.source, "ok") for name, one in found.valid.items()]
    rows += [(name, one.source, "invalid") for name, one in found.invalid.items()]
    body: list[Block] = [Table(("name", "source", "state"), sorted(rows))] if rows else [Line("No definitions.")]
    warnings = [fault.message for one in found.invalid.values() for fault in one.faults]
    return Report("unchanged", data, body, warnings)


def _invalid(one: InvalidDefinition, root: Path) -> dict[str, Any]:
    return {
        "name": one.name,
        "source": one.source,
        "path": one.path.relative_to(root).as_posix(),
        "faults": [fault._asdict() for fault in one.faults],
    }


def add(call: Call) -> Report:
    """Write one definition, judged whole before anything is touched."""
    given = read_input(call)
    name = given.name
    if fault := name_fault(name) or _ambiguous(name):
        raise Refusal("bad-name", f"{fault} cannot be used; allowed: {NAME_RULE}", "Choose another name.")
    path = folder_of(call.target) / f"{name}{SUFFIX}"
    definition = _sound(judge(name, path, CUSTOM, given.data, given.shown))
    warnings = _secret_warnings(definition, strict=call["strict_secrets"])
    data = (json.dumps(parse_object(given.data), indent=2) + "\n").encode()
    _sound(judge(name, path, CUSTOM, data))
    files = Changeset(Disk())
    with _locked(call):
        status = _place(files, call, name, real_target(path, (call.target,)), data)
        return _report(call, files, status, path, {"name": name, "warnings": warnings}, warnings)


def _sound(judged: Definition | InvalidDefinition) -> Definition:
    if isinstance(judged, Definition):
        return judged
    raise Refusal(
        "invalid-definition",
        "; ".join(fault.message for fault in judged.faults),
        "vaultspec-core spec reference schema definition",
        data={"faults": [fault._asdict() for fault in judged.faults]},
    )


def _ambiguous(name: str) -> str | None:
    """Names whose file would be taken for another one's."""
    return f"the name {json.dumps(name)}, which ends like a file's" if name.endswith((SUFFIX, ".builtin")) else None


def _secret_warnings(definition: Definition, *, strict: bool) -> list[str]:
    fields = find_secrets(definition)
    said = [f"{field} looks like a literal secret; write it as ${{NAME}} and keep the value out" for field in fields]
    if said and strict:
        raise Refusal("literal-secret", said[0], "Or add it without --strict-secrets.", data={"fields": fields})
    return said


def _place(files: Changeset, call: Call, name: str, path: Path, data: bytes) -> str:
    known = load_definitions(call.target, files.read)
    rival = next((one for one in (*known.valid, *known.invalid) if one.lower() == name.lower() and one != name), None)
    if rival:
        raise Refusal(
            "name-collision",
            f"a definition {rival} exists, which differs from {name} only in the case of letters",
            f"vaultspec-core spec mcps remove {rival} --force",
        )
    before = files.read(path)
    if before is None or not _same(before, data):
        if before is not None and not call["force"]:
            raise Refusal(
                "definition-exists",
                f"a definition {name} exists and says something else",
                "Run the command again with --force to overwrite it.",
            )
        files.write(path, data)
        return "created" if before is None else "updated"
    return "unchanged"


def _same(before: bytes, data: bytes) -> bool:
    try:
        return parse_object(before) == parse_object(data)
    except Malformed:
        return False


def remove(call: Call) -> Report:
    """Delete one definition; asks at a terminal, and needs `--force` elsewhere."""
    name = call["server"]
    files = Changeset(Disk())
    if not (call["force"] or call.dry_run):
        _file_of(files, call.target, name)
        if call["json"] or not call.terminal:
            hint = f"vaultspec-core spec mcps remove {name} --force"
            raise Refusal("unconfirmed", f"nobody is there to confirm that {name} is to be deleted", hint)
        if not call.ask(f"Delete the definition {name}?"):
            return Report("unchanged", {"removed": None, "dry_run": False}, [Line("Nothing was deleted.")])
    files = Changeset(Disk())
    with _locked(call):
        path = _file_of(files, call.target, name)
        files.remove(real_target(path, (call.target,)))
        return _report(call, files, "removed", path, {"removed": name}, [])


def _file_of(files: Changeset, root: Path, name: str) -> Path:
    """The file that counts for a name, even one that is invalid. Raises Refusal `no-definition`."""
    listed = {path.name: path for path in folder_of(root).glob(f"*{SUFFIX}")} if folder_of(root).is_dir() else {}
    for file_name in (f"{name}{SUFFIX}", f"{name}{BUILT_IN_SUFFIX}"):
        if file_name in listed and files.read(listed[file_name]) is not None:
            return listed[file_name]
    raise Refusal("no-definition", f"there is no definition {json.dumps(name)}", "vaultspec-core spec mcps list")


@contextmanager
def _locked(call: Call) -> Iterator[None]:
    if call.dry_run:
        yield
        return
    try:
        with hold(call.target / FRAMEWORK):
            Disk().sweep(folder_of(call.target))
            yield
    except Changed as error:
        raise Refusal(
            "changed", f"{error.path} changed while it was being written", "Run the command again."
        ) from error


def _report(call: Call, files: Changeset, status: str, path: Path, said: dict[str, Any], warnings: list[str]) -> Report:
    """Commit, unless only asked what would happen, and say what came of it."""
    shown = path.relative_to(call.target).as_posix()
    changes = files.changes() if call.dry_run else files.commit()
    word = f"would be {status}" if call.dry_run and changes else status
    data: dict[str, Any] = {"path": shown, **said, "dry_run": call.dry_run}
    body: list[Block] = [Line(f"{shown} {word}", "change" if changes else "plain")]
    if call["diff"]:
        diff = diff_of(changes, call.target)
        data["diff"] = diff.text
        body.append(diff)
    return Report(status, data, body, warnings, hint=SYNC if changes and not call.dry_run else None)
