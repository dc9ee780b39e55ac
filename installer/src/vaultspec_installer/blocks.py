"""What we keep in the user's `.gitignore` and `.gitattributes`, each part on its own switch."""

from __future__ import annotations

from pathlib import Path

from vaultspec_core.changeset import Changeset

from .declaration import Declaration
from .framework import FileRow
from .managed_block import has_block, with_block, without_block

LINES = {
    "gitignore": (
        ".vault/.obsidian/",
        ".vault/.trash/",
        ".vault/data/",
        ".vault/logs/",
        ".vaultspec/mcp-ownership.json",
        ".vaultspec/mcp-ownership.json.bad*",
        ".vaultspec/providers.json",
    ),
    # Ledgers only ever grow by whole lines, so that both sides of a merge are right.
    "gitattributes": (".vault/exec/**/*-ledger.md merge=union",),
}
PARTS = tuple(LINES)


def converge_block(files: Changeset, root: Path, part: str) -> FileRow:
    """Put the part's block into its file, or complete it."""
    path = root / f".{part}"
    before = files.read(path)
    after = with_block(before, LINES[part])
    if after == before:
        return FileRow(path.name, "unchanged")
    files.write(path, after)
    return FileRow(path.name, "created" if before is None else "updated")


def remove_block(files: Changeset, root: Path, part: str) -> FileRow:
    """Take the part's block out; the file goes when nothing else is in it."""
    path = root / f".{part}"
    before = files.read(path)
    if before is None or not has_block(before):
        return FileRow(path.name, "unchanged")
    after = without_block(before, LINES[part])
    if after is None:
        files.remove(path)
        return FileRow(path.name, "removed")
    files.write(path, after)
    return FileRow(path.name, "updated")


def converge_blocks(files: Changeset, root: Path, declaration: Declaration) -> list[FileRow]:
    """Every part that is not opted out."""
    return [converge_block(files, root, part) for part in PARTS if part not in declaration.opt_out]
