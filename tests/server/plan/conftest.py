"""A vault with plans written on the spot; its day is TODAY."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Sandbox
from vaultspec_core.vault.vault import Vault

TODAY = "2026-08-01"
STEM = "2026-07-12-search-api-plan"

ROWS = "- [x] `S01` - scan the folder; `src/scanner.py`.\n- [ ] `S02` - keep the index; `src/index.py`.\n"


def plan_text(rows: str = ROWS, tier: str = "L1", feature: str = "search-api", date: str = "2026-07-12") -> str:
    """A plan as it is scaffolded, without a body hash."""
    return (
        f"---\ntags:\n  - '#plan'\n  - '#{feature}'\ndate: '{date}'\nmodified: '{date}'\ntier: {tier}\nrelated: []\n---\n\n"
        f"# `{feature}` plan\n\n## Steps\n\n{rows and rows + chr(10)}## Verification\n\n- The tests pass.\n"
    )


@pytest.fixture
def vault(sandbox: Sandbox) -> Vault:
    """An empty vault in the sandbox's workspace."""
    (sandbox.root / ".vaultspec").mkdir()
    (sandbox.root / ".vault" / "plan").mkdir(parents=True)
    return Vault.open(sandbox.root, today=lambda: TODAY)


@pytest.fixture
def put(vault: Vault) -> Callable[..., Path]:
    """Write a plan: `put(text)`, or `put(text, stem)`."""

    def write(text: str = plan_text(), stem: str = STEM) -> Path:
        path = vault.folder / "plan" / f"{stem}.md"
        path.write_bytes(text.encode("utf-8"))
        return path

    return write
