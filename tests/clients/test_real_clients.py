"""The client programs themselves: they read what we wrote, connect to it, and rewrite it as recorded."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clients.rewrites import Rewrite, name_of, rewrites
from tests.conftest import Sandbox, tree
from tests.requirements import requirement

Cli = Callable[..., Any]
Client = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = pytest.mark.client

LINE = "uvx --from vaultspec-core python -m vaultspec_core.mcp_server.app"
COMMAND, *ARGS = LINE.split()


@pytest.fixture
def workspace(cli: Cli, sandbox: Sandbox) -> Path:
    """A workspace as `install` leaves it."""
    assert cli("install", "--mode", "tool").code == 0
    return sandbox.root


def trust(sandbox: Sandbox) -> Path:
    """The user's file with the answer that Codex writes when the user trusts a folder."""
    config = sandbox.home / ".codex/config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(f'[projects."{sandbox.root}"]\ntrust_level = "trusted"\n')
    return config


def codex_transport() -> dict[str, Any]:
    return {"type": "stdio", "command": COMMAND, "args": ARGS, "env": None, "env_vars": [], "cwd": None}


@requirement("REL-7", "NAT-8")
def test_codex_starts_exactly_our_entry_of_a_trusted_project(workspace: Path, client: Client, sandbox: Sandbox) -> None:
    (sandbox.home / ".codex").mkdir(exist_ok=True)
    assert json.loads(client("codex", "mcp", "list", "--json").stdout) == [], "enrollment grants no trust"
    trust(sandbox)
    (listed,) = json.loads(client("codex", "mcp", "list", "--json").stdout)
    got = json.loads(client("codex", "mcp", "get", "vaultspec-core", "--json").stdout)
    for said in (listed, got):
        assert (said["name"], said["enabled"]) == ("vaultspec-core", True)
        assert said["transport"] == codex_transport()


@requirement("REL-7")
def test_codex_starts_exactly_our_entry_of_the_user(
    workspace: Path, client: Client, cli: Cli, sandbox: Sandbox
) -> None:
    assert cli("spec", "mcps", "sync", "codex", "--scope", "user").code == 0
    (said,) = json.loads(client("codex", "mcp", "list", "--json").stdout)
    assert (said["name"], said["transport"]) == ("vaultspec-core", codex_transport())


@requirement("REL-7", "NAT-8")
def test_claude_lists_a_project_entry_as_waiting_for_approval(workspace: Path, client: Client) -> None:
    before = tree(workspace)
    listed = client("claude", "mcp", "list")
    assert (listed.returncode, LINE in listed.stdout, "Pending approval" in listed.stdout) == (0, True, True)
    got = client("claude", "mcp", "get", "vaultspec-core")
    assert got.returncode == 0
    assert "Scope: Project config" in got.stdout
    assert tree(workspace) == before


@requirement("REL-7", "SRV-1")
@pytest.mark.parametrize(("scope", "said"), [("local", "Local config"), ("user", "User config")])
def test_claude_connects_to_the_server_of_an_entry_in_its_own_file(
    workspace: Path, client: Client, cli: Cli, scope: str, said: str
) -> None:
    assert cli("spec", "mcps", "uninstall", "claude").code == 0
    assert cli("spec", "mcps", "sync", "claude", "--scope", scope).code == 0
    listed = client("claude", "mcp", "list")
    assert listed.returncode == 0
    assert f"vaultspec-core: {LINE} - ✔ Connected" in listed.stdout.splitlines()
    got = client("claude", "mcp", "get", "vaultspec-core")
    assert got.returncode == 0
    assert f"Scope: {said}" in got.stdout


@requirement("REL-7", "NAT-7")
@pytest.mark.parametrize("rewrite", rewrites(), ids=name_of)
def test_a_client_rewrites_its_file_as_recorded_and_accepts_what_our_sync_makes_of_it(
    rewrite: Rewrite, enrolled: Callable[[Rewrite], Path], client: Client, cli: Cli, sandbox: Sandbox
) -> None:
    host = enrolled(rewrite)
    for command in rewrite.commands:
        done = client(*command)
        assert done.returncode == 0, done.stderr
    assert host.read_bytes() == rewrite.text("after", sandbox)
    assert cli("spec", "mcps", "sync", rewrite.client, "--scope", rewrite.scope).code == 0
    accepted = client(rewrite.client, "mcp", "get", "vaultspec-core")
    assert accepted.returncode == 0, accepted.stderr


@requirement("REL-7")
def test_gemini_adds_and_lists_its_servers_beside_us(workspace: Path, client: Client, cli: Cli) -> None:
    before = tree(workspace)
    added = client("gemini", "mcp", "add", "other", "npx", "other")
    assert added.returncode == 0, added.stderr
    assert client("gemini", "mcp", "list").returncode == 0
    after = tree(workspace)
    assert {name: after[name] for name in before} == before
    assert cli("spec", "mcps", "status").code == 0


@requirement("REL-7", "SRV-1")
def test_the_inspector_drives_the_server_of_our_own_entry(workspace: Path, client: Client) -> None:
    entry = ("mcp-inspector", "--cli", "--config", str(workspace / ".mcp.json"), "--server", "vaultspec-core")
    listed = client(*entry, "--method", "tools/list", "--strict")
    assert listed.returncode == 0, "errors of schema portability: " + listed.stderr
    names = {tool["name"] for tool in json.loads(listed.stdout)["tools"]}
    assert {"find", "status", "create"} <= names
    called = client(*entry, "--method", "tools/call", "--tool-name", "find", "--tool-arg", "feature=none")
    assert called.returncode == 0, called.stderr
    assert json.loads(called.stdout)["structuredContent"] == {"result": []}
