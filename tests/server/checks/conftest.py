"""Workspaces to check: copies of the readable ones in `fixtures/checks/<check>/<case>` (`vault`, `framework`, `project`)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, Sandbox
from vaultspec_core.vault.vault import Vault

TODAY = "2026-08-01"
FIXTURES = ROOT / "fixtures" / "checks"
PLACES = {"vault": ".vault", "framework": ".vaultspec", "project": "."}

Lay = Callable[[str, str], Vault]


def opened(root: Path) -> Vault:
    """The vault of a workspace, as a new process sees it on TODAY."""
    return Vault.open(root, today=lambda: TODAY)


def tree(root: Path) -> dict[str, bytes]:
    """Every file of a workspace by path, but for what runs of ours keep in `.vault/data`."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def empty(sandbox: Sandbox) -> Vault:
    """A workspace with an empty vault."""
    for place in PLACES.values():
        (sandbox.root / place).mkdir(exist_ok=True)
    return opened(sandbox.root)


@pytest.fixture
def lay(empty: Vault) -> Lay:
    """Copy a fixture into the workspace and open its vault."""

    def copy(check: str, case: str) -> Vault:
        for name, place in PLACES.items():
            source = FIXTURES / check / case / name
            if source.is_dir():
                shutil.copytree(source, empty.root / place, dirs_exist_ok=True)
        return opened(empty.root)

    return copy
