"""What we keep in the repository's own files, each part on its own switch: `.gitignore`, `.gitattributes`, commit hooks."""

from __future__ import annotations

from pathlib import Path

from vaultspec_core.changeset import Changeset

from .declaration import Declaration
from .framework import FileRow
from .managed_block import has_block, with_block, without_block
from .precommit import PART as PRECOMMIT
from .precommit import converge_hooks, remove_hooks

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
PARTS = (*LINES, PRECOMMIT)


def converge_part(files: Changeset, root: Path, part: str, declaration: Declaration) -> FileRow:
    """Put the part into its file, or complete it."""
    if part == PRECOMMIT:
        return converge_hooks(files, root, declaration)
    path = root / f".{part}"
    before = files.read(path)
    after = with_block(before, LINES[part])
    if after == before:
        return FileRow(path.name, "unchanged")
    files.write(path, after)
    return FileRow(path.name, "created" if before is None else "updated")


def remove_part(files: Changeset, root: Path, part: str) -> FileRow:
    """Take the part out; its file goes when nothing else is in it."""
    if part == PRECOMMIT:
        return remove_hooks(files, root)
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


def left_out(declaration: Declaration) -> frozenset[str]:
    """The parts that are opted out; `hooks` stands for all hooks, those at commit included."""
    return declaration.opt_out | ({PRECOMMIT} if "hooks" in declaration.opt_out else set())


def converge_parts(files: Changeset, root: Path, declaration: Declaration) -> list[FileRow]:
    """Every part that is not opted out."""
    out = left_out(declaration)
    return [converge_part(files, root, part, declaration) for part in PARTS if part not in out]
