"""Change several documents as one: whatever is written inside `together` happens entirely or not at all, also when the process is killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vaultspec_core.dry_run import DryDisk
from vaultspec_core.files import Changed
from vaultspec_core.plan.settle import journal, settle
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.vault import Vault


@contextmanager
def together(vault: Vault) -> Iterator[Vault]:
    """A vault, locked and up to date, whose writes are only kept; they are made when the block ends without a fault.

    Folders below those of the types that lost their last file go too. Raises Refusal `busy` when another program changed a
    file meanwhile, and those of the file system; then nothing is changed.
    """
    with vault.hold():
        settle(vault)
        vault.corpus.refresh()
        disk = DryDisk(vault.disk)
        staged = Vault(vault.root, disk, vault.today)
        staged.corpus = vault.corpus
        yield staged
        try:
            done = disk.kept.commit(journal(vault))
        except Changed as moved:
            message = f"{moved.path} was being changed by another program; nothing was changed"
            raise Refusal("busy", message, "Run the command again.") from moved
        for change in done:
            if change.after is None:
                _tidy(vault, change.path.parent)


def move(vault: Vault, old: str, new: str) -> None:
    """Give a file of the vault another place, its bytes as they are (paths from the workspace).

    Raises Refusal `is-a-link`, `gone`, `name-taken`.
    """
    source, target = vault.path(old), vault.path(new)
    if (vault.root / old).is_symlink():
        raise Refusal("is-a-link", f"{old} is a symbolic link, and stays", "Put the file itself in its place.")
    data = vault.disk.read(source)
    if data is None:
        raise Refusal("gone", f"{old} was deleted a moment ago")
    try:
        vault.disk.write(target, data, expected=None, private=vault.disk.is_private(source))
    except Changed as taken:
        raise Refusal("name-taken", f"{new} exists already", "Move one of the two away first.") from taken
    vault.disk.remove(source, expected=data)
    for relative, after in ((old, None), (new, data)):
        if not relative.startswith(f"{names.VAULT}/{names.ARCHIVE}/"):
            vault.corpus.put(relative, after)


def _tidy(vault: Vault, folder: Path) -> None:
    """Remove an empty folder and those above it, down to the folders of the types."""
    while folder.is_relative_to(vault.path(names.VAULT)) and not _stays(vault, folder):
        if not vault.disk.remove_empty(folder):
            return
        folder = folder.parent


def _stays(vault: Vault, folder: Path) -> bool:
    inside = folder.relative_to(vault.path(names.VAULT)).parts
    return len(inside) <= 1 and inside != (names.ARCHIVE,)
