"""A release kept a workspace's ownership record in the user's home; what it says of this workspace belongs into the workspace's own.

It lies in `~/.vaultspec/mcp-ownership/<SHA-256 of the workspace's real path>/` in the format of our record, with the host
file's path in every key. It stays where it is: that release goes on reading it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from vaultspec_core.files import Disk
from vaultspec_core.migration import Applied, Migration, Read
from vaultspec_core.workspace import FRAMEWORK
from vaultspec_providers import registry
from vaultspec_providers.contract import HostFileError, Scope, Surroundings

from .. import declaration as declarations
from .. import ownership as owning
from ..digest import digest
from ..ownership import Ownership, Record, fingerprint
from ..survey import load_ownership, usable_home
from ..target import Target, locate

MIGRATION = Migration(
    "home_ownership",
    "0.3.2",
    "environment",
    "Take over the ownership record that a release kept in the user's home.",
    f"{__name__}:needed",
    f"{__name__}:run",
)


def needed(root: Path, environ: Mapping[str, str], read: Read) -> bool:
    """Whether it owns an entry of this workspace that our record does not know."""
    return any(True for _ in _unknown(root, environ, read))


def run(root: Path, environ: Mapping[str, str], disk: Disk) -> Applied:
    """Add what it owns to our record; what that says already stays."""
    ownership = load_ownership(root, Scope.PROJECT, environ, disk.read)
    done: list[str] = []
    for target, name, mark in list(_unknown(root, environ, disk.read)):
        record = _record(ownership, target)
        ownership.records[target.key] = record
        record.managed[name] = mark
        if target.scope is Scope.LOCAL:
            record.owners[name] = str(root)
        done.append(f"{name} in {target.said(root)}")
    text, before = ownership.to_bytes(), disk.read(ownership.path)
    if done and text is not None:
        disk.write(ownership.path, text, expected=before, private=True)
    return Applied(f"took over {', '.join(done)}" if done else "nothing to take over")


def record_path(root: Path, home: Path) -> Path:
    """Where that release keeps the record of a workspace."""
    return home / FRAMEWORK / "mcp-ownership" / digest(str(root).encode()) / owning.FILE


def _unknown(root: Path, environ: Mapping[str, str], read: Read) -> Iterator[tuple[Target, str, str | None]]:
    """Target, name and fingerprint of each entry that it owns and we do not.

    Believed is what names exactly our host file, of an entry that stands there and is as it was left, if that can be told.
    """
    home = usable_home(environ)
    data = read(record_path(root, home)) if home else None
    if home is None or data is None:
        return
    declaration = declarations.load(root, read)
    ours = load_ownership(root, Scope.PROJECT, environ, read)
    if declaration.newer or not ours.believed or "mcp" in declaration.opt_out:
        return
    for said in owning.parse(record_path(root, home), data).records.values():
        provider = registry.load(said.provider)
        if provider is None or said.scope not in (Scope.PROJECT, Scope.LOCAL) or said.provider in declaration.opt_out:
            continue
        if Scope(said.scope) not in provider.locations:
            continue
        target = locate(provider, Scope(said.scope), Surroundings(root, home, environ))
        if str(target.shown) != said.path:
            continue
        present = _entries(target, read)
        known = _record(ours, target).managed
        for name, mark in said.managed.items():
            if name not in known and name in present and mark in (None, fingerprint(present[name])):
                yield target, name, mark


def _entries(target: Target, read: Read) -> Mapping[str, object]:
    try:
        return target.format.read(read(target.path)).entries
    except HostFileError:
        return {}


def _record(ownership: Ownership, target: Target) -> Record:
    """Our record of the target; a new one when it is about another file."""
    record = ownership.records.get(target.key)
    if record is not None and record.path == str(target.shown):
        return record
    return Record(target.provider.name, target.scope.value, str(target.shown))
