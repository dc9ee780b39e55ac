"""The small set that runs on every supported Python: install, sync, the handshake, one call of each tool, with real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.requirements import requirement

pytestmark = pytest.mark.smoke

PLAN = "2026-07-12-search-api-plan"
CALLS: list[tuple[str, dict[str, Any]]] = [
    (
        "create",
        {
            "documents": [
                {"feature": "search-api", "type": "research", "date": "2026-07-12"},
                {"feature": "search-api", "type": "plan", "date": "2026-07-12", "tier": "L1"},
            ]
        },
    ),
    ("find", {"feature": "search-api"}),
    (
        "edit",
        {
            "operations": [
                {"target": "2026-07-12-search-api-research", "operation": "set_body", "content": "# Search\n\nProse.\n"}
            ]
        },
    ),
    (
        "plan_edit",
        {"plan": "search-api", "operations": [{"operation": "add", "action": "Write it.", "scope": "src/search.py"}]},
    ),
    ("log", {"feature": "search-api", "plan": PLAN, "step": "S01", "rows": ["A:src/search.py"]}),
    ("plan_progress", {"plan": PLAN, "steps": [{"step_id": "S01", "state": "checked"}]}),
    ("status", {}),
    ("check", {}),
    ("discover", {"query": "list vault documents"}),
    ("invoke", {"verb": "spec mcps list"}),
]
"""One call of each tool, in an order in which each finds what it needs."""


@pytest.fixture
def workspace(sandbox: Sandbox, command: Callable[..., Any]) -> Sandbox:
    """A project in which the product was just installed."""
    (sandbox.root / ".git").mkdir()
    installed = command("install", "--mode", "tool")
    assert (installed.returncode, installed.stderr) == (0, "")
    return sandbox


def talk(sandbox: Sandbox, requests: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Shake hands with a real server, send the requests one after another and give the answers; the server must end well at EOF."""
    environ = {**sandbox.environ, "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])}
    command = [sys.executable, "-m", "vaultspec_core.mcp_server.app"]
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "smoke", "version": "1"}}
    answers = []
    with subprocess.Popen(
        command, cwd=sandbox.root, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin
        assert server.stdout
        for number, (method, params) in enumerate([("initialize", hello), *requests]):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            answers.append(json.loads(server.stdout.readline()))
            if method == "initialize":
                server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        server.stdin.close()
        assert server.stdout.read() == ""
    assert server.returncode == 0
    assert [answer.get("id") for answer in answers] == list(range(len(answers)))
    return answers[1:]


@requirement("PKG-3")
def test_install_then_sync_then_status_agree_and_sync_writes_nothing(
    workspace: Sandbox, command: Callable[..., Any]
) -> None:
    before = tree(workspace.root)
    for words in (["sync"], ["spec", "mcps", "sync"], ["spec", "mcps", "status"]):
        done = command(*words)
        assert (done.returncode, done.stderr) == (0, "")
    status = json.loads(command("spec", "mcps", "status", "--json").stdout)
    assert status["data"]["status"] == "ok"
    assert tree(workspace.root) == before


@requirement("PKG-3", "SRV-5")
def test_the_server_answers_a_call_of_each_tool(workspace: Sandbox) -> None:
    (listed,) = talk(workspace, [("tools/list", {})])
    names = {tool["name"] for tool in listed["result"]["tools"]}
    calls = [call for call in CALLS if call[0] in names]
    assert {name for name, _ in calls} == names, "give each tool a call here"
    answers = talk(workspace, [("tools/call", {"name": name, "arguments": arguments}) for name, arguments in calls])
    for (name, _), answer in zip(calls, answers, strict=True):
        assert "result" in answer, f"{name}: {answer}"
        result = answer["result"]["structuredContent"]
        good = result["ok"] if name == "invoke" else name == "check" or result.get("status", "ok") == "ok"
        assert good, f"{name}: {result}"
