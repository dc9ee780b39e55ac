"""What a command loads: the common ones start fast because of what is not imported."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import ROOT, Sandbox
from tests.requirements import requirement

HEAVY = {
    *("argparse", "asyncio", "concurrent.futures", "dataclasses", "difflib", "email", "importlib.metadata", "inspect"),
    *("jsonschema", "logging", "mcp", "packaging", "platformdirs", "psutil", "pydantic", "rich", "subprocess"),
    *("tempfile", "textwrap", "threading", "tomlkit", "yaml"),
}
"""Modules that cost more than they give a command that finds nothing to do."""


def loaded(sandbox: Sandbox, words: list[str]) -> set[str]:
    """The modules that a command line imports, from the interpreter's own account."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "vaultspec_installer", *words],
        cwd=sandbox.root,
        env=sandbox.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


@requirement("PRF-7")
def test_the_version_loads_next_to_nothing(sandbox: Sandbox) -> None:
    modules = loaded(sandbox, ["--version"])
    assert modules & (HEAVY | {"json", "pathlib", "re", "typing", "vaultspec_installer.cli"}) == set()


@requirement("PRF-7")
@pytest.mark.parametrize(
    "words",
    ["spec mcps status", "spec mcps status --json", "spec mcps sync", "sync", "sync --json", "spec mcps list"],
)
def test_a_command_with_nothing_to_do_loads_nothing_heavy(
    sandbox: Sandbox, command: Callable[..., Any], words: str
) -> None:
    (sandbox.root / ".git").mkdir()
    assert command("install", "--mode", "tool").returncode == 0
    assert command("sync").returncode == 0
    assert loaded(sandbox, words.split()) & HEAVY == set()


@requirement("PRF-9")
@pytest.mark.parametrize("words", ["vault list --json", "vault stats --json", "status --json", "vault list adr --json"])
def test_a_read_that_the_gateway_runs_loads_nothing_heavy(sandbox: Sandbox, words: str) -> None:
    (sandbox.root / ".vaultspec").mkdir()
    shutil.copytree(ROOT / "fixtures" / "vaults" / "search", sandbox.root / ".vault")
    assert loaded(sandbox, words.split()) & HEAVY == set()
