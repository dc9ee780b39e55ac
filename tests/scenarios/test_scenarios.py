"""Play every scenario of the folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox
from tests.scenarios.runner import Scenario

FILES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path: Path, sandbox: Sandbox, cli: Callable[..., Any]) -> None:
    Scenario(path, sandbox, cli).play()
