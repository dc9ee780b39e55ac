"""A vault: the folder `.vault` of a workspace, its documents in memory, its lock and its clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from vaultspec_core.files import Disk, real_target
from vaultspec_core.lock import hold
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document


def utc_today() -> str:
    """Today in UTC, `yyyy-mm-dd`."""
    return time.strftime("%Y-%m-%d", time.gmtime())


class Vault:
    """`root`: the real path of the workspace. `corpus`: as of the last `corpus.refresh()`, which a caller does first, inside the lock when it writes."""

    def __init__(self, root: Path, disk: Disk, today: Callable[[], str]) -> None:
        self.root = root
        self.folder = root / names.VAULT
        self.disk = disk
        self.today = today
        self.corpus = Corpus(root)

    @classmethod
    def open(cls, root: Path, disk: Disk | None = None, today: Callable[[], str] = utc_today) -> Vault:
        """The vault of a workspace. Raises Refusal `no-vault`, or `link-outside` when `.vault` is a link that leaves the workspace."""
        folder = root / names.VAULT
        real_target(folder, (root,))
        if not folder.is_dir():
            raise Refusal("no-vault", f"{root} holds no vault (`.vault`)", f"vaultspec-core install --target {root}")
        return cls(root, disk or Disk(), today)

    def hold(self) -> AbstractContextManager[None]:
        """The vault's lock: held from reading what a write depends on until it is written. Raises Refusal `busy`."""
        return hold(self.folder)

    def path(self, document: Document | str) -> Path:
        """The absolute path of the file to read or write: the document itself, or what its link inside the workspace leads to."""
        relative = document if isinstance(document, str) else document.relative
        return real_target(self.root / relative, (self.root,))

    def read(self, document: Document) -> bytes | None:
        """The bytes of a document as they are now; None when it is gone. Raises Refusal `unreadable`, `link-outside`."""
        return self.disk.read(self.path(document))
