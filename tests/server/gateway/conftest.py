"""A workspace to call the gateway's tools in, with the real command line or with the stand-in for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conftest import ROOT, Result, Sandbox
from tests.server.gateway import stand_in
from vaultspec_core.mcp_server import calls
from vaultspec_core.mcp_server.table import open_table
from vaultspec_core.tools import discover, invoke

Invoke = Callable[..., dict[str, Any]]
RESULTS = {"discover": discover.TOOL.result, "invoke": invoke.TOOL.result}


def answer(root: Path, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The result of a call. Raises Fault."""
    call = calls.Call(1, tool, arguments, None, structured=True)
    found = open_table(str(root), False).perform(call, lambda params: None, lambda result: result)
    assert found is not None
    return found


def perform(root: Path, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The structured part of it, which fits the tool's own schema."""
    structured: dict[str, Any] = answer(root, tool, arguments)["structuredContent"]
    jsonschema.validate(structured, RESULTS[tool])
    return structured


@pytest.fixture
def workspace(sandbox: Sandbox) -> Path:
    """A workspace with an empty vault."""
    (sandbox.root / ".vaultspec").mkdir()
    (sandbox.root / ".vault").mkdir()
    return sandbox.root


@pytest.fixture
def call(workspace: Path) -> Invoke:
    """`call("vault add", {"feature": "x"}, ["adr"], timeout=5)`: the result of `invoke`."""

    def invoke(
        verb: str, arguments: dict[str, Any] | None = None, positionals: list[str] | None = None, timeout: float = 60
    ) -> dict[str, Any]:
        said = {"verb": verb, "arguments": arguments, "positionals": positionals, "timeout": timeout}
        return perform(workspace, "invoke", said)

    return invoke


@pytest.fixture
def documents(workspace: Path) -> Path:
    """The workspace with the documents that the examples of verbs name."""
    shutil.copytree(ROOT / "fixtures" / "vaults" / "search", workspace / ".vault", dirs_exist_ok=True)
    return workspace


@pytest.fixture
def prepared(documents: Path, cli: Callable[..., Result]) -> Path:
    """The same, installed."""
    (documents / ".git").mkdir()
    assert cli("install", "--mode", "tool").code == 0
    (documents / "draft.md").write_text("# Draft\n\nProse.\n", encoding="utf-8")
    return documents


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the stand-in before the real command line."""
    package = tmp_path / "stand-in" / "vaultspec_installer"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copy(stand_in.__file__, package / "__main__.py")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package.parent), os.environ["PYTHONPATH"]]))
