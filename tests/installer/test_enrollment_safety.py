"""What enrollment does to other people's files when things are not as they should be."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.requirements import requirement

Cli = Callable[..., Any]


@pytest.fixture
def installed(cli: Cli, sandbox: Sandbox) -> Path:
    assert cli("install", "--mode", "tool").code == 0
    return sandbox.root


@requirement("NAT-5", "NAT-8")
def test_a_new_file_in_the_home_folder_is_private_and_an_existing_one_keeps_its_mode(
    installed: Path, cli: Cli, sandbox: Sandbox
) -> None:
    assert cli("spec", "mcps", "sync", "claude", "--scope", "user").code == 0
    assert stat.S_IMODE((sandbox.home / ".claude.json").stat().st_mode) == 0o600
    (sandbox.home / ".codex").mkdir()
    config = sandbox.home / ".codex/config.toml"
    config.write_text('model = "o9"\n')
    config.chmod(0o640)
    assert cli("spec", "mcps", "sync", "codex", "--scope", "user").code == 0
    assert stat.S_IMODE(config.stat().st_mode) == 0o640
    assert stat.S_IMODE((installed / ".mcp.json").stat().st_mode) & 0o044 == 0o044


@requirement("NAT-5")
def test_a_link_inside_the_home_folder_stays_a_link_and_its_target_is_edited(
    installed: Path, cli: Cli, sandbox: Sandbox
) -> None:
    dots = sandbox.home / "dots"
    dots.mkdir()
    (dots / "claude.json").write_text('{\n  "numStartups": 3\n}\n')
    (sandbox.home / ".claude.json").symlink_to(dots / "claude.json")
    assert cli("spec", "mcps", "sync", "claude", "--scope", "user").code == 0
    assert (sandbox.home / ".claude.json").is_symlink()
    assert list(json.loads((dots / "claude.json").read_text())) == ["numStartups", "mcpServers"]


@requirement("NAT-5", "REL-5")
@pytest.mark.parametrize("name", [".mcp.json", ".codex"])
def test_a_link_that_leaves_the_workspace_and_the_home_folder_is_refused_in_one_line(
    cli: Cli, sandbox: Sandbox, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file.json").write_text("{}")
    (sandbox.root / name).symlink_to(outside if name == ".codex" else outside / "file.json")
    before = tree(tmp_path)
    result = cli("install", "--mode", "tool")
    assert result.code == 1
    assert result.err.startswith("error: ")
    assert "out of the workspace" in result.err
    assert tree(tmp_path) == before


@requirement("OWN-6")
@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"HOME": "", "USERPROFILE": ""}, "HOME is not set"),
        ({"HOME": "relative"}, "HOME is a relative path: 'relative'"),
        ({"HOME": "/nonexistent/home"}, "HOME does not exist: /nonexistent/home"),
        ({"CODEX_HOME": "relative"}, "CODEX_HOME is a relative path: 'relative'"),
        ({"CLAUDE_CONFIG_DIR": "relative"}, "CLAUDE_CONFIG_DIR is a relative path: 'relative'"),
    ],
)
def test_an_unusable_home_is_refused_and_nothing_is_written_anywhere(
    installed: Path, cli: Cli, sandbox: Sandbox, environ: dict[str, str], said: str
) -> None:
    before = tree(sandbox.root), tree(sandbox.home)
    result = cli("spec", "mcps", "sync", "--scope", "user", env=environ)
    assert (result.code, result.err.splitlines()[0]) == (1, f"error: {said}")
    assert (tree(sandbox.root), tree(sandbox.home)) == before


@requirement("OWN-6")
def test_project_scope_needs_no_home(cli: Cli, sandbox: Sandbox) -> None:
    environ = {"HOME": "", "USERPROFILE": "", "CODEX_HOME": "", "CLAUDE_CONFIG_DIR": ""}
    assert cli("install", "--mode", "tool", env=environ).code == 0
    assert cli("spec", "mcps", "status", env=environ).code == 0


@requirement("OWN-7")
def test_a_tracked_ownership_record_is_not_believed(installed: Path, cli: Cli) -> None:
    git = ["git", "-C", str(installed), "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
    subprocess.run([*git, "init", "-q"], check=True)
    (installed / ".mcp.json").write_text('{"mcpServers": {"vaultspec-core": {"command": "evil"}}}\n')
    record = installed / ".vaultspec/mcp-ownership.json"
    evil = "5fd3e8a1a0c2f7a2c4d0ad4f3a5b2f0c2e7a9a0f34cf4c9d3ef4d8ed6f4c6a11"
    record.write_text(
        record.read_text().replace(
            json.loads(record.read_text())["targets"]["claude:project"]["managed"]["vaultspec-core"], evil
        )
    )
    subprocess.run([*git, "add", "-f", ".vaultspec/mcp-ownership.json"], check=True)
    before = record.read_bytes()
    status = cli("spec", "mcps", "status", "claude", "--json")
    assert status.data["conflicts"] == ["vaultspec-core"]
    assert status.data["warnings"][0].startswith("mcp-ownership.json is tracked by git and was not believed")
    assert cli("spec", "mcps", "sync", "--json").data["items"][0]["outcome"] == "skipped"
    assert record.read_bytes() == before


@requirement("OWN-7")
def test_an_untracked_record_in_a_repository_and_in_a_worktree_is_believed(
    cli: Cli, sandbox: Sandbox, tmp_path: Path
) -> None:
    git = ["git", "-C", str(sandbox.root), "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
    subprocess.run([*git, "init", "-q"], check=True)
    assert cli("install", "--mode", "tool").code == 0
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    assert cli("spec", "mcps", "status", "--json").data["status"] == "ok"
    other = tmp_path / "other"
    subprocess.run([*git, "worktree", "add", "-q", str(other)], check=True)
    assert cli("spec", "mcps", "sync", "--json", cwd=other).data["items"][0]["outcome"] == "adopted"
    assert json.loads((other / ".vaultspec/mcp-ownership.json").read_text())["targets"]["claude:project"][
        "path"
    ] == str(other / ".mcp.json")
    assert cli("spec", "mcps", "status", cwd=other).code == 0


@requirement("SYN-8", "REL-6")
def test_a_lock_that_does_not_come_free_is_one_document_and_nothing_is_written(
    installed: Path, cli: Cli, sandbox: Sandbox
) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; from vaultspec_core.lock import hold\n"
            "with hold(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()",
            str(installed / ".vaultspec"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=sandbox.environ,
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    (installed / ".mcp.json").unlink()
    before = tree(installed)
    result = cli("spec", "mcps", "sync", "--json", env={"VAULTSPEC_LOCK_TIMEOUT_SECONDS": "0.05"})
    assert (result.code, result.data["code"]) == (1, "busy")
    assert tree(installed) == before
    assert cli("spec", "mcps", "status", "--json").data["missing"] == ["vaultspec-core"], "status takes no lock"
    holder.stdin.close()
    assert holder.wait(30) == 0
    assert cli("spec", "mcps", "sync").code == 0


@requirement("OWN-2")
def test_a_stop_between_the_host_file_and_the_record_leaves_the_entry_ours(installed: Path, cli: Cli) -> None:
    record = installed / ".vaultspec/mcp-ownership.json"
    confirmed = record.read_text()
    said = json.loads(confirmed)
    for target in said["targets"].values():
        target["pending"] = dict(target["managed"])
        target["managed"] = {}
    record.write_text(json.dumps(said))
    assert cli("spec", "mcps", "status", "--json").data["managed"] == ["vaultspec-core"]
    assert cli("spec", "mcps", "sync").code == 0
    assert record.read_text() == confirmed


@requirement("OWN-2")
def test_a_stop_before_the_host_file_leaves_nothing_claimed(installed: Path, cli: Cli) -> None:
    record = installed / ".vaultspec/mcp-ownership.json"
    said = json.loads(record.read_text())
    said["targets"]["claude:project"]["managed"] = {}
    said["targets"]["claude:project"]["pending"] = {"vaultspec-core": "0" * 64}
    record.write_text(json.dumps(said))
    (installed / ".mcp.json").write_text('{"mcpServers": {"vaultspec-core": {"command": "theirs"}}}\n')
    assert cli("spec", "mcps", "status", "claude", "--json").data["conflicts"] == ["vaultspec-core"]
    assert cli("spec", "mcps", "sync", "claude", "--json").data["items"][0]["outcome"] == "skipped"
    assert "pending" not in json.loads(record.read_text())["targets"].get("claude:project", {})


@requirement("NAT-1", "OWN-1")
def test_every_scope_writes_where_the_client_looks(installed: Path, cli: Cli, sandbox: Sandbox) -> None:
    other = sandbox.home / "c"
    environ = {"CLAUDE_CONFIG_DIR": str(other), "CODEX_HOME": ""}
    assert cli("spec", "mcps", "sync", "--scope", "user", env=environ).code == 0
    assert cli("spec", "mcps", "sync", "--scope", "local", env=environ).code == 0
    written = json.loads((other / ".claude.json").read_text())
    assert list(written["mcpServers"]) == ["vaultspec-core"]
    assert list(written["projects"][str(installed)]["mcpServers"]) == ["vaultspec-core"]
    assert (sandbox.home / ".codex/config.toml").exists()
    status = cli("spec", "mcps", "status", "claude", "--scope", "user", "--json", env=environ)
    assert status.data["config_path"] == str(other / ".claude.json")
    record = json.loads((sandbox.home / ".vaultspec/mcp-ownership.json").read_text())
    assert sorted(record["targets"]) == [
        f"claude:user:{other}/.claude.json",
        f"codex:user:{sandbox.home}/.codex/config.toml",
    ]
    assert record["targets"][f"claude:user:{other}/.claude.json"]["owners"] == {"vaultspec-core": str(installed)}


@requirement("OWN-5", "MOD-1")
def test_user_scope_renders_tool_mode_whatever_the_workspace_records(cli: Cli, sandbox: Sandbox) -> None:
    (sandbox.root / "pyproject.toml").write_text('[project]\nname = "demo"\nversion = "1"\n')
    assert cli("install", "--mode", "dev").code == 0
    assert cli("spec", "mcps", "sync", "claude", "--scope", "user").code == 0
    entry = json.loads((sandbox.home / ".claude.json").read_text())["mcpServers"]["vaultspec-core"]
    assert entry["command"] == "uvx"


@requirement("SYN-9")
def test_a_name_that_another_scope_launches_differently_is_reported(
    installed: Path, cli: Cli, sandbox: Sandbox
) -> None:
    assert cli("spec", "mcps", "status", "--json").data["shadowed"] == []
    (sandbox.home / ".claude.json").write_text('{"mcpServers": {"vaultspec-core": {"command": "other"}}}')
    status = cli("spec", "mcps", "status", "--json")
    assert status.code == 0
    assert status.data["shadowed"] == [
        {
            "name": "vaultspec-core",
            "provider": "claude",
            "scopes": ["project", "user"],
            "file": f"{sandbox.home}/.claude.json",
            "message": f"vaultspec-core: {sandbox.home}/.claude.json (user scope) launches something else under the same name",
        }
    ]


@requirement("WSP-4")
def test_the_workspace_is_found_from_below_by_flag_and_by_variable(installed: Path, cli: Cli, sandbox: Sandbox) -> None:
    below = installed / "a/b"
    below.mkdir(parents=True)
    assert cli("spec", "mcps", "status", cwd=below).code == 0
    assert cli("spec", "mcps", "status", "--target", str(installed), cwd=sandbox.home).code == 0
    assert cli("spec", "mcps", "status", cwd=sandbox.home, env={"VAULTSPEC_TARGET_DIR": str(installed)}).code == 0
    assert cli("spec", "mcps", "status", cwd=sandbox.home).code == 1
    (installed / "a/.git").write_text("gitdir: elsewhere\n")
    assert cli("spec", "mcps", "status", cwd=below).code == 1, "a worktree is a root of its own"


@requirement("WSP-4")
def test_the_users_own_state_folder_is_no_workspace(cli: Cli, sandbox: Sandbox) -> None:
    (sandbox.home / ".vaultspec").mkdir()
    result = cli("spec", "mcps", "status", cwd=sandbox.home)
    assert (
        result.err == f"error: no workspace in {sandbox.home} or above it\nhint: vaultspec-core install --mode tool\n"
    )


@requirement("INS-6")
def test_no_command_leaves_a_lock_or_a_temporary_file(installed: Path, cli: Cli, sandbox: Sandbox) -> None:
    cli("spec", "mcps", "sync", "--scope", "user")
    cli("spec", "mcps", "sync", "--scope", "local")
    cli("sync")
    cli("uninstall", "--force")
    left = [path.name for folder in (sandbox.root, sandbox.home) for path in folder.rglob("*") if path.is_file()]
    assert [name for name in left if name.endswith(".lock") or "tmp" in name] == []
    assert os.listdir(sandbox.root) == [] or os.listdir(sandbox.root) == [".vault"]


@requirement("WSP-4")
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a folder to another user")
def test_a_workspace_of_another_user_further_up_is_passed_over(installed: Path, cli: Cli) -> None:
    below = installed / "a"
    below.mkdir()
    assert cli("spec", "mcps", "status", cwd=below).code == 0
    os.chown(installed / ".vaultspec", 65534, 65534)
    assert cli("spec", "mcps", "status", cwd=below).err.startswith(f"error: no workspace in {below} or above it")
    assert cli("spec", "mcps", "status", cwd=installed).code == 0
