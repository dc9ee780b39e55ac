"""What we keep in the repository's own files, each part on its own switch: `.gitignore`, `.gitattributes`, commit hooks."""

from __future__ import annotations

from pathlib import Path

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import real_target
from vaultspec_core.report import Refusal

from .declaration import Declaration
from .framework import FileRow
from .managed_block import has_block, with_block, without_block
from .precommit import FILE as HOOKS_FILE
from .precommit import PART as PRECOMMIT
from .precommit import converge_hooks, remove_hooks

LINES = {
    "gitignore": (
        ".vault/.obsidian/",
        ".vault/.trash/",
        ".vault/data/",
        ".vault/logs/",
        ".vaultspec/config.toml",
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
    try:
        if part == PRECOMMIT:
            return converge_hooks(files, root, declaration)
        return _set_block(files, root, part)
    except Refusal as refusal:
        return FileRow(name_of(part), "kept", refusal.message)


def _set_block(files: Changeset, root: Path, part: str) -> FileRow:
    path = real_target(root / name_of(part), (root,))
    before = files.read(path)
    after = with_block(before, LINES[part])
    if after == before:
        return FileRow(name_of(part), "unchanged")
    files.write(path, after)
    return FileRow(name_of(part), "created" if before is None else "updated")


def remove_part(files: Changeset, root: Path, part: str) -> FileRow:
    """Take the part out; its file goes when nothing else is in it."""
    try:
        if part == PRECOMMIT:
            return remove_hooks(files, root)
        return _take_block(files, root, part)
    except Refusal as refusal:
        return FileRow(name_of(part), "kept", refusal.message)


def _take_block(files: Changeset, root: Path, part: str) -> FileRow:
    path = real_target(root / name_of(part), (root,))
    before = files.read(path)
    if before is None or not has_block(before):
        return FileRow(name_of(part), "unchanged")
    after = without_block(before, LINES[part])
    if after is None:
        files.remove(path)
        return FileRow(name_of(part), "removed")
    files.write(path, after)
    return FileRow(name_of(part), "updated")


def name_of(part: str) -> str:
    """The part's file in the workspace."""
    return HOOKS_FILE if part == PRECOMMIT else f".{part}"


def left_out(declaration: Declaration) -> frozenset[str]:
    """The parts that are opted out; `hooks` stands for all hooks, those at commit included."""
    return declaration.opt_out | ({PRECOMMIT} if "hooks" in declaration.opt_out else set())


def converge_parts(files: Changeset, root: Path, declaration: Declaration) -> list[FileRow]:
    """Every part that is not opted out."""
    out = left_out(declaration)
    return [converge_part(files, root, part, declaration) for part in PARTS if part not in out]
