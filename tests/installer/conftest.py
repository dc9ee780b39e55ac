"""What the tests of the installer share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Sandbox
from tests.installer.demo import verbs
from vaultspec_installer import table


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command line of this process know the demo verbs."""
    monkeypatch.setattr(table, "FOLDERS", (*table.FOLDERS, verbs))


@pytest.fixture
def uv_environ(wheels: Path, sandbox: Sandbox) -> dict[str, str]:
    """The environment of a machine with `uv` and `uvx`, where the wheels stand beside the index; downloads are kept between runs."""
    return {name: value for name, value in sandbox.environ.items() if name != "PYTHONPATH"} | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), sandbox.environ["PATH"]]),
        "UV_CACHE_DIR": str(ROOT / ".cache/uv"),
        "UV_FIND_LINKS": str(wheels),
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
    }
