"""`code-boundary`: source files name no document of the vault. Only on the command line: it reads the whole repository."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from vaultspec_core.checks.contract import WARNING, Check, Finding
from vaultspec_core.vault.vault import Vault

NAME = "code-boundary"

SIZE_LIMIT = 1 << 20
_STEM = re.compile(rb"(?<![0-9A-Za-z])[0-9]{4}-[0-9]{2}-[0-9]{2}-[a-z0-9-]+")
_FOLDERS = frozenset(
    ["node_modules", "build", "dist", "target", "vendor", "venv", "env", "site-packages", "__pycache__"]
)


def _findings(vault: Vault) -> Iterator[Finding]:
    for path in _sources(vault.root):
        try:
            data = path.read_bytes() if path.stat().st_size <= SIZE_LIMIT else b""
        except OSError:
            continue
        told: set[str] = set()
        for match in _STEM.finditer(data):
            stem = match[0].decode("ascii").rstrip("-")
            documents = vault.corpus.stems.get(stem)
            if documents and stem not in told:
                told.add(stem)
                line = data.count(b"\n", 0, match.start()) + 1
                relative = path.relative_to(vault.root).as_posix().encode("utf-8", "replace").decode("utf-8")
                yield Finding(
                    NAME, relative, f"names the document {stem}", WARNING, line=line, feature=documents[0].feature
                )


def _sources(root: Path) -> Iterator[Path]:
    """The files of the repository but for documents, hidden folders and what tools made or fetched."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in _FOLDERS)
        for name in sorted(files):
            if name[0] != "." and not name.lower().endswith((".md", ".lock")):
                path = Path(folder, name)
                if not path.is_symlink() and path.is_file():
                    yield path


CHECK = Check(NAME, 0, disk=_findings)
