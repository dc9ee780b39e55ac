"""Where the catalogue comes from, and what is said where there is none."""

from __future__ import annotations

import sys
import venv
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.server.gateway.conftest import perform
from vaultspec_core.mcp_server.frame import Fault

BOTH: list[tuple[str, dict[str, Any]]] = [("discover", {"query": "list"}), ("invoke", {"verb": "version"})]


def refusal(root: Path, tool: str, arguments: dict[str, Any]) -> str:
    with pytest.raises(Fault) as fault:
        perform(root, tool, arguments)
    assert fault.value.data["code"] == "gateway-unavailable"
    return fault.value.message


@requirement("GTW-1")
def test_without_the_command_line_both_tools_say_so(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv.create(tmp_path / "bare", symlinks=sys.platform != "win32")
    (python,) = [*(tmp_path / "bare").glob("bin/python"), *(tmp_path / "bare").glob("Scripts/python.exe")]
    monkeypatch.delenv("PYTHONPATH")
    monkeypatch.setattr(sys, "executable", str(python))
    for tool, arguments in BOTH:
        assert refusal(workspace, tool, arguments) == (
            f"the command line is not installed beside this server ({python}), so there is no verb to search or run"
            " (hint: Install `vaultspec-core` into the environment that the server runs in.)"
        )


@requirement("GTW-1")
@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize(
    ("listing", "code", "said"),
    [
        ("no json", "0", "its list of verbs is not one that this server knows: JSONDecodeError("),
        ("[]", "0", "its list of verbs is not one that this server knows: TypeError("),
        ('{"data": {"verbs": [{"verb": "x"}]}}', "0", "its list of verbs is not one that this server knows: KeyError("),
        ("{}", "1", "it ended without a word"),
    ],
)
@pytest.mark.parametrize(("tool", "arguments"), BOTH)
def test_a_command_line_that_cannot_list_its_verbs_is_no_catalogue(
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    arguments: dict[str, Any],
    listing: str,
    code: str,
    said: str,
) -> None:
    monkeypatch.setenv("STAND_IN_LISTING", listing)
    monkeypatch.setenv("STAND_IN_EXIT", code)
    assert refusal(workspace, tool, arguments).startswith(f"the command line gives no list of its verbs: {said}")


@requirement("GTW-1", "PRF-9")
@pytest.mark.usefixtures("demo")
def test_the_catalogue_is_asked_for_once_and_again_after_a_failure(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = tmp_path / "counter"
    monkeypatch.setenv("STAND_IN_COUNTER", str(counter))
    monkeypatch.setenv("STAND_IN_EXIT", "1")
    refusal(workspace, "discover", {"query": "demo"})
    monkeypatch.setenv("STAND_IN_EXIT", "0")
    for _ in range(2):
        assert perform(workspace, "discover", {"query": "demo echo"})["count"] > 0
        assert perform(workspace, "invoke", {"verb": "demo echo"})["ok"]
    assert counter.read_text() == "asked\n" * 2


@requirement("GTW-4")
def test_modules_and_programs_of_the_workspace_and_of_path_are_not_run(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json.py", "vaultspec_installer.py", "vaultspec_core.py", "sitecustomize.py"):
        (workspace / name).write_text("raise SystemExit('run')\n", encoding="utf-8")
    program = workspace / "vaultspec-core"
    program.write_text("#!/bin/sh\nexit 9\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(workspace))
    assert perform(workspace, "invoke", {"verb": "version"})["ok"]
