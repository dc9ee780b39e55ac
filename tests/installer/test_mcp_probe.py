"""`spec mcps probe`: real servers are started as a client would, and none outlives the question."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.conftest import ROOT, SOURCES, Sandbox, tree
from tests.installer import servers
from tests.requirements import requirement
from vaultspec_installer._version import __version__
from vaultspec_installer.mcp_client import Failure, Greeting, greet
from vaultspec_installer.table import find_verb
from vaultspec_providers.contract import Launch

Cli = Callable[..., Any]
SECRET = "s3cr3t-value-of-mine"


def ask(sandbox: Sandbox, program: str, *args: str, seconds: float = 30, **env: str) -> Greeting | Failure:
    return greet(Launch(sys.executable, ("-c", program, *args), env), sandbox.root, sandbox.environ, seconds)


def timeless(answer: Greeting | Failure) -> Greeting | Failure:
    return answer._replace(seconds=0.0) if isinstance(answer, Greeting) else answer


@requirement("DOC-4")
def test_a_server_is_told_with_its_version_protocol_and_tools(sandbox: Sandbox) -> None:
    answer = ask(sandbox, servers.WELL)
    assert timeless(answer) == Greeting("tiny", "3.1", "2025-06-18", 2, 0.0)
    assert isinstance(answer, Greeting)
    assert 0 < answer.seconds < 30


@requirement("DOC-4")
def test_pages_are_followed_and_what_a_server_asks_is_answered(sandbox: Sandbox) -> None:
    assert timeless(ask(sandbox, servers.TALKATIVE)) == Greeting("tiny", "3.1", "2024-11-05", 3, 0.0)


@requirement("DOC-4")
def test_it_runs_in_the_workspace_with_the_environment_of_the_entry(sandbox: Sandbox) -> None:
    answer = ask(sandbox, servers.WHERE_AND_HOW, "${HOME}", REGION="${NOWHERE:-eu}")
    assert answer == Failure(f"it refused initialize: {sandbox.root} eu {sandbox.home}")


@requirement("DOC-4")
def test_a_server_that_ends_is_told_with_its_last_words_and_without_secrets(sandbox: Sandbox) -> None:
    answer = ask(sandbox, servers.ENDING, API_KEY=SECRET)
    lines = (*(f"line {number}" for number in range(11, 20)), "the key is ***")
    assert answer == Failure("it ended with 7 before it answered initialize", lines)


def gone(process: int) -> bool:
    """Whether it ends: a signal that was sent takes a moment to arrive, and nobody may collect what is left of an orphan."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if psutil.Process(process).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


@requirement("DOC-4")
def test_a_server_that_does_not_answer_is_ended_with_all_that_it_started(sandbox: Sandbox) -> None:
    note = sandbox.root / "pid"
    answer = ask(sandbox, servers.DEAF, str(note), seconds=1.5)
    assert answer == Failure("no answer to initialize in time")
    assert gone(int(note.read_text(encoding="utf-8")))


@requirement("DOC-4")
@pytest.mark.parametrize(
    ("program", "said"),
    [
        (servers.CHATTY, "it printed something that is no message: Welcome!"),
        (servers.EMPTY, "its answer to initialize does not say what server it is"),
    ],
)
def test_what_is_no_server_is_told(program: str, said: str, sandbox: Sandbox) -> None:
    assert ask(sandbox, program) == Failure(said)


def test_a_program_that_is_not_there_is_told(sandbox: Sandbox) -> None:
    answer = greet(Launch("no-such-program"), sandbox.root, sandbox.environ, 5)
    assert answer == Failure("no-such-program cannot be started: No such file or directory")


@pytest.fixture
def workspace(sandbox: Sandbox, cli: Cli) -> Sandbox:
    assert cli("install", "claude", "--mode", "tool").code == 0
    assert cli("spec", "mcps", "remove", "vaultspec-core", "--force").code == 0
    assert cli("spec", "mcps", "sync", "--prune", "--force").code == 0
    return sandbox


def enroll(cli: Cli, name: str, *words: str) -> None:
    said = [part for word in words for part in ("--arg", word)]
    assert cli("spec", "mcps", "add", name, "--command", sys.executable, *said).code == 0
    assert cli("spec", "mcps", "sync").code == 0


@requirement("DOC-4")
def test_our_own_server_answers(workspace: Sandbox, cli: Cli) -> None:
    enroll(cli, "vaultspec", "-m", "vaultspec_core.mcp_server.app")
    result = cli("spec", "mcps", "probe", env={"PYTHONPATH": os.pathsep.join(SOURCES)})
    assert result.code == 0, result.out
    assert re.sub(r"\d+\.\d{3} s", "N s", result.out) == (
        f"claude vaultspec: vaultspec-core-mcp {version()}, protocol 2025-06-18, {tools()} tools, N s\n"
    )


@requirement("DOC-1", "DOC-4", "NAT-8")
def test_the_line_of_tool_mode_answers_and_the_doctor_says_what_it_serves(
    sandbox: Sandbox, cli: Cli, uv_environ: dict[str, str]
) -> None:
    assert cli("install", "claude", "--mode", "tool").code == 0
    (row,) = cli("spec", "mcps", "probe", "--timeout", "120", "--json", env={**uv_environ, "PYTHONPATH": ""}).data[
        "items"
    ]
    assert (row["outcome"], row["server"], row["version"]) == ("ok", "vaultspec-core-mcp", version())
    served = cli("spec", "doctor", "--json", env=uv_environ).data["findings"]
    (said,) = [one["message"] for one in served if one["code"].startswith("launch-")]
    assert said.startswith(f".mcp.json: vaultspec-core serves vaultspec-core {__version__} from {ROOT / '.cache/uv'}")


def version() -> str:
    text = (ROOT / "server/src/vaultspec_core/_version.py").read_text(encoding="utf-8")
    found = re.search(r'"([\d.]+\w*)"', text)
    assert found
    return found[1]


def tools() -> int:
    from vaultspec_core.mcp_server.table import ToolTable, registry

    return len(ToolTable(registry(), False, lambda: None).listing())


@requirement("DOC-4", "SYN-8")
def test_json_says_it_of_each_entry_and_one_failure_fails(workspace: Sandbox, cli: Cli) -> None:
    enroll(cli, "bad", "-c", "raise SystemExit(3)")
    enroll(cli, "good", "-c", servers.WELL)
    before = tree(workspace.root)
    result = cli("spec", "mcps", "probe", "--json")
    assert (result.code, result.err, result.json["status"]) == (1, "", "failed")
    bad, good = result.data["items"]
    assert good.pop("seconds") > 0
    place = {"provider": "claude", "file": ".mcp.json"}
    assert good == {
        "name": "good",
        **place,
        "outcome": "ok",
        "server": "tiny",
        "version": "3.1",
        "protocol": "2025-06-18",
        "tools": 2,
    }
    assert bad == {
        "name": "bad",
        **place,
        "outcome": "failed",
        "message": "it ended with 3 before it answered initialize",
        "stderr": [],
    }
    assert tree(workspace.root) == before
    assert cli("spec", "mcps", "probe", "good").code == 0


@requirement("DOC-4")
def test_what_is_not_ours_is_never_started(workspace: Sandbox, cli: Cli, tmp_path: Path) -> None:
    mark = tmp_path / "started"
    (workspace.root / ".mcp.json").write_text(
        f'{{"mcpServers": {{"theirs": {{"command": "touch", "args": ["{mark}"]}}}}}}', encoding="utf-8"
    )
    assert cli("spec", "mcps", "probe").out == "Nothing is enrolled at project scope.\n"
    result = cli("spec", "mcps", "probe", "theirs", "--json")
    assert (result.code, result.data["code"]) == (1, "not-enrolled")
    assert not mark.exists()


def test_a_time_that_is_none_is_wrong_usage(workspace: Sandbox, cli: Cli) -> None:
    assert cli("spec", "mcps", "probe", "--timeout", "0").code == 2


@requirement("GTW-2")
def test_the_gateway_starts_no_server_and_sets_no_editor() -> None:
    words = (["spec", "mcps", "probe"], ["config", "set"], ["config", "unset"])
    assert [verb.denied for one in words if (verb := find_verb(one))] == [
        "starts programs",
        "changes which program is started",
        "changes which program is started",
    ]
