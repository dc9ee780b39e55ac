"""Approval of commands: by a person at a terminal, for these bytes, in this folder, on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result, Sandbox, tree
from tests.installer.declaring import Person, declare, person_of
from tests.requirements import requirement

Cli = Callable[..., Result]


@pytest.fixture
def person(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Person:
    return person_of(sandbox, monkeypatch)


@pytest.fixture
def root(sandbox: Sandbox, cli: Cli) -> Path:
    assert cli("install", "claude", "--mode", "tool").code == 0
    return sandbox.root


def standing(cli: Cli, kind: str, name: str, **how: object) -> str:
    said: str = cli("spec", kind, "show", name, "--json", **how).data["trust"]
    return said


@requirement("CLI-1", "GTW-2")
@pytest.mark.parametrize(("kind", "event"), [("hooks", "stop"), ("triggers", "document.created")])
class TestApproval:
    def test_a_person_is_shown_all_that_runs_and_asked(
        self, root: Path, person: Person, cli: Cli, kind: str, event: str
    ) -> None:
        declare(root, kind, "lint", event=event, command="make \x1b[2K\u202elint", description="d")
        result = person("spec", kind, "trust", "lint")
        assert result.code == 0
        assert result.err == (
            f".vaultspec/{kind}/lint.json\n"
            "{\n"
            f'  "event": "{event}",\n'
            '  "command": "make \\u001b[2K\\u202elint"\n'
            "}\n"
            "Let this run on this machine as you? [y/N] "
        )
        assert standing(cli, kind, "lint") == "trusted"

    def test_it_lies_outside_the_workspace_for_its_owner_alone(
        self, root: Path, sandbox: Sandbox, person: Person, kind: str, event: str
    ) -> None:
        declare(root, kind, "lint", event=event, command="make lint")
        before = tree(root)
        person("spec", kind, "trust", "lint")
        assert tree(root) == before
        record = sandbox.home / "state/vaultspec/trust.json"
        assert record.stat().st_mode & 0o777 == 0o600
        assert list(json.loads(record.read_text())["workspaces"][str(root)]) == [f"{kind}/lint"]

    def test_who_says_no_approves_nothing(self, root: Path, person: Person, cli: Cli, kind: str, event: str) -> None:
        declare(root, kind, "lint", event=event, command="make lint")
        assert person("spec", kind, "trust", "lint", answer="").out == "Nothing was approved.\n"
        assert standing(cli, kind, "lint") == "untrusted"

    @pytest.mark.parametrize("terminal", [True, False])
    def test_no_program_approves(
        self, root: Path, person: Person, cli: Cli, kind: str, event: str, terminal: bool
    ) -> None:
        declare(root, kind, "lint", event=event, command="make lint")
        if terminal:
            result = person("spec", kind, "trust", "lint", env={"VAULTSPEC_MCP_GATEWAY_INVOCATION": "1"})
        else:
            result = cli("spec", kind, "trust", "lint", stdin=b"y\n")
        noun = kind.removesuffix("s")
        assert result.code == 2
        assert f"a {noun} is approved by a person at a terminal" in result.err
        assert standing(cli, kind, "lint") == "untrusted"

    def test_it_has_no_json_form(self, root: Path, person: Person, kind: str, event: str) -> None:
        declare(root, kind, "lint", event=event, command="make lint")
        assert person("spec", kind, "trust", "lint", "--json").code == 2

    def test_any_change_of_the_file_ends_it_and_the_old_bytes_bring_it_back(
        self, root: Path, person: Person, cli: Cli, kind: str, event: str
    ) -> None:
        path = declare(root, kind, "lint", event=event, command="make lint")
        person("spec", kind, "trust", "lint")
        before = path.read_bytes()
        path.write_bytes(before + b"\n")
        assert standing(cli, kind, "lint") == "changed"
        path.write_bytes(before)
        assert standing(cli, kind, "lint") == "trusted"

    def test_it_does_not_reach_another_folder_or_name(
        self, root: Path, person: Person, cli: Cli, kind: str, event: str, tmp_path: Path
    ) -> None:
        path = declare(root, kind, "lint", event=event, command="make lint")
        person("spec", kind, "trust", "lint")
        path.with_name("other.json").write_bytes(path.read_bytes())
        copy = tmp_path / "copy"
        declare(copy, kind, "lint").write_bytes(path.read_bytes())
        assert standing(cli, kind, "other") == "untrusted"
        assert standing(cli, kind, "lint", cwd=copy) == "untrusted"

    def test_it_can_be_taken_back(self, root: Path, person: Person, cli: Cli, kind: str, event: str) -> None:
        declare(root, kind, "lint", event=event, command="make lint")
        person("spec", kind, "trust", "lint")
        assert cli("spec", kind, "trust", "lint", "--revoke").out.startswith("Withdrew the approval of lint\n")
        assert standing(cli, kind, "lint") == "untrusted"
        assert cli("spec", kind, "trust", "lint", "--revoke").out == "None was approved\n"

    def test_a_repository_cannot_bring_the_record_along(
        self, root: Path, person: Person, kind: str, event: str
    ) -> None:
        declare(root, kind, "lint", event=event, command="make lint")
        result = person("spec", kind, "trust", "lint", env={"VAULTSPEC_STATE_DIR": str(root / "state")})
        assert result.code == 1
        assert "lies in the workspace, which cannot vouch for itself" in result.err

    @pytest.mark.parametrize("text", ["", "[]", '{"version": 2}', '{"version": 1, "workspaces": 3}'])
    def test_a_record_that_cannot_be_read_is_neither_believed_nor_overwritten(
        self, root: Path, sandbox: Sandbox, person: Person, cli: Cli, kind: str, event: str, text: str
    ) -> None:
        declare(root, kind, "lint", event=event, command="make lint")
        record = sandbox.home / "state/vaultspec/trust.json"
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(text)
        assert cli("spec", kind, "show", "lint", "--json").data["code"] == "bad-trust"
        assert person("spec", kind, "trust", "lint").code == 1
        assert record.read_text() == text

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            (b"{", "line 1: the file is not JSON: Expecting property name enclosed in double quotes at column 2"),
            (b"[]", "line 1: the file is an array"),
            (b'{"event": "x", "command": "y"}', "`event` must be one of "),
            (b'{"command": []}', "`command` must be a line for a shell or a list of words"),
            (b'{"command": " "}', "`command` must be a line for a shell or a list of words"),
            (b'{"command": "\\ud800"}', "`command` must be a line for a shell or a list of words"),
            (b'{"timeout": 0}', "`timeout` must be a whole number of seconds from 1 to 3600"),
            (b'{"shell": "zsh"}', '"shell" is not a key of a '),
        ],
    )
    def test_a_file_that_is_wrong_is_listed_with_its_faults_and_never_approved(
        self, root: Path, person: Person, cli: Cli, kind: str, event: str, text: bytes, fault: str
    ) -> None:
        declare(root, kind, "lint").write_bytes(text)
        faults = cli("spec", kind, "list", "--json").data[kind][0]["faults"]
        assert any(one.startswith(fault) for one in faults)
        assert person("spec", kind, "trust", "lint").code == 1
        assert person("spec", kind, "trust").out == "Nothing was approved.\n"


@requirement("CLI-1")
def test_a_link_that_leaves_the_workspace_declares_nothing(root: Path, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"event": "stop", "command": "x"}')
    (root / ".vaultspec/hooks").mkdir(exist_ok=True)
    (root / ".vaultspec/hooks/x.json").symlink_to(tmp_path / "x.json")
    assert "leads out of the workspace" in cli("spec", "hooks", "list", "--json").data["hooks"][0]["faults"][0]
