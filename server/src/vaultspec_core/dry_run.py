"""A disk on which nothing is written: what a verb would do is kept and can be shown as a diff (`--dry-run`)."""

from __future__ import annotations

from pathlib import Path

from vaultspec_core.changeset import Changeset, unified_diff
from vaultspec_core.files import Changed, Disk
from vaultspec_core.workspace import VAULT


class DryDisk(Disk):
    """Reads see what was written before; writes and removals stay in memory, judged as on a real disk. `below`: what is read where nothing was
    written, by default the disk."""

    def __init__(self, below: Disk | None = None) -> None:
        super().__init__()
        self.kept = Changeset(below or Disk())

    def read(self, path: Path) -> bytes | None:
        return self.kept.read(path)

    def write(self, path: Path, data: bytes, *, expected: bytes | None, private: bool = False) -> None:
        if self.read(path) != expected:
            raise Changed(path)
        self.kept.write(path, data, private=private)

    def remove(self, path: Path, *, expected: bytes) -> None:
        if self.read(path) != expected:
            raise Changed(path)
        self.kept.remove(path)

    def remove_empty(self, folder: Path) -> bool:
        return False

    def sweep(self, *folders: Path) -> list[Path]:
        return []

    def diff(self, root: Path) -> str:
        """What would change in the vault, as a unified diff with paths from the workspace. What convergence would do to clients'
        files is told entry by entry instead, by those who know what in them is secret."""
        folder = (root / VAULT).resolve()
        changes = [change for change in self.kept.changes() if change.path.is_relative_to(folder)]
        return unified_diff(changes, lambda path: path.relative_to(root).as_posix())
