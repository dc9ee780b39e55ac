"""Render the trusted hooks of a workspace into the clients' own files at project scope, and take them out again.

Ours is what the ownership record proves by fingerprint, under `PROVIDER:hooks`. Wanted are the hooks that are trusted now, so
that one that was changed, deleted or is trusted no more goes from the clients' files. What was edited by hand stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.changeset import Change
from vaultspec_core.files import Disk, real_target
from vaultspec_core.lock import hold
from vaultspec_core.report import Block, Line, Refusal
from vaultspec_core.workspace import FRAMEWORK, lock_seconds
from vaultspec_providers import registry
from vaultspec_providers.contract import Entry, Hook, HookFormat, HostFileError, Provider, Scope, Surroundings

from . import declaration as declarations
from . import manifest as manifests
from .committing import until_still
from .declared import HOOKS, Declared, Read, all_of
from .ownership import Ownership, Record, fingerprint
from .survey import enrolled, load_ownership, usable_home
from .target import ALL, provider_named

PART = "hooks"
GONE = "nothing of it is left"
"""Why a recorded hook that is neither wanted nor there is forgotten."""


class Row(NamedTuple):
    """What a run did or would do about one hook in one client's file.

    `outcome`: added, updated, removed, adopted, unchanged, skipped or failed. `old` and `new`: the entries as the file says them.
    """

    provider: str
    file: str
    name: str
    outcome: str
    reason: str
    old: Entry | None = None
    new: Entry | None = None

    def data(self) -> dict[str, Any]:
        said: dict[str, Any] = {
            "provider": self.provider,
            "file": self.file,
            "name": self.name,
            "outcome": self.outcome,
            "reason": self.reason,
        }
        return said | {key: one for key, one in (("from", self.old), ("to", self.new)) if one is not None}


class Rendering(NamedTuple):
    """One client's file: its rows, and what it will be. `record`: our record of it as it will be."""

    key: str
    rows: list[Row]
    record: Record
    change: Change | None = None


class _Place(NamedTuple):
    provider: Provider
    path: Path
    shown: str
    format: HookFormat


def look(
    root: Path, environ: Mapping[str, str], read: Read, chosen: str = ALL, *, removing: bool = False
) -> list[Rendering]:
    """What `converge` would do. Writes nothing. Raises Refusal: a record of ours that cannot be used, an unknown client."""
    return (
        []
        if _idle(root)
        else _judged(root, environ, read, load_ownership(root, Scope.PROJECT, environ, read), chosen, removing)
    )


def converge(
    root: Path, environ: Mapping[str, str], disk: Disk, chosen: str = ALL, *, removing: bool = False
) -> list[Rendering]:
    """Bring the clients' files up to what is trusted; `removing`: take everything out that is ours and untouched."""
    if _idle(root):
        return []

    def attempt() -> list[Rendering]:
        ownership = load_ownership(root, Scope.PROJECT, environ, disk.read)
        made = _judged(root, environ, disk.read, ownership, chosen, removing)
        return [_write(root, disk, ownership, one) for one in made]

    with hold(root / FRAMEWORK, lock_seconds(environ)):
        return until_still(attempt)


def lines(rows: Sequence[Row]) -> list[Block]:
    """What changed, for a person."""
    told = [row for row in rows if row.outcome not in ("unchanged", "skipped", "failed")]
    return [Line(f"{row.outcome} hook {row.name} in {row.file}: {row.reason}", "change") for row in told]


def troubles(rows: Sequence[Row]) -> list[str]:
    """What was left as it is, or could not be done."""
    return [
        f"{row.file}: hook {row.name} was left out: {row.reason}" if row.name else row.reason
        for row in rows
        if row.outcome in ("skipped", "failed")
    ]


def _idle(root: Path) -> bool:
    """Whether there is nothing to look at: no file of a hook, and no record of ours."""
    framework = root / FRAMEWORK
    return not (framework / HOOKS.folder).is_dir() and not (framework / "mcp-ownership.json").is_file()


def _judged(
    root: Path, environ: Mapping[str, str], read: Read, ownership: Ownership, chosen: str, removing: bool
) -> list[Rendering]:
    named = ALL if chosen == ALL else provider_named(chosen).name
    declaration = declarations.load(root, read)
    hooks = all_of(root, HOOKS, None if removing else environ, read)
    if not hooks and not any(key.endswith(f":{PART}") for key in ownership.records):
        return []
    if PART in declaration.opt_out and not removing:
        return []
    names = enrolled(root, manifests.load_manifest(root, read), ownership)
    made = []
    for name in names:
        provider = registry.load(name) if named in (ALL, name) else None
        if provider is None or provider.hooks is None or (name in declaration.opt_out and not removing):
            continue
        made.append(_judge(root, environ, read, ownership, provider, [] if removing else hooks, hooks))
    return made


def _judge(
    root: Path,
    environ: Mapping[str, str],
    read: Read,
    ownership: Ownership,
    provider: Provider,
    wanted: list[Declared],
    hooks: list[Declared],
) -> Rendering:
    assert provider.hooks is not None
    location = provider.hooks(Surroundings(root, usable_home(environ), environ))
    shown = location.path.relative_to(root).as_posix() if location.path.is_relative_to(root) else str(location.path)
    key = f"{provider.name}:{PART}"
    known = ownership.records.get(key)
    if known is None or known.path != str(location.path):  # a moved workspace: what is equal is adopted
        known = Record(provider.name, Scope.PROJECT.value, str(location.path))
    try:
        place = _Place(provider, real_target(location.path, (root,)), shown, location.format)
        before = read(place.path)
        rows = list(_rows(place, known, wanted, hooks, place.format.read(before)))
        after = place.format.apply(
            before,
            [row.old for row in rows if row.old is not None],
            [row.new for row in rows if row.new is not None and row.outcome != "adopted"],
        )
    except HostFileError as error:
        at = f"{shown}:{error.line}: " if error.line else f"{shown}: "
        return Rendering(key, [Row(provider.name, shown, "", "failed", at + error.reason)], known)
    except Refusal as refusal:
        return Rendering(key, [Row(provider.name, shown, "", "failed", refusal.message)], known)
    change = Change(place.path, before, after) if after != before else None
    return Rendering(key, rows, known, change)


def _rows(
    place: _Place, record: Record, wanted: list[Declared], hooks: list[Declared], present: list[Entry]
) -> Iterator[Row]:
    declared = {hook.name: hook for hook in hooks}
    desired = {hook.name: hook for hook in wanted if hook.trusted}
    for name in sorted({*desired, *record.managed, *record.pending}):
        ours = [entry for entry in present if fingerprint(entry) in record.accepts(name)]
        hook = desired.get(name)

        def row(outcome: str, reason: str, old: Entry | None = None, new: Entry | None = None, name: str = name) -> Row:
            return Row(place.provider.name, place.shown, name, outcome, reason, old, new)

        if hook is None:
            if ours:
                yield row("removed", _why(declared.get(name), wanted), ours[-1])
            elif (source := declared.get(name)) and source.said and any(_says(one, source.line) for one in present):
                yield row("skipped", "it was edited by hand")
            else:
                yield row("unchanged", GONE)
            continue
        said = hook.said
        entry = place.format.entry(Hook(said["event"], hook.line, said.get("matcher", ""), said.get("timeout")))
        if entry is None:
            yield row("skipped", f"{place.provider.title} has no event {said['event']}")
        elif entry in present:
            known = record.managed.get(name) == fingerprint(entry)
            yield row("unchanged", "it stands there") if known else row("adopted", "it stands there already", new=entry)
        elif ours:
            yield row("updated", "the hook was changed and trusted again", ours[-1], entry)
        elif any(_says(one, hook.line) for one in present):
            yield row("skipped", "its command stands there in another form, which vaultspec did not write")
        else:
            yield row("added", "it is trusted and was missing", new=entry)


def _why(hook: Declared | None, wanted: list[Declared]) -> str:
    if hook is None:
        return "its file is gone"
    if hook not in wanted:
        return "hooks are taken out"
    return f"it is {'invalid' if hook.faults else hook.standing}"


def _says(value: object, text: str) -> bool:
    """Whether the text is one of those in a parsed value."""
    match value:
        case dict():
            return any(_says(one, text) for one in value.values())
        case list():
            return any(_says(one, text) for one in value)
        case _:
            return value == text


def _write(root: Path, disk: Disk, ownership: Ownership, made: Rendering) -> Rendering:
    """Intent, host file, confirmation; a host file that the system refuses is a failed row. Raises Changed."""
    record, change = made.record, made.change
    marks = {row.name: fingerprint(row.new) for row in made.rows if row.new is not None}
    if marks:
        record.pending.update(marks)
        ownership.records[made.key] = record
        _save(disk, ownership)
    if change is not None:
        try:
            disk.sweep(change.path.parent)
            disk.apply(change)
        except Refusal as refusal:
            file = made.rows[0]
            return made._replace(rows=[Row(file.provider, file.file, "", "failed", refusal.message)])
        if change.after is None and change.path.parent != root:
            disk.remove_empty(change.path.parent)
    for row in made.rows:
        if row.name in marks:
            record.confirm(row.name, marks[row.name])
        elif row.outcome == "removed" or row.reason == GONE:
            record.forget(row.name)
    record.pending.clear()
    if record.managed:
        ownership.records[made.key] = record
    else:
        ownership.records.pop(made.key, None)
    _save(disk, ownership)
    return made


def _save(disk: Disk, ownership: Ownership) -> None:
    if not ownership.believed:
        return
    before, after = disk.read(ownership.path), ownership.to_bytes()
    if after == before:
        return
    if after is not None:
        disk.write(ownership.path, after, expected=before, private=True)
    elif before is not None:
        disk.remove(ownership.path, expected=before)
