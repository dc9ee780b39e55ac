"""`foreign`: nothing but documents among the documents, and nothing unknown in the framework's folder.

No link to a folder is followed; `structure` names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from vaultspec_core.checks.contract import WARNING, Check, Finding
from vaultspec_core.vault import names
from vaultspec_core.vault.vault import Vault
from vaultspec_core.workspace import FRAMEWORK

NAME = "foreign"

_KNOWN = frozenset(
    [
        "agents",
        "config.toml",
        "hooks",
        "mcp-ownership.json",
        "mcps",
        "providers.json",
        "reference",
        "rules",
        "skills",
        "system",
        "templates",
        "triggers",
        "workspace.json",
        "body-schema-baseline.json",
        "readme.md",
    ]
)

_OWNERSHIP = "mcp-ownership.json"
"""The ownership record, and copies of it that were set aside."""


def _findings(vault: Vault) -> Iterator[Finding]:
    for entry in _entries(vault.root / FRAMEWORK):
        if entry.name[0] != "." and entry.name.lower() not in _KNOWN and not entry.name.startswith(_OWNERSHIP):
            yield Finding(NAME, f"{FRAMEWORK}/{_shown(entry.name)}", "nothing of ours has this name", WARNING)
    for kind in names.TYPES:
        folder = os.path.join(vault.folder, kind)
        if not os.path.islink(folder):
            yield from _folder(folder, f"{names.VAULT}/{kind}")


def _folder(path: str, relative: str) -> Iterator[Finding]:
    folders = []
    for entry in _entries(path):
        if entry.name[0] == ".":
            continue
        if entry.is_dir(follow_symlinks=False):
            folders.append(entry)
        elif not entry.name.endswith(".md") and not entry.is_dir():
            yield Finding(NAME, f"{relative}/{_shown(entry.name)}", "a file that is no document", WARNING)
    for entry in folders:
        yield from _folder(entry.path, f"{relative}/{_shown(entry.name)}")


def _entries(path: os.PathLike[str] | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8")


CHECK = Check(NAME, 20, disk=_findings, everywhere=True)
