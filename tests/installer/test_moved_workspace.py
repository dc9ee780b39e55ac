"""A workspace folder that was moved, copied or renamed after it was enrolled."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.requirements import requirement

Cli = Callable[..., Any]
LOCAL = ("claude", "--scope", "local")
OWN = '{\n\t"numStartups": 3,\n\t"projects": {"/elsewhere": {"allowedTools": []}}\n}\n'


@pytest.fixture
def moved(cli: Cli, sandbox: Sandbox) -> Path:
    """The new place of a workspace that was enrolled at project and at local scope in another."""
    (sandbox.home / ".claude.json").write_text(OWN)
    assert cli("install", "--mode", "tool").code == 0
    assert cli("spec", "mcps", "sync", *LOCAL).code == 0
    return sandbox.root.rename(sandbox.root.with_name("moved"))


def servers(sandbox: Sandbox) -> dict[str, list[str]]:
    """The names of the servers of each project in the user's file."""
    said = json.loads((sandbox.home / ".claude.json").read_text())
    return {folder: list(project.get("mcpServers", ())) for folder, project in said["projects"].items()}


@requirement("OWN-7")
def test_project_scope_of_a_moved_workspace_is_ours_by_equality(moved: Path, cli: Cli) -> None:
    before = {name: tree(moved)[name] for name in (".mcp.json", ".codex/config.toml", ".agents/mcp_config.json")}
    assert cli("spec", "mcps", "status", cwd=moved).code == 0
    rows = cli("spec", "mcps", "sync", "--json", cwd=moved).data["items"]
    assert [row["outcome"] for row in rows] == ["adopted", "adopted", "adopted"]
    assert {name: tree(moved)[name] for name in before} == before
    record = json.loads((moved / ".vaultspec/mcp-ownership.json").read_text())
    assert record["targets"]["claude:project"]["path"] == str(moved / ".mcp.json")


@requirement("OWN-7")
def test_status_reports_what_a_move_left_behind_at_local_scope(moved: Path, cli: Cli, sandbox: Sandbox) -> None:
    before = tree(sandbox.home), tree(moved)
    status = cli("spec", "mcps", "status", *LOCAL, "--json", cwd=moved)
    assert status.code == 1
    assert (status.data["missing"], status.data["stale_managed"]) == (["vaultspec-core"], ["vaultspec-core"])
    assert status.data["warnings"] == [
        f"{sandbox.home}/.claude.json: left behind by {sandbox.root}, which is gone: vaultspec-core"
    ]
    assert (tree(sandbox.home), tree(moved)) == before


@requirement("OWN-7")
def test_a_plain_sync_enrolls_the_new_place_and_keeps_what_was_left_behind(
    moved: Path, cli: Cli, sandbox: Sandbox
) -> None:
    for _ in range(2):
        result = cli("spec", "mcps", "sync", *LOCAL, cwd=moved)
        assert result.code == 0
        assert result.err == (
            f"warning: left behind by {sandbox.root}, which is gone: vaultspec-core; --prune takes them out\n"
        )
        assert result.out.count("Claude Code (local)") == 1
        assert servers(sandbox) == {
            "/elsewhere": [],
            str(sandbox.root): ["vaultspec-core"],
            str(moved): ["vaultspec-core"],
        }
        status = cli("spec", "mcps", "status", *LOCAL, "--json", cwd=moved).data
        assert (status["missing"], status["stale_managed"]) == ([], ["vaultspec-core"])


@requirement("OWN-7")
@pytest.mark.parametrize("first", [[], ["sync"]])
@pytest.mark.parametrize("option", ["--force", "--prune"])
def test_sync_takes_out_what_was_left_behind_when_it_is_told_to(
    moved: Path, cli: Cli, sandbox: Sandbox, first: list[str], option: str
) -> None:
    for word in first:
        assert cli("spec", "mcps", word, *LOCAL, cwd=moved).code == 0
    result = cli("spec", "mcps", "sync", *LOCAL, option, cwd=moved)
    assert result.code == 0
    assert f"  - removed vaultspec-core: written for {sandbox.root}, which is gone\n" in result.out
    assert servers(sandbox) == {"/elsewhere": [], str(moved): ["vaultspec-core"]}
    assert cli("spec", "mcps", "status", *LOCAL, cwd=moved).code == 0
    record = json.loads((moved / ".vaultspec/mcp-ownership.json").read_text())
    assert sorted(key for key in record["targets"] if "local" in key) == ["claude:local"]
    before = tree(sandbox.home), tree(moved)
    assert cli("spec", "mcps", "sync", *LOCAL, option, cwd=moved).code == 0
    assert (tree(sandbox.home), tree(moved)) == before


@requirement("OWN-7", "SYN-6")
@pytest.mark.parametrize("first", [[], ["sync"]])
def test_uninstall_leaves_the_users_file_as_it_was_before_we_came(
    moved: Path, cli: Cli, sandbox: Sandbox, first: list[str]
) -> None:
    for word in first:
        assert cli("spec", "mcps", word, *LOCAL, cwd=moved).code == 0
    shown = cli("spec", "mcps", "uninstall", *LOCAL, "--dry-run", "--json", cwd=moved).data["items"]
    assert {row["outcome"] for row in shown} == {"removed"}
    assert cli("spec", "mcps", "uninstall", *LOCAL, cwd=moved).code == 0
    assert (sandbox.home / ".claude.json").read_text() == OWN


@requirement("OWN-7", "SYN-3")
def test_an_entry_that_was_edited_before_the_move_stays_until_it_is_removed_by_force(
    moved: Path, cli: Cli, sandbox: Sandbox
) -> None:
    host = sandbox.home / ".claude.json"
    host.write_text(host.read_text().replace('"python"', '"python3"'))
    assert cli("spec", "mcps", "sync", *LOCAL, "--force", cwd=moved).code == 0
    assert cli("spec", "mcps", "uninstall", *LOCAL, cwd=moved).code == 1
    assert servers(sandbox) == {"/elsewhere": [], str(sandbox.root): ["vaultspec-core"]}
    assert cli("spec", "mcps", "uninstall", *LOCAL, "--force", cwd=moved).code == 0
    assert host.read_text() == OWN


@requirement("OWN-7")
def test_a_copy_does_not_claim_what_the_original_enrolled(moved: Path, cli: Cli, sandbox: Sandbox) -> None:
    shutil.copytree(moved, sandbox.root)
    assert cli("spec", "mcps", "status", *LOCAL).code == 0, "it is where it was enrolled"
    before = (sandbox.home / ".claude.json").read_bytes()
    status = cli("spec", "mcps", "status", *LOCAL, "--json", cwd=moved).data
    assert (status["missing"], status["stale_managed"], status["warnings"]) == (["vaultspec-core"], [], [])
    assert cli("spec", "mcps", "uninstall", *LOCAL, "--force", cwd=moved).code == 0
    assert (sandbox.home / ".claude.json").read_bytes() == before


@requirement("OWN-7")
def test_a_place_that_lost_its_entries_is_forgotten(moved: Path, cli: Cli, sandbox: Sandbox) -> None:
    (sandbox.home / ".claude.json").write_text(OWN)
    assert cli("spec", "mcps", "status", *LOCAL, "--json", cwd=moved).data["stale_managed"] == []
    assert cli("spec", "mcps", "sync", *LOCAL, cwd=moved).code == 0
    assert servers(sandbox) == {"/elsewhere": [], str(moved): ["vaultspec-core"]}
    record = json.loads((moved / ".vaultspec/mcp-ownership.json").read_text())
    assert sorted(key for key in record["targets"] if "local" in key) == ["claude:local"]


@requirement("OWN-7", "SYN-8")
def test_a_file_that_cannot_be_read_is_reported_once_and_what_was_left_behind_is_not_lost(
    moved: Path, cli: Cli, sandbox: Sandbox
) -> None:
    host = sandbox.home / ".claude.json"
    whole = host.read_text()
    host.write_text(whole + "}")
    rows = cli("spec", "mcps", "sync", *LOCAL, "--json", cwd=moved).data["items"]
    assert [row["outcome"] for row in rows] == ["failed"]
    host.write_text(whole)
    assert cli("spec", "mcps", "uninstall", *LOCAL, cwd=moved).code == 0
    assert host.read_text() == OWN


@requirement("OWN-7")
def test_a_workspace_that_comes_back_owns_what_it_had_left_there(moved: Path, cli: Cli, sandbox: Sandbox) -> None:
    assert cli("spec", "mcps", "sync", *LOCAL, cwd=moved).code == 0
    moved.rename(sandbox.root)
    status = cli("spec", "mcps", "status", *LOCAL, "--json").data
    assert (status["managed"], status["stale_managed"], status["conflicts"]) == (
        ["vaultspec-core"],
        ["vaultspec-core"],
        [],
    )
    assert cli("spec", "mcps", "uninstall", *LOCAL).code == 0
    assert (sandbox.home / ".claude.json").read_text() == OWN


@requirement("OWN-7", "REL-5")
@pytest.mark.parametrize("owner", ["", "gone", "\x00", "\ud800", "/gone/" + "x" * 5000])
def test_a_record_that_names_no_folder_is_neither_believed_nor_an_error(cli: Cli, sandbox: Sandbox, owner: str) -> None:
    assert cli("install", "--mode", "tool").code == 0
    assert cli("spec", "mcps", "sync", *LOCAL).code == 0
    path = sandbox.root / ".vaultspec/mcp-ownership.json"
    record = json.loads(path.read_text())
    record["targets"]["claude:local"]["owners"] = {"vaultspec-core": owner}
    path.write_text(json.dumps(record))
    before = (sandbox.home / ".claude.json").read_bytes()
    assert cli("spec", "mcps", "status", *LOCAL, "--json").data["conflicts"] == ["vaultspec-core"]
    assert cli("spec", "mcps", "sync", *LOCAL, "--json").data["items"][0]["outcome"] == "skipped"
    assert cli("spec", "mcps", "uninstall", *LOCAL).code == 0
    assert (sandbox.home / ".claude.json").read_bytes() == before
