"""A vault: the folder `.vault` of a workspace, its documents in memory, its lock and its clock."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from vaultspec_core.files import Disk
from vaultspec_core.lock import hold
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.snapshot import Snapshot
from vaultspec_core.vault.walk import real_path


def utc_today() -> str:
    """Today in UTC, `yyyy-mm-dd`."""
    return time.strftime("%Y-%m-%d", time.gmtime())


class Vault:
    """`root`: the real path of the workspace. `corpus`: as of the last `corpus.refresh()`, which a caller does first, inside the lock when it writes."""

    def __init__(self, root: Path, disk: Disk, today: Callable[[], str], snapshot: Snapshot | None = None) -> None:
        self.root = root
        self.folder = root / names.VAULT
        self.disk = disk
        self.today = today
        self.corpus = Corpus(root, snapshot)

    @classmethod
    def open(
        cls,
        root: Path,
        disk: Disk | None = None,
        today: Callable[[], str] = utc_today,
        snapshot: Snapshot | None = None,
    ) -> Vault:
        """The vault of a workspace. Raises Refusal `no-vault`, or `link-outside` when `.vault` is a link that leaves the workspace."""
        folder = root / names.VAULT
        if not folder.is_dir():
            raise Refusal("no-vault", f"{root} holds no vault (`.vault`)", f"vaultspec-core install --target {root}")
        if real_path(root, names.VAULT) is None:
            raise _outside(folder)
        return cls(root, disk or Disk(), today, snapshot)

    def hold(self) -> AbstractContextManager[None]:
        """The vault's lock: held from reading what a write depends on until it is written. Raises Refusal `busy`."""
        return hold(self.folder)

    def path(self, document: Document | str) -> Path:
        """The absolute path of the file to read or write, all links of the path followed. Raises Refusal `link-outside`."""
        relative = document if isinstance(document, str) else document.relative
        real = Path(os.path.realpath(self.root / relative))
        if not real.is_relative_to(os.path.realpath(self.root)):
            raise _outside(self.root / relative)
        return real

    def read(self, document: Document) -> bytes | None:
        """The bytes of a document as they are now; None when it is gone. Raises Refusal `unreadable`, `link-outside`."""
        return self.disk.read(self.path(document))

    def write(self, document: Document | str, data: bytes, *, expected: bytes | None) -> None:
        """Write one document as `Disk.write` does, and delete what a kill left beside it. The caller holds the lock."""
        path = self.path(document)
        self.disk.sweep(path.parent)
        self.disk.write(path, data, expected=expected)


def _outside(path: Path) -> Refusal:
    return Refusal("link-outside", f"{path} is a link that leaves the workspace", "Put the file itself in its place.")
