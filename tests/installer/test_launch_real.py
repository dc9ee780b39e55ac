"""The enrolled command lines start this checkout's server: taken from the host file and run by uv from built wheels."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import Sandbox
from tests.requirements import requirement

Cli = Callable[..., Any]
Environ = dict[str, str]
MODULE = "vaultspec_core.mcp_server.app"


def enrolled_line(root: Path) -> list[str]:
    """The command line that a client reads."""
    entry = json.loads((root / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["vaultspec-core"]
    return [entry["command"], *entry["args"]]


def answers(line: list[str], root: Path, environ: Environ) -> list[dict[str, Any]]:
    """The results of `initialize` and `tools/list`, as a client asks for them over stdio."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    )
    done = subprocess.run(
        line,
        cwd=root,
        env=environ,
        input="".join(json.dumps(message) + "\n" for message in messages),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = sorted((json.loads(text) for text in done.stdout.splitlines()), key=lambda answer: answer["id"])
    return [answer["result"] for answer in said]


def assert_serves_this_checkout(line: list[str], root: Path, environ: Environ) -> None:
    sources = environ | {"PYTHONPATH": os.environ["PYTHONPATH"]}
    assert answers(line, root, environ) == answers([sys.executable, "-m", MODULE], root, sources)


@requirement("PKG-2", "NAT-2")
def test_the_line_of_tool_mode_serves_from_any_folder(cli: Cli, sandbox: Sandbox, uv_environ: Environ) -> None:
    assert cli("install", "--mode", "tool").code == 0
    line = enrolled_line(sandbox.root)
    assert line == ["uvx", "--from", "vaultspec-core", "python", "-m", MODULE]
    assert_serves_this_checkout(line, sandbox.home, uv_environ | {"VAULTSPEC_TARGET_DIR": str(sandbox.root)})


@requirement("PKG-2", "MOD-3")
def test_the_line_of_a_wheel_that_install_was_given_serves_that_wheel(
    cli: Cli, sandbox: Sandbox, uv_environ: Environ, wheels: Path
) -> None:
    (wheel,) = wheels.glob("vaultspec_core-*.whl")
    assert cli("install", "--mode", "tool", "--from", str(wheel)).code == 0
    line = enrolled_line(sandbox.root)
    assert line == ["uvx", "--from", str(wheel), "python", "-m", MODULE]
    assert cli("spec", "mcps", "status").code == 0
    assert_serves_this_checkout(line, sandbox.root, uv_environ)


@requirement("PKG-2")
def test_the_line_of_dependency_mode_serves_from_the_projects_own_environment(
    cli: Cli, sandbox: Sandbox, uv_environ: Environ
) -> None:
    project = sandbox.root / "pyproject.toml"
    project.write_text('[project]\nname = "demo"\nversion = "1"\nrequires-python = ">=3.11"\n')
    subprocess.run(
        ["uv", "add", "--quiet", "vaultspec-core"], cwd=sandbox.root, env=uv_environ, check=True, capture_output=True
    )
    assert cli("install").code == 0
    line = enrolled_line(sandbox.root)
    assert line == ["uv", "run", "--no-sync", "python", "-m", MODULE]
    assert_serves_this_checkout(line, sandbox.root, uv_environ)
