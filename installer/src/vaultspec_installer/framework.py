"""The files that we put into `.vaultspec/`: the bundled definition and the document templates, each remembered by its hash.

What still has the hash that we recorded is ours to replace and to delete; what the user changed is not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import vaultspec_core
from vaultspec_core.changeset import Changeset
from vaultspec_core.workspace import FRAMEWORK

from .definition import InvalidDefinition, folder_of, judge
from .digest import digest
from .manifest import Manifest

_OURS = re.compile(rf"{re.escape(FRAMEWORK)}/(?:mcps/[^/\\\x00]+\.builtin\.json|templates/[^/\\\x00]+\.md)")
HASHES = "files"
"""Key of the manifest: relative path -> SHA-256 of the bytes that we wrote."""


class FileRow(NamedTuple):
    """One file and what became of it: created, updated, unchanged, kept, moved, removed. `reason` for kept and moved."""

    path: str
    outcome: str
    reason: str = ""

    def data(self) -> dict[str, str]:
        row = {"path": self.path, "outcome": self.outcome}
        return row | {"reason": self.reason} if self.reason else row


def templates() -> dict[str, bytes]:
    """The shipped document templates, by path relative to the workspace."""
    folder = Path(vaultspec_core.__file__).parent / "templates"
    return {f"{FRAMEWORK}/templates/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.md"))}


def recorded(manifest: Manifest) -> dict[str, str]:
    """Hashes by path as the manifest has them. A path that we never write to is passed over: the file may come from anybody."""
    said = manifest.said.get(HASHES)
    pairs = said.items() if isinstance(said, Mapping) else ()
    return {path: mark for path, mark in pairs if isinstance(mark, str) and _OURS.fullmatch(path)}


def place(
    files: Changeset, root: Path, manifest: Manifest, wanted: Mapping[str, bytes], *, upgrade: bool
) -> tuple[Manifest, list[FileRow]]:
    """Set the wanted files (bytes by relative path). A file that the user changed stays; a changed bundled definition moves to the user's own name on upgrade."""
    hashes = recorded(manifest)
    rows: list[FileRow] = []
    for relative, data in wanted.items():
        path = root / relative
        current = files.read(path)
        if current is None or current == data:
            rows.append(FileRow(relative, "created" if current is None else "unchanged"))
            hashes[relative] = digest(data)
            if current is None:
                files.write(path, data)
        elif not upgrade:
            rows.append(FileRow(relative, "unchanged"))
        elif hashes.get(relative) == digest(current):
            rows.append(FileRow(relative, "updated"))
            hashes[relative] = digest(data)
            files.write(path, data)
        elif relative.endswith(".builtin.json"):
            rows += _move_definition(files, root, relative, current, data)
            hashes[relative] = digest(data)
        else:
            rows.append(FileRow(relative, "kept", "changed since vaultspec wrote it"))
    return manifest._replace(said={**manifest.said, HASHES: dict(sorted(hashes.items()))}), rows


def _move_definition(files: Changeset, root: Path, relative: str, current: bytes, data: bytes) -> list[FileRow]:
    """The user's version goes to `NAME.json`, which wins over the bundled one; without a free name it stays and is told."""
    name = Path(relative).name.removesuffix(".builtin.json")
    own = folder_of(root) / f"{name}.json"
    if isinstance(judge(name, own, "Custom", current), InvalidDefinition):
        bad = folder_of(root) / f"{name}.builtin.json.bad"
        files.write(bad, current)
        files.write(root / relative, data)
        shown = bad.relative_to(root).as_posix()
        return [
            FileRow(relative, "updated"),
            FileRow(shown, "moved", "your changes to the bundled definition were no valid one"),
        ]
    if files.read(own) is not None:
        files.write(root / relative, data)
        return [FileRow(relative, "updated", f"{own.name} holds your version and wins over it")]
    files.write(own, current)
    files.write(root / relative, data)
    shown = own.relative_to(root).as_posix()
    return [
        FileRow(relative, "updated"),
        FileRow(shown, "moved", "your changes to the bundled definition live on here"),
    ]


def take_away(files: Changeset, root: Path, manifest: Manifest, wanted: Mapping[str, bytes]) -> list[FileRow]:
    """Remove what we wrote and nobody changed; say what stays and why."""
    rows: list[FileRow] = []
    hashes = recorded(manifest)
    for relative in sorted({*wanted, *hashes}):
        current = files.read(root / relative)
        if current is None:
            continue
        if current == wanted.get(relative) or hashes.get(relative) == digest(current):
            files.remove(root / relative)
            rows.append(FileRow(relative, "removed"))
        else:
            rows.append(FileRow(relative, "kept", "changed since vaultspec wrote it"))
    return rows
