"""Two workspaces of one user share the files of user scope; each entry there belongs to the workspace that enrolled it."""

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
USER = ("--scope", "user")


@pytest.fixture
def other(cli: Cli, sandbox: Sandbox) -> Path:
    """A second workspace, in dependency mode with a server of its own; the first one holds the files of user scope."""
    folder = sandbox.root.with_name("other")
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1"\ndependencies = ["vaultspec-core"]\n')
    assert cli("install", "--mode", "tool").code == 0
    assert cli("install", cwd=folder).code == 0
    assert cli("spec", "mcps", "sync", *USER).code == 0
    return folder


def shared(sandbox: Sandbox) -> Any:
    """The servers of the JSON client at user scope."""
    return json.loads((sandbox.home / ".claude.json").read_text())["mcpServers"]


def change(folder: Path) -> None:
    """Give the workspace's definition a variable, so that a sync of its own would refresh the entry."""
    path = folder / ".vaultspec/mcps/vaultspec-core.builtin.json"
    definition = json.loads(path.read_text())
    path.with_name("vaultspec-core.json").write_text(json.dumps(definition | {"env": {"REGION": "eu"}}))


@requirement("OWN-5")
@pytest.mark.parametrize(
    "words",
    [("status",), ("sync",), ("sync", "--prune"), ("uninstall",), ("uninstall", "--force"), ("diff",)],
    ids=" ".join,
)
@pytest.mark.parametrize("changed", [False, True])
def test_another_workspace_touches_nothing_of_what_it_did_not_enroll(
    other: Path, cli: Cli, sandbox: Sandbox, words: tuple[str, ...], changed: bool
) -> None:
    if changed:
        change(other)
    before = tree(sandbox.home)
    cli("spec", "mcps", words[0], *USER, *words[1:], cwd=other)
    assert tree(sandbox.home) == before
    assert cli("spec", "mcps", "status", *USER).code == 0


@requirement("OWN-5")
def test_a_sync_says_whose_the_entry_is_and_how_to_take_it_over(other: Path, cli: Cli, sandbox: Sandbox) -> None:
    result = cli("spec", "mcps", "sync", "claude", *USER, cwd=other)
    assert (result.code, result.err) == (
        0,
        f"warning: {sandbox.home}/.claude.json: vaultspec-core left as it is: owned by the workspace {sandbox.root}; "
        "vaultspec-core spec mcps sync claude --scope user --force overwrites it\n",
    )


@requirement("OWN-5")
def test_a_definition_that_only_one_workspace_has_is_no_stale_entry_of_the_other(
    other: Path, cli: Cli, sandbox: Sandbox
) -> None:
    (other / ".vaultspec/mcps/theirs.json").write_text('{"command": "npx", "args": ["theirs"]}')
    assert cli("spec", "mcps", "sync", *USER, cwd=other).code == 0
    assert sorted(shared(sandbox)) == ["theirs", "vaultspec-core"]
    before = tree(sandbox.home)
    status = cli("spec", "mcps", "status", *USER, "--json").data
    assert (status["managed"], status["external"], status["stale_managed"]) == (["vaultspec-core"], ["theirs"], [])
    assert cli("spec", "mcps", "sync", *USER, "--prune", "--force").code == 0
    assert tree(sandbox.home) == before
    assert cli("spec", "mcps", "uninstall", *USER).code == 0
    assert sorted(shared(sandbox)) == ["theirs"]
    assert cli("spec", "mcps", "uninstall", *USER, cwd=other).code == 0
    assert not (sandbox.home / ".claude.json").exists()
    assert not (sandbox.home / ".vaultspec/mcp-ownership.json").exists()


@requirement("OWN-5")
@pytest.mark.parametrize("gone", [False, True])
def test_force_takes_an_entry_over_in_tool_mode_and_the_former_owner_leaves_it_alone(
    other: Path, cli: Cli, sandbox: Sandbox, gone: bool
) -> None:
    change(other)
    if gone:
        shutil.rmtree(sandbox.root)
        assert cli("spec", "mcps", "sync", *USER, "--json", cwd=other).data["items"][0]["outcome"] == "skipped"
    assert cli("spec", "mcps", "sync", *USER, "--force", cwd=other).code == 0
    entry = shared(sandbox)["vaultspec-core"]
    assert (entry["command"], entry["env"]) == ("uvx", {"REGION": "eu"})
    record = json.loads((sandbox.home / ".vaultspec/mcp-ownership.json").read_text())
    assert {tuple(target["owners"].values()) for target in record["targets"].values()} == {(str(other),)}
    assert cli("spec", "mcps", "status", *USER, cwd=other).code == 0
    if not gone:
        before = tree(sandbox.home)
        assert cli("spec", "mcps", "sync", *USER).code == 0
        assert cli("spec", "mcps", "uninstall", *USER, "--force").code == 0
        assert tree(sandbox.home) == before


@requirement("OWN-5")
def test_the_whole_products_uninstall_in_one_workspace_keeps_the_entries_of_the_other(
    other: Path, cli: Cli, sandbox: Sandbox
) -> None:
    before = tree(sandbox.home)
    assert cli("uninstall", "--force", cwd=other).code == 0
    assert tree(sandbox.home) == before
    assert cli("spec", "mcps", "status", *USER).code == 0
