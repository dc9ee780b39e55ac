"""What hostile or unlucky workspaces once got away with: each kind with the right outcome."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.requirements import requirement

Cli = Callable[..., Any]


@requirement("OWN-7", "INS-4", "GTW-4")
def test_a_manifest_cannot_name_files_that_we_never_write(cli: Cli, sandbox: Sandbox, tmp_path: Path) -> None:
    assert cli("install", "--mode", "tool").code == 0
    inside, outside = sandbox.root / "app.py", tmp_path / "victim.txt"
    manifest = sandbox.root / ".vaultspec/providers.json"
    said = json.loads(manifest.read_text())
    for path, name in ((inside, "app.py"), (outside, "../victim.txt"), (outside, str(outside))):
        path.write_text("precious\n")
        said["files"][name] = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(said))
    assert cli("uninstall", "--force").code == 0
    assert inside.read_text() == outside.read_text() == "precious\n"


@requirement("WSP-4", "INS-1")
def test_the_home_folder_is_no_place_to_install(cli: Cli, sandbox: Sandbox) -> None:
    before = tree(sandbox.home)
    result = cli("install", "--mode", "tool", cwd=sandbox.home)
    assert (result.code, tree(sandbox.home)) == (1, before)
    assert result.err.startswith(f"error: {sandbox.home} is your home folder")


@requirement("NAT-5", "OWN-7", "INS-1")
@pytest.mark.parametrize("name", [".vaultspec", ".vault", ".vaultspec/mcps"])
def test_a_folder_of_ours_that_leads_out_is_refused(cli: Cli, sandbox: Sandbox, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = sandbox.root / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside)
    result = cli("install", "--mode", "tool")
    assert result.code == 1
    assert "out of the workspace" in result.err or "leaves the workspace" in result.err
    assert list(outside.iterdir()) == []
    assert not (sandbox.root / ".mcp.json").exists()


@requirement("D-6", "INS-4")
@pytest.mark.parametrize("part", ["mcp", "claude"])
def test_uninstalling_works_while_opted_out(cli: Cli, sandbox: Sandbox, part: str) -> None:
    assert cli("install", "--mode", "tool").code == 0
    assert cli("install", "--skip", part).code == 0
    assert cli("uninstall", "--force").code == 0
    left = [path.name for path in sandbox.root.rglob("*") if path.is_file()]
    assert left == []


@requirement("INS-4", "D-2")
def test_an_uninstall_that_must_refuse_leaves_the_workspace_as_it_was(
    cli: Cli, sandbox: Sandbox, tmp_path: Path
) -> None:
    assert cli("install", "--mode", "tool").code == 0
    assert cli("spec", "mcps", "sync", "claude", "--scope", "user").code == 0
    (tmp_path / "c.json").write_text("{}")
    (sandbox.root / ".vaultspec/mcp-ownership.json").write_text("{}")
    before = tree(sandbox.root), tree(sandbox.home)
    result = cli("uninstall", "--force")
    assert (result.code, (tree(sandbox.root), tree(sandbox.home))) == (1, before)


@requirement("INS-4")
def test_a_host_file_that_holds_nothing_of_ours_does_not_hinder_an_uninstall(cli: Cli, sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool").code == 0
    (sandbox.home / ".claude.json").write_text("{bad")
    assert cli("uninstall", "--force").code == 0
    assert (sandbox.home / ".claude.json").read_text() == "{bad"
    assert not (sandbox.root / ".mcp.json").exists()


@requirement("INS-4")
def test_folders_of_the_users_in_the_vault_stay(cli: Cli, sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool").code == 0
    (sandbox.root / ".vault/mine/empty").mkdir(parents=True)
    assert cli("uninstall", "--force").code == 0
    assert (sandbox.root / ".vault/mine/empty").is_dir()


@requirement("D-21", "MIG-2", "INS-3")
def test_an_upgrade_brings_nothing_back_that_somebody_took_out(cli: Cli, sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool").code == 0
    (sandbox.root / ".mcp.json").write_text("{}\n")
    assert cli("install", "--upgrade").code == 0
    assert (sandbox.root / ".mcp.json").read_text() == "{}\n"
    assert cli("sync", "--json").data["items"][0]["outcome"] == "created"


@requirement("NAT-6", "D-2", "SYN-8")
def test_one_link_that_leads_out_fails_its_own_target_alone(cli: Cli, sandbox: Sandbox, tmp_path: Path) -> None:
    assert cli("install", "--mode", "tool").code == 0
    (tmp_path / "outside").mkdir()
    (sandbox.root / ".codex/config.toml").unlink()
    (sandbox.root / ".codex").rmdir()
    (sandbox.root / ".codex").symlink_to(tmp_path / "outside")
    (sandbox.root / ".mcp.json").unlink()
    result = cli("spec", "mcps", "sync", "--json")
    assert result.code == 1
    assert {row["group"]: row["outcome"] for row in result.data["items"]} == {
        "claude": "created",
        "antigravity": "unchanged",
        "codex": "failed",
    }
    assert cli("spec", "mcps", "status", "--json").data["providers"]["codex"]["status"] == "invalid_config"


@requirement("MOD-5", "D-5")
@pytest.mark.parametrize("said", ["--index-url x", "a b c ; ;", "", "/nonexistent/x.whl"])
def test_a_requirement_that_nothing_could_launch_is_refused(cli: Cli, sandbox: Sandbox, said: str) -> None:
    result = cli("install", "--mode", "tool", f"--from={said}")
    assert (result.code, list(sandbox.root.iterdir())) == (2, [])
    assert result.err.startswith("error: --from is no requirement and no path that exists")


@requirement("DEF-6", "D-7")
def test_credentials_in_a_requirement_are_warned_of_and_refused_when_strict(cli: Cli, sandbox: Sandbox) -> None:
    said = "vaultspec-core @ git+https://user:ghp_0123456789abcdefghij0123456789abcdef@example.invalid/x"
    result = cli("install", "--mode", "tool", f"--from={said}", "--strict-secrets")
    assert result.code == 1
    assert "ghp_" not in result.err + result.out
    assert not (sandbox.root / ".mcp.json").exists()


@requirement("DEF-1", "INS-3")
def test_a_broken_bundled_definition_is_healed_and_kept_beside(cli: Cli, sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool").code == 0
    bundled = sandbox.root / ".vaultspec/mcps/vaultspec-core.builtin.json"
    good = bundled.read_text()
    bundled.write_text("{}")
    assert cli("install", "--upgrade").code == 0
    assert bundled.read_text() == good
    assert (bundled.parent / "vaultspec-core.builtin.json.bad").read_text() == "{}"
    assert cli("spec", "mcps", "status").code == 0


@requirement("INS-1")
def test_leaving_the_framework_out_needs_one(cli: Cli, sandbox: Sandbox) -> None:
    result = cli("install", "--skip", "core")
    assert (result.code, list(sandbox.root.iterdir())) == (1, [])


@requirement("OWN-5", "SYN-5")
def test_status_says_whose_a_users_entry_is(cli: Cli, sandbox: Sandbox, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for root in (sandbox.root, other):
        assert cli("install", "claude", "--mode", "tool", cwd=root).code == 0
    assert cli("spec", "mcps", "sync", "--scope", "user").code == 0
    status = cli("spec", "mcps", "status", "--scope", "user", "--json", cwd=other)
    said = f"{sandbox.home}/.claude.json: vaultspec-core is the entry of the workspace {sandbox.root}"
    assert said in status.data["warnings"]


REWRITER = """
import os, sys
while True:
    with open(sys.argv[1] + ".new", "w") as file:
        file.write("*.log\\n")
    os.replace(sys.argv[1] + ".new", sys.argv[1])
"""


@requirement("REL-2", "SYN-8")
def test_a_file_that_never_keeps_still_is_a_refusal_and_no_fault_of_ours(cli: Cli, sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool").code == 0
    path = sandbox.root / ".gitignore"
    path.write_text("*.log\n")
    writer = subprocess.Popen([sys.executable, "-c", REWRITER, str(path)])
    try:
        codes = {cli("spec", "gitignore", "enable", "--json").code for _ in range(6)}
    finally:
        writer.kill()
        writer.wait()
    assert codes <= {0, 1}


SETPRIV = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]
"""Root without the right to pass over permission bits."""


@requirement("OWN-6", "INS-1", "SYN-8", "D-2")
@pytest.mark.skipif(
    shutil.which("setpriv") is None or os.getuid() != 0, reason="needs setpriv, and root to give rights up"
)
@pytest.mark.parametrize(
    ("locked", "words"),
    [
        ("project", ["install", "--mode", "tool"]),
        ("home", ["spec", "mcps", "sync", "--scope", "user"]),
        ("project/.vault", ["install", "--mode", "tool"]),
        ("project/.mcp.json", ["install", "claude", "--mode", "tool"]),
        ("home", ["uninstall", "--force"]),
    ],
)
def test_what_may_not_be_written_is_a_refusal_with_nothing_half_done(
    sandbox: Sandbox, cli: Cli, locked: str, words: list[str]
) -> None:
    place = sandbox.root.parent / locked
    if locked == "home":
        assert cli("install", "--mode", "tool").code == 0
    if words[0] == "uninstall":
        assert cli("spec", "mcps", "sync", "claude", "--scope", "user").code == 0
    if locked.endswith(".vault"):
        place.mkdir()
    if locked.endswith(".json"):
        place.write_text("{}\n")
    before = tree(sandbox.root), tree(sandbox.home)
    place.chmod(0o000 if locked.endswith(".vault") else 0o444 if place.is_file() else 0o555)
    try:
        result = subprocess.run(
            [*SETPRIV, sys.executable, "-m", "vaultspec_installer", *words],
            cwd=sandbox.root,
            env=sandbox.environ,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        place.chmod(0o755)
    assert result.returncode == 1, result.stderr
    if words[0] != "uninstall":
        assert result.stderr.startswith("error: ")
        assert (tree(sandbox.root), tree(sandbox.home)) == before
