"""Feature indexes once lay at the top of the vault, `.vault/NAME.index.md`; they lie in `.vault/index/`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Disk
from vaultspec_core.load import load
from vaultspec_core.migration import Applied, Migration, Read
from vaultspec_core.report import Refusal
from vaultspec_core.workspace import VAULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from vaultspec_core.vault.vault import Vault

MIGRATION = Migration(
    "index_subfolder",
    "0.1.17",
    "placement",
    "Move feature indexes from the top of the vault into .vault/index/.",
    f"{__name__}:needed",
    f"{__name__}:run",
)
_SUFFIX = ".index.md"


def needed(root: Path, environ: Mapping[str, str], read: Read) -> bool:
    """Whether an index lies at the top of the vault."""
    return any(read(root / VAULT / name) is not None for name in _legacy(root))


def run(root: Path, environ: Mapping[str, str], disk: Disk) -> Applied:
    """Move each index, its bytes as they are. One that has been generated anew in its folder is superseded and goes.

    Raises Refusal `two-indexes` when somebody wrote both.
    """
    # Every command asks whether this is needed; only here it costs what it takes to read documents.
    vault: Vault = load("vaultspec_core.vault.vault:Vault").open(root, disk)
    with vault.hold():
        files = Changeset(disk)
        for name in _legacy(root):
            _move(vault, files, name)
        done = files.commit()
    moved = [change.path.name for change in done if change.after is None]
    return Applied(f"moved {', '.join(moved)}" if moved else "nothing to move")


def _move(vault: Vault, files: Changeset, name: str) -> None:
    old, new = vault.path(f"{VAULT}/{name}"), vault.path(f"{VAULT}/index/{name}")
    data, present = files.read(old), files.read(new)
    if data is None:
        return
    if present is None:
        files.rename(old, new)
    elif data == present or _generated(data):
        files.remove(old)
    else:
        raise Refusal(
            "two-indexes",
            f"{VAULT}/{name} and {VAULT}/index/{name} differ, and the first was written by hand",
            f"Keep what you need of {VAULT}/{name} elsewhere, delete it, and run: vaultspec-core migrations run",
            data={"path": f"{VAULT}/{name}"},
        )


def _generated(data: bytes) -> bool:
    """Whether the text says of itself that it is generated, which every regeneration overwrites."""
    try:
        split = load("vaultspec_core.vault.frontmatter:split")
        return split(data.decode("utf-8")).fields.get("generated") is True
    except UnicodeDecodeError:
        return False


def _legacy(root: Path) -> list[str]:
    try:
        with os.scandir(root / VAULT) as entries:
            return sorted(e.name for e in entries if e.name.endswith(_SUFFIX) and e.is_file(follow_symlinks=False))
    except OSError:
        return []
