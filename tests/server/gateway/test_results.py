"""What `invoke` says of verbs that end well, fail, talk nonsense, talk too much."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.server.gateway.conftest import Invoke, answer
from vaultspec_core.mcp_server.gateway_process import EDITORS, MARKS
from vaultspec_core.mcp_server.gateway_result import TEXT_CHARACTERS

pytestmark = pytest.mark.usefixtures("demo")


def command(root: Path, *words: str) -> list[str]:
    return ["vaultspec-core", "--target", str(root), "demo", *words]


@requirement("GTW-1", "D-11")
def test_data_schema_and_status_of_the_document_stand_beside_each_other(call: Invoke, workspace: Path) -> None:
    result = call("demo  echo", {"loud": True}, ["a", "b"])
    words = ["demo", "echo", "a", "b", "--loud", "--json"]
    assert result.pop("data")["words"] == ["--target", str(workspace), *words]
    assert result == {
        "verb": "demo echo",
        "ok": True,
        "exit_code": 0,
        "format": "json",
        "schema": "demo.v1",
        "status": "ok",
        "stdout": None,
        "error": None,
        "command": ["vaultspec-core", "--target", str(workspace), *words],
    }


@requirement("GTW-3", "GTW-4")
def test_a_verb_runs_where_nobody_answers(call: Invoke, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in EDITORS:
        monkeypatch.setenv(name, "something")
    monkeypatch.setenv("VAULTSPEC_TARGET_DIR", "/")
    monkeypatch.setenv("VAULTSPEC_MCP_GATEWAY_INVOCATION", "")
    monkeypatch.setenv("STAND_IN_ASKS", json.dumps([*EDITORS, *MARKS]))
    data = call("demo echo")["data"]
    assert data["marks"] == {**dict.fromkeys(EDITORS), **MARKS}
    assert data["marks"]["VAULTSPEC_MCP_GATEWAY_INVOCATION"] == "1"
    assert (data["stdin"], data["folder"], data["leads_its_session"]) == ("", str(workspace), True)


@requirement("GTW-1", "D-11")
@pytest.mark.parametrize("code", [1, 3, 143])
def test_a_verb_that_failed_keeps_its_document_beside_the_error(call: Invoke, workspace: Path, code: int) -> None:
    assert call("demo fail", None, [str(code)]) == {
        "verb": "demo fail",
        "ok": False,
        "exit_code": code,
        "format": "json",
        "data": {"code": "demo", "message": "it failed"},
        "schema": "demo.v1",
        "status": "failed",
        "stdout": None,
        "error": {
            "kind": "nonzero_exit",
            "exit_code": code,
            "stderr": "",
            "message": f"verb exited with status {code}",
        },
        "command": command(workspace, "fail", str(code), "--json"),
    }


@requirement("GTW-1", "D-11")
def test_wrong_usage_is_said_as_text(call: Invoke, workspace: Path) -> None:
    assert call("demo misuse") == {
        "verb": "demo misuse",
        "ok": False,
        "exit_code": 2,
        "format": "text",
        "data": None,
        "stdout": None,
        "error": {
            "kind": "nonzero_exit",
            "exit_code": 2,
            "stderr": "error: a word is missing\n",
            "message": "verb exited with status 2",
        },
        "command": command(workspace, "misuse", "--json"),
    }


@requirement("GTW-1", "D-11")
def test_a_verb_that_promised_a_document_and_gave_none_keeps_what_it_said(call: Invoke, workspace: Path) -> None:
    assert call("demo garbage") == {
        "verb": "demo garbage",
        "ok": False,
        "exit_code": 0,
        "format": "text",
        "data": None,
        "stdout": "no document\n",
        "error": {
            "kind": "json_parse",
            "exit_code": 0,
            "stderr": "",
            "message": "verb printed no JSON document of ours",
        },
        "command": command(workspace, "garbage", "--json"),
    }


@requirement("GTW-1")
def test_a_verb_without_json_gives_its_text(call: Invoke, workspace: Path) -> None:
    assert call("demo plain") == {
        "verb": "demo plain",
        "ok": True,
        "exit_code": 0,
        "format": "text",
        "data": None,
        "stdout": "caf\u00e9\n",
        "error": None,
        "command": command(workspace, "plain"),
    }


@requirement("GTW-4")
def test_text_is_bounded_and_says_so(call: Invoke) -> None:
    result = call("demo flood")
    assert (result["ok"], result["truncated"], result["stdout"]) == (True, True, "x" * TEXT_CHARACTERS)


def test_a_verb_that_a_signal_ended_says_which(call: Invoke) -> None:
    error: dict[str, Any] = call("demo dying")["error"]
    assert error == {"kind": "nonzero_exit", "exit_code": -9, "stderr": "", "message": "verb exited with status -9"}


@requirement("GTW-1")
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("invoke", {"verb": "demo echo"}, "demo echo: ok"),
        ("invoke", {"verb": "demo garbage"}, "demo garbage: failed (json_parse)"),
        ("discover", {"query": "echo"}, "1 verb"),
        ("discover", {"query": "nothing"}, "0 verbs"),
        ("discover", {"query": "demo"}, "10 verbs"),
    ],
)
def test_the_text_of_a_result_is_one_line(workspace: Path, tool: str, arguments: dict[str, Any], said: str) -> None:
    result = answer(workspace, tool, arguments)
    assert (result["content"], result["isError"]) == ([{"type": "text", "text": said}], False)
