"""Real processes at once: syncs against programs that take no lock, and kills at random times. The long forms are the scripts themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import ROOT, Sandbox, tree
from tests.requirements import requirement

Cli = Callable[..., Any]
SECONDS = 240


def figures(script: str, *options: str) -> Any:
    """What a script counted; it fails by itself when anything was lost."""
    command = [sys.executable, str(ROOT / "scripts" / script), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@requirement("REL-2", "OWN-5", "SYN-8")
@pytest.mark.parametrize("style", ["rename", "in-place"])
def test_twelve_syncs_of_two_workspaces_lose_nothing_to_programs_without_a_lock(style: str) -> None:
    assert figures("race_commands.py", "--rounds", "1", "--style", style)["syncs"] == 24


@requirement("NAT-7", "REL-2")
def test_what_a_client_writes_back_from_before_a_refresh_is_still_ours(cli: Cli, sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool").code == 0
    definition = sandbox.root / ".vaultspec/mcps/search.json"
    hosts = [sandbox.root / ".mcp.json", sandbox.root / ".codex/config.toml"]
    for generation in range(3):
        definition.write_text(json.dumps({"command": "search", "args": [str(generation)]}))
        assert cli("spec", "mcps", "sync").code == 0
        if not generation:
            read_by_the_client = [path.read_bytes() for path in hosts]
    wanted = tree(sandbox.root)
    for path, data in zip(hosts, read_by_the_client, strict=True):
        path.write_bytes(data)
    assert cli("spec", "mcps", "status", "--json").data["drifted"] == ["search"]
    result = cli("spec", "mcps", "sync")
    assert (result.code, result.err) == (0, "")
    assert {name: data for name, (data, _) in tree(sandbox.root).items()} == {
        name: data for name, (data, _) in wanted.items()
    }
    for path, data in zip(hosts, read_by_the_client, strict=True):
        path.write_bytes(data)
    assert cli("uninstall", "--force").code == 0
    assert [path for path in hosts if path.exists()] == []


@requirement("NAT-7")
def test_what_was_never_ours_is_an_edit_however_often_we_wrote(cli: Cli, sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool").code == 0
    definition, host = sandbox.root / ".vaultspec/mcps/search.json", sandbox.root / ".mcp.json"
    for generation in range(6):
        definition.write_text(json.dumps({"command": "search", "args": [str(generation)]}))
        assert cli("spec", "mcps", "sync").code == 0
    record = json.loads((sandbox.root / ".vaultspec/mcp-ownership.json").read_text())
    assert len(record["targets"]["claude:project"]["former"]["search"]) == 3
    edited = host.read_text().replace('"5"', '"mine"')
    host.write_text(edited)
    assert "left as it is" in cli("spec", "mcps", "sync").err
    assert host.read_text() == edited


@requirement("REL-3", "EDT-3", "CRE-2")
def test_four_servers_on_one_document_and_one_plan_lose_nothing() -> None:
    said = figures("race_documents.py", "--servers", "4", "--edits", "10", "--mixed", "5")
    assert (said["edit"], said["create"], said["plan_progress"], said["log"]) == (40, 8, 8, 8)


@requirement("REL-1", "OWN-2")
def test_commands_and_servers_that_are_killed_lose_nothing_and_the_next_run_converges() -> None:
    assert figures("kill_commands.py", "--rounds", "7")["kills"] == 7


@requirement("REL-1")
@pytest.mark.parametrize("tool", ["create", "edit"])
def test_what_a_kill_left_beside_a_document_is_gone_after_the_next_write(cli: Cli, sandbox: Sandbox, tool: str) -> None:
    assert cli("install", "core", "--mode", "tool").code == 0
    assert cli("vault", "add", "research", "--feature", "x", "--date", "2026-07-01").code == 0
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = sandbox.root / f".vault/research/.vaultspec-tmp-{dead.pid}-00000000"
    left.write_bytes(b"---\nta")
    words = {
        "create": ("add", "research", "--feature", "y"),
        "edit": ("set-body", "2026-07-01-x-research", "--body-stdin"),
    }[tool]
    assert cli("vault", *words, stdin=b"# x\n\nnew\n").code == 0
    assert not left.exists()
