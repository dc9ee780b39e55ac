"""What the tests of the installer share."""

from __future__ import annotations

import pytest

from tests.installer.demo import verbs
from vaultspec_installer import table


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command line of this process know the demo verbs."""
    monkeypatch.setattr(table, "FOLDERS", (*table.FOLDERS, verbs))
