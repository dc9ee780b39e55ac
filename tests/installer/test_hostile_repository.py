"""What a cloned workspace cannot make us do: one test per line of `docs/security.md`."""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.requirements import requirement
from vaultspec_core.commands.editor import editor_command
from vaultspec_core.report import Refusal
from vaultspec_core.tracked import is_tracked

Cli = Callable[..., Any]
GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@example.invalid", "-c", "commit.gpgsign=false")
COMMANDS = (
    ("install", "--mode", "tool"),
    ("install", "--upgrade"),
    ("sync",),
    ("spec", "mcps", "sync"),
    ("spec", "mcps", "status"),
    ("vault", "add", "research", "--feature", "new"),
    ("vault", "check", "all", "--fix"),
    ("status",),
    ("uninstall", "--force"),
)
DEEP = 30_000


def git(root: Path, *words: str) -> None:
    subprocess.run([*GIT, "-C", str(root), *words], check=True, capture_output=True)


def commit(root: Path) -> None:
    """Everything in the folder came with a clone."""
    git(root, "init", "-q")
    git(root, "add", "-Af")
    git(root, "commit", "-qm", "x")


@pytest.fixture
def root(cli: Cli, sandbox: Sandbox) -> Path:
    assert cli("install", "--mode", "tool").code == 0
    return sandbox.root


@pytest.fixture
def outside(sandbox: Sandbox) -> Iterator[Path]:
    """A folder beside the workspace and files in HOME; neither may change."""
    folder = sandbox.root.with_name("outside")
    (folder / "mcps").mkdir(parents=True)
    (folder / "file").write_text("{}\n")
    (sandbox.home / "profile").write_text("{}\n")
    before = tree(folder), tree(sandbox.home)
    yield folder
    after = tree(sandbox.home)
    assert (tree(folder), {name: after.get(name) for name in before[1]}) == before
    assert [name for name in after.keys() - before[1].keys() if not name.startswith("state/")] == []
    assert list(folder.rglob(".*")) == []


def run_all(cli: Cli) -> None:
    for words in COMMANDS:
        result = cli(*words)
        assert result.code in (0, 1), (words, result.err)
        assert "internal error" not in result.err, (words, result.err)


@requirement("OWN-7", "NAT-5")
@pytest.mark.parametrize("name", [".vaultspec", ".vaultspec/mcps", ".vaultspec/templates", ".vaultspec/rules"])
@pytest.mark.parametrize("parent", ["outside", "home"])
def test_a_linked_folder_of_the_framework_leads_no_write_out_of_the_workspace(
    cli: Cli, sandbox: Sandbox, outside: Path, name: str, parent: str
) -> None:
    link = sandbox.root / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside if parent == "outside" else sandbox.home, target_is_directory=True)
    run_all(cli)


@requirement("OWN-7", "NAT-5")
@pytest.mark.parametrize(
    "name",
    [
        ".mcp.json",
        ".codex/config.toml",
        ".agents/mcp_config.json",
        ".gitignore",
        ".gitattributes",
        ".pre-commit-config.yaml",
        ".vaultspec/workspace.json",
        ".vaultspec/providers.json",
        ".vaultspec/mcp-ownership.json",
        ".vaultspec/mcps/vaultspec-core.builtin.json",
        ".vaultspec/templates/research.md",
    ],
)
@pytest.mark.parametrize("target", ["../outside/file", "../outside/none", "../home/profile", "../home/none"])
def test_a_linked_file_leads_no_write_out_of_the_workspace(
    cli: Cli, sandbox: Sandbox, outside: Path, name: str, target: str
) -> None:
    git(sandbox.root, "init", "-q")
    link = sandbox.root / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to((sandbox.root / target).resolve())
    run_all(cli)


@requirement("OWN-7", "NAT-5")
@pytest.mark.parametrize(
    "name", [".vault", ".vault/research", ".vault/data", ".vault/research/2026-07-01-x-research.md"]
)
def test_a_linked_vault_leads_no_read_or_write_out_of_the_workspace(
    cli: Cli, sandbox: Sandbox, outside: Path, name: str
) -> None:
    secret = outside / "2026-07-01-x-research.md"
    secret.write_text("---\ntags: ['#research', '#x']\n---\n\n# secret words   \n")
    before = secret.read_bytes()
    (sandbox.root / ".vaultspec").mkdir()
    link = sandbox.root / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(secret if name.endswith(".md") else outside)
    run_all(cli)
    for words in (("status", "--json"), ("vault", "set-body", "2026-07-01-x-research", "--body-stdin")):
        assert "secret words" not in cli(*words, stdin=b"x\n").out
    assert secret.read_bytes() == before
    secret.unlink()


@requirement("OWN-7")
def test_a_committed_record_hands_out_nothing_at_any_scope(root: Path, cli: Cli, sandbox: Sandbox) -> None:
    theirs = '{"mcpServers": {"tool": {"command": "theirs"}}}\n'
    (root / ".mcp.json").write_text(theirs)
    (sandbox.home / ".claude.json").write_text(theirs)
    mark = "6e5f9e1d" * 8
    record = {
        key: {"provider": "claude", "scope": scope, "path": str(path), "managed": {"tool": mark, "gone": mark}}
        for key, scope, path in (
            ("claude:project", "project", root / ".mcp.json"),
            ("claude:local", "local", sandbox.home / ".claude.json"),
            (f"claude:user:{sandbox.home}/.claude.json", "user", sandbox.home / ".claude.json"),
        )
    }
    (root / ".vaultspec/mcp-ownership.json").write_text(json.dumps({"version": 1, "targets": record}))
    commit(root)
    for scope in ("project", "local", "user"):
        cli("spec", "mcps", "sync", "claude", "--scope", scope, "--prune")
        cli("spec", "mcps", "uninstall", "claude", "--scope", scope)
    assert json.loads((root / ".mcp.json").read_text())["mcpServers"]["tool"] == {"command": "theirs"}
    assert json.loads((sandbox.home / ".claude.json").read_text())["mcpServers"]["tool"] == {"command": "theirs"}


@requirement("OWN-7")
def test_commands_without_a_scope_write_nothing_into_the_home_folder(cli: Cli, sandbox: Sandbox, outside: Path) -> None:
    git(sandbox.root, "init", "-q")
    run_all(cli)


@requirement("OWN-7")
def test_asking_git_runs_nothing_that_the_clone_brings(root: Path, sandbox: Sandbox) -> None:
    ran = sandbox.home / "ran"
    program = root / "monitor"
    program.write_text(f"#!/bin/sh\necho x >> {ran}\n")
    program.chmod(0o755)
    commit(root)
    framework = root / ".vaultspec"
    bare = sandbox.home / "bare"
    subprocess.run([*GIT, "init", "-q", "--bare", str(bare)], check=True)
    for entry in bare.iterdir():
        entry.rename(framework / entry.name)
    monitor = f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = {root}\n\tfsmonitor = {program}\n"
    (framework / "config").write_text(monitor)
    assert is_tracked(framework / "mcp-ownership.json", sandbox.environ)
    (framework / "HEAD").unlink()
    git(root, "config", "core.fsmonitor", str(program))
    ran.unlink(missing_ok=True)
    assert is_tracked(framework / "mcp-ownership.json", sandbox.environ)
    assert not ran.exists()


@requirement("OWN-7")
def test_a_record_is_tracked_whatever_the_case_of_its_name(root: Path, sandbox: Sandbox) -> None:
    record = root / ".vaultspec/mcp-ownership.json"
    record.rename(record.with_name("MCP-Ownership.json"))
    commit(root)
    assert is_tracked(record, sandbox.environ)


@requirement("OWN-7", "CLI-5")
def test_an_editor_that_came_with_the_repository_is_not_started(root: Path, sandbox: Sandbox) -> None:
    config = root / ".vaultspec/config.toml"
    commit(root)
    config.write_text('editor = "mine"\n')
    assert editor_command(None, root, sandbox.environ) == ["mine"]
    git(root, "add", "-f", str(config))
    with pytest.raises(Refusal) as refused:
        editor_command(None, root, sandbox.environ)
    assert refused.value.code == "editor-came-along"
    assert refused.value.hint == "Pass --editor, or run: git rm --cached .vaultspec/config.toml"
    assert editor_command("own", root, sandbox.environ) == ["own"]


@requirement("DEF-3", "OWN-7")
@pytest.mark.parametrize(
    "definition",
    [
        {"command": "sh", "args": ["-c", "touch RAN"]},
        {"command": "$(touch RAN)"},
        {"command": "`touch RAN`; touch RAN", "args": ["; touch RAN", "&& touch RAN", "\n[mcp_servers.evil]\n"]},
        {"command": 'x"\ncommand = "evil', "env": {"A": "'''\"\"\"", "LD_PRELOAD": "evil.so"}},
    ],
)
def test_a_definition_is_written_word_for_word_and_never_run(
    root: Path, cli: Cli, sandbox: Sandbox, definition: dict[str, Any]
) -> None:
    (root / ".vaultspec/mcps/tool.json").write_text(json.dumps(definition))
    for words in (("spec", "mcps", "sync"), ("spec", "mcps", "status"), ("spec", "mcps", "list"), ("sync",)):
        assert cli(*words).code == 0
    assert [path for top in (root, sandbox.home) for path in top.rglob("RAN")] == []
    import tomllib

    servers = tomllib.loads((root / ".codex/config.toml").read_text())["mcp_servers"]
    assert servers.keys() == {"tool", "vaultspec-core"}
    assert {key: servers["tool"][key] for key in definition} == definition
    assert (
        json.loads((root / ".mcp.json").read_text())["mcpServers"]["tool"]
        == definition | {key: value for key, value in servers["tool"].items() if key not in definition}
        or json.loads((root / ".mcp.json").read_text())["mcpServers"]["tool"]["command"] == definition["command"]
    )


@requirement("DEF-3", "REL-5")
@pytest.mark.parametrize("name", ["..", "../x", "a b", "\x1b[31mred", "x\ny", "\u202egnp", "-rf", "con"])
def test_a_definition_with_a_name_that_is_none_is_shown_harmlessly_and_not_written(
    root: Path, cli: Cli, name: str
) -> None:
    if "/" in name:
        assert cli("spec", "mcps", "add", name, "--command", "x").code != 0
        return
    (root / f".vaultspec/mcps/{name}.json").write_text('{"command": "x"}')
    before = (root / ".mcp.json").read_bytes()
    for words in (("spec", "mcps", "list"), ("spec", "mcps", "status"), ("spec", "mcps", "sync"), ("spec", "doctor")):
        result = cli(*words)
        assert "internal error" not in result.err
        assert harmless(result.out + result.err), words
    assert (root / ".mcp.json").read_bytes() == before


def harmless(text: str) -> bool:
    """Nothing in it that a terminal acts on, and nothing that turns the direction of text round."""
    return all(sign in "\n\t" or sign.isprintable() for sign in text)


@requirement("CLI-3", "REL-5")
def test_names_and_text_of_documents_never_steer_a_terminal(root: Path, cli: Cli) -> None:
    text = "---\ntags: ['#research', '#x\x1b[2J']\ndate: '2026-07-01'\nrelated: ['[[\x1b]0;x\x07]]']\n---\n\n# \x1b[31m title \u202e\x9b\n"
    for stem in ("2026-07-01-\x1b[31mx-research", "2026-07-01-a\nb-research", "\u202ex"):
        (root / f".vault/research/{stem}.md").write_text(text)
    for words in (
        ("status",),
        ("vault", "check", "all"),
        ("doctor",),
        ("status", "--json"),
        ("vault", "check", "all", "--json"),
    ):
        result = cli(*words)
        assert "internal error" not in result.err
        assert harmless(result.out + result.err), words


def nested(opening: str, closing: str, inside: str = "") -> str:
    return opening * DEEP + inside + closing * DEEP


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{one}: &{one} [{', '.join(['*' + before] * 9)}]\n" for before, one in zip("abcdefghi", "bcdefghij", strict=True)
)


@requirement("REL-5", "NAT-6")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".vaultspec/mcps/tool.json", nested('{"a":', "}", "1")),
        (".vaultspec/mcps/tool.json", '{"command": "' + "x" * 5_000_000 + '"}'),
        (".vaultspec/workspace.json", nested("[", "]")),
        (".vaultspec/workspace.json", '{"a":' * DEEP),
        (".vaultspec/providers.json", nested("[", "]")),
        (".vaultspec/mcp-ownership.json", nested('{"targets":', "}", "1")),
        (".vaultspec/config.toml", "editor = " + nested("[", "]")),
        (".mcp.json", nested('{"mcpServers":', "}", "1")),
        (".codex/config.toml", "a = " + nested("[", "]")),
        (".codex/config.toml", "[" + ".".join(["a"] * DEEP) + "]\n"),
        ("pyproject.toml", "a = " + nested("[", "]")),
        (".pre-commit-config.yaml", "repos: " + nested("[", "]")),
        (".pre-commit-config.yaml", BOMB + "repos: []\n"),
        (".vault/research/2026-07-01-x-research.md", "---\nrelated: " + nested("[", "]") + "\n---\n\n# x\n"),
        (".vault/research/2026-07-01-x-research.md", "---\n" + BOMB + "related: *j\n---\n\n# x\n"),
        (".vault/research/2026-07-01-x-research.md", "> " * DEEP + "x\n"),
        (".vault/plan/2026-07-01-x-plan.md", "---\ntier: L1\n---\n\n" + "#" * DEEP + " x\n" + "- [ ] " * DEEP),
        (".vault/data/change.json", nested("[", "]")),
    ],
    ids=lambda value: value if len(value) < 60 else str(len(value)),
)
def test_huge_and_deep_files_are_findings_and_never_a_fault_of_ours(root: Path, cli: Cli, name: str, text: str) -> None:
    git(root, "init", "-q")
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    for words in COMMANDS[:-1]:
        result = cli(*words)
        assert result.code in (0, 1), (words, result.err[:300])
        assert "internal error" not in result.err, words


@requirement("PLN-1", "GTW-4", "OWN-7")
@pytest.mark.parametrize("reference", ["../../../home/profile", "/etc/passwd", "..", "~/profile", "$HOME/profile"])
@pytest.mark.parametrize(
    "words",
    [
        ("vault", "set-body", "@", "--body-stdin"),
        ("vault", "plan", "status", "@"),
        ("vault", "plan", "step", "check", "@", "S01"),
        ("vault", "add", "research", "--feature", "@"),
        ("vault", "add", "research", "--feature", "y", "--related", "@"),
        ("spec", "mcps", "remove", "@"),
        ("spec", "mcps", "add", "@", "--command", "x"),
    ],
    ids=lambda words: "-".join(words[:3]),
)
def test_names_never_lead_out_of_the_workspace(
    root: Path, cli: Cli, outside: Path, words: tuple[str, ...], reference: str
) -> None:
    before = tree(root)
    result = cli(*(word.replace("@", reference) for word in words), stdin=b"x\n")
    assert result.code in (1, 2)
    assert {name: data for name, (data, _) in tree(root).items()} == {name: data for name, (data, _) in before.items()}


def journal(path: str, before: bytes | None, after: bytes | None) -> str:
    said = [None if data is None else b64encode(data).decode() for data in (before, after)]
    file = {"path": path, "before": said[0], "after": said[1], "private": False}
    return json.dumps({"version": 1, "files": [file]})


@requirement("OWN-7", "REL-1")
@pytest.mark.parametrize(
    "path",
    [
        "../escaped",
        "/tmp/escaped",
        ".git/config",
        "research/../../escaped",
        "research/.hidden/x",
        "link/escaped",
        "../.mcp.json",
    ],
)
def test_a_journal_that_came_along_reaches_no_file_outside_the_vault_and_none_that_git_runs(
    root: Path, cli: Cli, outside: Path, path: str
) -> None:
    from vaultspec_core.plan.settle import journal as place
    from vaultspec_core.vault.vault import Vault

    (root / ".vault/link").symlink_to(outside)
    where = place(Vault.open(root))
    where.parent.mkdir(exist_ok=True)
    where.write_text(journal(path, None, b"evil"))
    before = {name: data for name, (data, _) in tree(root).items()}
    result = cli("vault", "exec", "log", "2026-07-01-x-plan", "S01", "--row", "M:a")
    cli("vault", "check", "all", "--fix")
    assert "internal error" not in result.err
    assert {name: data for name, (data, _) in tree(root).items()} == before
    assert not os.path.lexists("/tmp/escaped")


def wheel(folder: Path, program: str) -> Path:
    """A wheel of the server's name whose environment runs the program whenever Python starts."""
    import zipfile

    path, info = folder / "vaultspec_core-9.0-py3-none-any.whl", "vaultspec_core-9.0.dist-info"
    files = {
        "start.pth": f"import os; {program}\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: vaultspec-core\nVersion: 9.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@requirement("OWN-7", "DOC-1")
@pytest.mark.parametrize("requirement_of", ["{0}", "./{0.name}", "{0.name}", "vaultspec-core @ file://{0}"])
def test_the_doctor_starts_nothing_that_the_clone_brings(
    cli: Cli, sandbox: Sandbox, uv_environ: dict[str, str], requirement_of: str
) -> None:
    ran = sandbox.home / "ran"
    made = wheel(sandbox.root, f"open({str(ran)!r}, 'w').close()")
    cli("install", "--mode", "tool", "--from", requirement_of.format(made), env=uv_environ)
    result = cli("doctor", env=uv_environ)
    assert "internal error" not in result.err
    assert "9.0 from" not in result.out
    assert not ran.exists()


@requirement("OWN-7")
def test_templates_fill_in_words_and_read_nothing(root: Path, cli: Cli, outside: Path) -> None:
    evil = "# {title} {{7*7}} ${HOME} $(touch RAN) {file:../outside/file} <%= 1 %> {title.__class__} %s {0}\n"
    (root / ".vaultspec/templates/research.md").write_text(evil)
    assert cli("vault", "add", "research", "--feature", "x", "--title", "{date} $(id)").code == 0
    (made,) = (root / ".vault/research").glob("*-x-research.md")
    assert made.read_text().splitlines()[-1] == evil.replace("{title}", "{date} $(id)", 1).rstrip()


@requirement("OWN-7")
def test_variables_are_read_from_the_environment_and_from_no_file_of_the_workspace(
    root: Path, cli: Cli, outside: Path
) -> None:
    for name in (".env", ".envrc", ".vaultspec/.env"):
        (root / name).write_text(f"VAULTSPEC_TARGET_DIR={outside}\nVAULTSPEC_EDITOR=evil\nHOME={outside}\n")
    assert cli("spec", "mcps", "status", "--json").data["status"] == "ok"


@requirement("OWN-7", "INS-4")
def test_no_command_of_ours_runs_the_hooks_that_it_writes(root: Path, cli: Cli, sandbox: Sandbox) -> None:
    commit(root)
    for name in ("pre-commit", "post-checkout", "post-index-change"):
        hook = root / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {sandbox.home}/RAN\n")
        hook.chmod(0o755)
    run_all(cli)
    assert not (sandbox.home / "RAN").exists()
