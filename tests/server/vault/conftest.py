"""Vaults to test with: copies of the readable ones in `fixtures/vaults`, and documents written on the spot."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, Sandbox
from vaultspec_core.vault import walk
from vaultspec_core.vault.vault import Vault

TODAY = "2026-08-01"


@pytest.fixture
def vault(sandbox: Sandbox) -> Vault:
    """An empty vault in the sandbox's workspace; its day is TODAY."""
    (sandbox.root / ".vaultspec").mkdir()
    (sandbox.root / ".vault").mkdir()
    return Vault.open(sandbox.root, today=lambda: TODAY)


@pytest.fixture
def fill(vault: Vault) -> Callable[[str], Vault]:
    """Copy a vault of `fixtures/vaults` into the workspace."""

    def copy(name: str) -> Vault:
        shutil.copytree(ROOT / "fixtures" / "vaults" / name, vault.folder, dirs_exist_ok=True)
        return vault

    return copy


@pytest.fixture
def write(vault: Vault) -> Callable[..., Path]:
    """Write a document: `write("adr/x.md", "body", feature="auth")`, or with `text=` exactly these characters."""

    def put(
        inside: str, body: str = "", *, feature: str | None = "auth", related: str = "", text: str | None = None
    ) -> Path:
        path = vault.folder / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = inside.partition("/")[0]
        tags = [f"#{kind}", *([f"#{feature}"] if feature else [])]
        links = ", ".join(f"'[[{stem}]]'" for stem in related.split())
        made = f"---\ntags: {tags}\ndate: '2026-01-01'\nrelated: [{links}]\n---\n\n{body}\n"
        path.write_text(made if text is None else text, encoding="utf-8", newline="")
        return path

    return put


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files just written count as old enough to trust their time stamps."""
    monkeypatch.setattr(walk, "RACY_NS", 0)
