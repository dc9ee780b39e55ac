"""The server process: its options, its workspace, what it prints where, and what it loads before it answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Sandbox
from tests.requirements import requirement
from tests.server.mcp.engines import PATIENCE_SECONDS, initialize, request
from tests.server.mcp.process import MODULE, PLAIN, TOYS, started, workspace
from vaultspec_core import __version__
from vaultspec_core.mcp_server import app
from vaultspec_core.mcp_server.workspace_search import search
from vaultspec_core.report import Refusal
from vaultspec_core.workspace import find_workspace

HEAVY = {
    "argparse", "asyncio", "dataclasses", "difflib", "importlib.metadata", "jsonschema", "logging", "mcp", "pathlib", "psutil",
    "rich", "subprocess", "tomlkit", "typing", "yaml",
}  # fmt: skip


def run(sandbox: Sandbox, *words: str, data: bytes = b"", **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PLAIN, *words],
        input=data,
        capture_output=True,
        check=False,
        timeout=PATIENCE_SECONDS,
        cwd=sandbox.root,
        env={**sandbox.environ, **{name: str(value) for name, value in options.items()}},
    )


@requirement("SRV-2", "SRV-5")
@pytest.mark.smoke
def test_a_shell_pipeline_is_answered_in_full_and_nothing_else_is_printed(sandbox: Sandbox) -> None:
    workspace(sandbox)
    done = run(sandbox, data=initialize() + b"\n" + request(2, "tools/call", {"name": "status"}))
    assert (done.returncode, done.stderr) == (0, b"")
    assert [line[:27] for line in done.stdout.splitlines()] == [
        b'{"jsonrpc":"2.0","id":"init',
        b'{"jsonrpc":"2.0","id":2,"re',
    ]


@requirement("D-19", "WSP-4")
def test_without_a_workspace_one_line_says_how_to_make_one(sandbox: Sandbox) -> None:
    (sandbox.root / ".git").mkdir()  # the search ends here
    done = run(sandbox, data=initialize())
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        f"vaultspec-core-mcp: no workspace in {sandbox.root} or above it (hint: vaultspec-core install --mode tool)\n"
    )


@requirement("D-19", "WSP-4")
def test_a_named_folder_without_a_workspace_is_named(sandbox: Sandbox) -> None:
    elsewhere = sandbox.root / "elsewhere"
    done = run(sandbox, VAULTSPEC_TARGET_DIR=elsewhere)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        f"vaultspec-core-mcp: {elsewhere} (VAULTSPEC_TARGET_DIR) does not exist "
        f"(hint: vaultspec-core install --target {elsewhere})\n"
    )


@requirement("D-19")
def test_a_current_directory_that_is_gone_is_one_line(sandbox: Sandbox) -> None:
    gone = sandbox.root / "gone"
    gone.mkdir()
    script = f"import os, runpy; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); runpy.run_module({MODULE!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, env=sandbox.environ)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        "vaultspec-core-mcp: the current directory does not exist any more (hint: start the server in the workspace)\n"
    )


@requirement("WSP-4")
def test_the_quick_look_finds_what_the_search_finds(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> tuple[str | None, str | None]:
        return app.workspace(), search()

    inner = sandbox.root / "a" / "b"
    inner.mkdir(parents=True)
    workspace(sandbox)
    assert found() == (str(sandbox.root), str(sandbox.root))
    monkeypatch.chdir(inner)
    assert found() == (str(sandbox.root), str(sandbox.root))
    monkeypatch.setenv("VAULTSPEC_TARGET_DIR", "../..")
    assert found() == (str(sandbox.root), str(sandbox.root))
    (sandbox.home / "link").symlink_to(sandbox.root)
    monkeypatch.setenv("VAULTSPEC_TARGET_DIR", str(sandbox.home / "link"))
    assert found() == (str(sandbox.root), str(sandbox.root))
    (sandbox.home / ".vaultspec").mkdir()
    monkeypatch.setenv("VAULTSPEC_TARGET_DIR", str(sandbox.home))
    assert found() == (None, None)
    monkeypatch.setenv("HOME", str(sandbox.home / "nowhere"))
    monkeypatch.setenv("VAULTSPEC_TARGET_DIR", str(sandbox.root))
    assert found() == (str(sandbox.root), str(sandbox.root))
    with pytest.raises(Refusal):
        find_workspace(None, {}, Path("/"))


@requirement("SRV-2")
def test_help_and_version_need_no_workspace(sandbox: Sandbox) -> None:
    assert run(sandbox, "--version").stdout.decode() == f"vaultspec-core-mcp {__version__}\n"
    shown = run(sandbox, "--help").stdout.decode()
    assert all(option in shown for option in ("--read-only", "--parent-pid", "--engine", "VAULTSPEC_TARGET_DIR"))


@requirement("SRV-2")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--readonly"], "unrecognized arguments: --readonly"),
        (["here"], "unrecognized arguments: here"),
        (["--parent-pid"], "argument --parent-pid: expected one argument"),
        (["--parent-pid", "0"], "argument --parent-pid: '0' is no process number"),
        (["--parent-pid", "x"], "argument --parent-pid: 'x' is no process number"),
        (["--parent-pid=99999999999999"], "argument --parent-pid: '99999999999999' is no process number"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(sandbox: Sandbox, words: list[str], said: str) -> None:
    done = run(sandbox, *words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"vaultspec-core-mcp: {said} (hint: vaultspec-core-mcp --help)\n"


@requirement("SRV-2")
@pytest.mark.parametrize("engine", ["stdio", "sdk"])
def test_what_a_tool_or_its_child_prints_goes_to_stderr(sandbox: Sandbox, engine: str) -> None:
    with started(sandbox, [*TOYS, "--engine", engine]) as server:
        server.open()
        server.write(request(1, "tools/call", {"name": "chatter"}), request(2, "ping"))
        answers = {answer["id"]: answer for answer in (server.read(), server.read())}
        assert answers[1]["result"]["structuredContent"] == {"read": ""}
        server.stdin.close()
        assert server.stdout.read() == b""
        code, err = server.ended()
        assert (code, sorted(err.split())) == (0, ["''", "child", "printed", "written"])


@requirement("SRV-2")
@pytest.mark.parametrize("closed", ["2>&-", "2>&- >&-", "<&-", "2>&- >&- <&-"])
def test_missing_descriptors_do_not_mix_logs_into_the_protocol(sandbox: Sandbox, closed: str) -> None:
    workspace(sandbox)
    line = f"exec {sys.executable} -m {MODULE} {closed}"
    done = subprocess.run(
        ["sh", "-c", line], input=request(1, "ping"), capture_output=True, check=False, env=sandbox.environ, timeout=60
    )
    spoken = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    assert (done.returncode, done.stdout) == (0, spoken if closed == "2>&-" else b"")


@requirement("SRV-3")
def test_a_fault_of_our_own_is_told_on_stderr_alone(sandbox: Sandbox) -> None:
    with started(sandbox) as server:
        server.open()
        server.write(request(1, "tools/call", {"name": "fail"}))
        assert server.read()["error"] == {"code": -32603, "message": "internal error"}
        server.stdin.close()
        code, err = server.ended()
        assert code == 0
        assert err.endswith("ValueError: the secret of the house\n")


@requirement("SRV-5")
def test_a_revision_that_only_the_sdk_may_know_is_left_to_it(sandbox: Sandbox) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2099-01-01", "io.modelcontextprotocol/clientCapabilities": {}}
    with started(sandbox) as server:
        server.write(request(1, "tools/list", {"_meta": meta}))
        error = server.read()["error"]
        assert (error["code"], error["data"]["requested"]) == (-32022, "2099-01-01")
        server.write(request(2, "server/discover", {"_meta": {**meta, next(iter(meta)): "2026-07-28"}}))
        assert server.read()["result"]["supportedVersions"] == ["2026-07-28"]


@requirement("PRF-1")
def test_nothing_heavy_is_loaded_before_the_client_is_answered(sandbox: Sandbox) -> None:
    workspace(sandbox)
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", MODULE],
        input=initialize() + b"\n" + request(2, "ping"),
        capture_output=True,
        check=False,
        cwd=sandbox.root,
        env=sandbox.environ,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert len(done.stdout.splitlines()) == 2
    assert "vaultspec_core.mcp_server.stdio" in loaded
    assert loaded & HEAVY == set()
    assert not any(name.startswith(("vaultspec_core.vault", "vaultspec_core.tool")) for name in loaded)
