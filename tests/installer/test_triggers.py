"""Commands that follow events of the vault: only trusted ones run, and only for a person."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result, Sandbox, tree
from tests.installer.declaring import Person, declare, person_of
from tests.requirements import requirement
from vaultspec_installer.declared import EVENTS
from vaultspec_installer.table import all_verbs

Cli = Callable[..., Result]
COPY = [sys.executable, "-c", "import sys, pathlib; pathlib.Path('told').write_bytes(sys.stdin.buffer.read())"]


@pytest.fixture
def person(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Person:
    return person_of(sandbox, monkeypatch)


@pytest.fixture
def root(sandbox: Sandbox, cli: Cli) -> Path:
    assert cli("install", "--mode", "tool").code == 0
    return sandbox.root


def trusted(root: Path, person: Person, name: str, event: str, command: str | list[str], **said: Any) -> None:
    declare(root, "triggers", name, event=event, command=command, **said)
    assert person("spec", "triggers", "trust", name).code == 0


@requirement("CLI-1")
class TestRun:
    def test_an_event_runs_what_is_trusted_and_says_what_is_not(self, root: Path, person: Person, cli: Cli) -> None:
        trusted(root, person, "say", "step.checked", "echo one; echo two >&2")
        declare(root, "triggers", "wait", event="step.checked", command="touch never")
        result = cli("spec", "triggers", "run", "step.checked")
        assert result.out.startswith("trigger say: done\n  one\n  two\n")
        assert "trigger wait is untrusted and was not run" in result.err
        assert not (root / "never").exists()

    def test_one_that_is_named_must_be_trusted(self, root: Path, cli: Cli) -> None:
        declare(root, "triggers", "wait", event="step.checked", command="touch never")
        result = cli("spec", "triggers", "run", "wait")
        assert (result.code, result.err) == (
            1,
            "error: .vaultspec/triggers/wait.json was not run: it is untrusted\n"
            "hint: vaultspec-core spec triggers trust wait\n",
        )
        assert not (root / "never").exists()

    def test_it_is_told_event_workspace_and_path_on_stdin_and_starts_in_the_root(
        self, root: Path, person: Person, cli: Cli
    ) -> None:
        trusted(root, person, "copy", "document.created", COPY)
        assert cli("spec", "triggers", "run", "copy", "--path", "a.md").code == 0
        told = json.loads((root / "told").read_text())
        assert told == {"event": "document.created", "workspace": str(root), "data": {"path": "a.md"}}

    def test_failures_are_told_and_the_others_run(self, root: Path, person: Person, cli: Cli) -> None:
        trusted(root, person, "a-code", "step.checked", "exit 7")
        trusted(root, person, "b-none", "step.checked", ["/no/such/program"])
        trusted(root, person, "c-good", "step.checked", ["true"])
        result = cli("spec", "triggers", "run", "step.checked", "--json")
        assert result.code == 1
        assert [(one["name"], one["exit_code"], one["fault"]) for one in result.data["ran"]] == [
            ("a-code", 7, None),
            ("b-none", None, "it cannot be started: No such file or directory"),
            ("c-good", 0, None),
        ]

    @pytest.mark.skipif(os.name == "nt", reason="process groups")
    def test_at_its_timeout_it_ends_with_all_that_it_started(self, root: Path, person: Person, cli: Cli) -> None:
        trusted(root, person, "slow", "step.checked", "sleep 60 & echo $!; wait", timeout=1)
        ran = cli("spec", "triggers", "run", "slow", "--json").data["ran"][0]
        assert (ran["exit_code"], ran["fault"]) == (None, "it was ended after 1 s")
        state = Path(f"/proc/{ran['output'].strip()}/stat")
        assert not state.exists() or state.read_text().split()[2] == "Z"

    @requirement("GTW-2")
    def test_no_program_runs_one(self, root: Path, person: Person, cli: Cli) -> None:
        trusted(root, person, "copy", "document.created", COPY)
        result = cli("spec", "triggers", "run", "copy", env={"VAULTSPEC_MCP_GATEWAY_INVOCATION": "1"})
        assert (result.code, (root / "told").exists()) == (1, False)


@requirement("CLI-1")
class TestAfterAVerb:
    ADD = ("vault", "add", "research", "--feature", "search")

    def test_every_event_follows_verbs_that_exist(self) -> None:
        known = {verb.words for verb in all_verbs()}
        assert [words for verbs in EVENTS.values() for words in verbs if words not in known] == []

    def test_a_persons_verb_runs_the_triggers_of_its_event(self, root: Path, person: Person) -> None:
        trusted(root, person, "copy", "document.created", COPY)
        result = person(*self.ADD)
        assert "\ntrigger copy: done\n" in result.out
        told = json.loads((root / "told").read_text())
        assert told["event"] == "document.created"
        assert told["data"]["path"].startswith(".vault/research/")

    def test_one_that_is_not_trusted_is_told_and_not_run(self, root: Path, person: Person) -> None:
        declare(root, "triggers", "copy", event="document.created", command=COPY)
        result = person(*self.ADD)
        assert result.code == 0
        assert "trigger copy is untrusted and was not run; vaultspec-core spec triggers show copy" in result.err
        assert not (root / "told").exists()

    @pytest.mark.parametrize("how", ["no terminal", "json", "gateway", "dry run", "other event", "failed", "no change"])
    def test_nothing_runs(self, root: Path, person: Person, cli: Cli, how: str) -> None:
        event = "step.checked" if how == "other event" else "document.created"
        trusted(root, person, "copy", "config.synced" if how == "no change" else event, COPY)
        match how:
            case "no terminal":
                assert cli(*self.ADD).code == 0
            case "json":
                assert person(*self.ADD, "--json").code == 0
            case "gateway":
                assert person(*self.ADD, env={"VAULTSPEC_MCP_GATEWAY_INVOCATION": "1"}).code == 0
            case "dry run":
                assert person(*self.ADD, "--dry-run").code == 0
            case "failed":
                assert person("vault", "add", "research", "--feature", "?").code != 0
            case "no change":
                assert person("sync").code == 0
            case _:
                assert person(*self.ADD).code == 0
        assert not (root / "told").exists()

    def test_a_trigger_that_fails_does_not_fail_the_verb(self, root: Path, person: Person) -> None:
        trusted(root, person, "bad", "document.created", "exit 3")
        result = person(*self.ADD)
        assert (result.code, "\ntrigger bad: it ended with 3\n" in result.out) == (0, True)

    def test_a_sync_that_changed_something_is_an_event(self, root: Path, person: Person) -> None:
        trusted(root, person, "copy", "config.synced", COPY)
        (root / ".mcp.json").unlink()
        person("sync")
        assert json.loads((root / "told").read_text())["event"] == "config.synced"


@requirement("CLI-1")
class TestFiles:
    def test_add_writes_one_that_is_not_trusted(self, root: Path, cli: Cli) -> None:
        words = ("spec", "triggers", "add", "build", "--event", "document.edited", "--command", "make site")
        before = tree(root)
        assert "make site" in cli(*words, "--dry-run").out
        assert tree(root) == before
        assert cli(*words).code == 0
        path = root / ".vaultspec/triggers/build.json"
        assert path.read_text() == '{\n  "event": "document.edited",\n  "command": "make site"\n}\n'
        assert cli("spec", "triggers", "status", "--json").data["triggers"][0]["trust"] == "untrusted"
        assert cli(*words, "--json").json["status"] == "unchanged"
        assert cli(*words[:-1], "make other").err.startswith("error: .vaultspec/triggers/build.json exists already\n")
        assert cli(*words[:-1], "make other", "--force").code == 0

    @pytest.mark.parametrize("words", [["Bad Name"], ["../x"], ["x", "--event", "y"], ["x"]])
    def test_add_refuses_what_could_not_run(self, root: Path, cli: Cli, words: list[str]) -> None:
        more = [] if words == ["x"] else ["--command", "make"]
        before = tree(root)
        assert cli("spec", "triggers", "add", *words, *more).code != 0
        assert tree(root) == before

    def test_rename_ends_the_approval(self, root: Path, person: Person, cli: Cli) -> None:
        trusted(root, person, "old", "step.checked", "true")
        assert cli("spec", "triggers", "rename", "old", "new").code == 0
        rows = cli("spec", "triggers", "list", "--json").data["triggers"]
        assert [(one["name"], one["trust"]) for one in rows] == [("new", "untrusted")]
        declare(root, "triggers", "other", event="step.checked", command="true")
        assert cli("spec", "triggers", "rename", "new", "other", "--json").data["code"] == "name-taken"

    def test_a_file_of_the_earlier_format_is_told_and_not_run(self, root: Path, cli: Cli) -> None:
        path = root / ".vaultspec/triggers/old.yaml"
        path.parent.mkdir()
        path.write_text("event: config.synced\nenabled: true\nactions:\n- type: shell\n  command: touch never\n")
        told = cli("spec", "triggers", "list", "--json").data
        assert (told["triggers"], told["warnings"]) == (
            [],
            [".vaultspec/triggers/old.yaml is not read: a trigger is a .json file (docs/hooks.md)"],
        )
        assert cli("spec", "triggers", "run", "config.synced").out == "No trigger was run.\n"

    def test_remove_asks(self, root: Path, person: Person, cli: Cli) -> None:
        path = declare(root, "triggers", "one", event="step.checked", command="true")
        assert cli("spec", "triggers", "remove", "one").code == 1
        assert path.exists()
        assert person("spec", "triggers", "remove", "one").code == 0
        assert not path.exists()
        assert cli("spec", "triggers", "remove", "one", "--json").data["code"] == "unknown-trigger"

    @requirement("CLI-5")
    def test_an_editor_is_opened_only_at_a_terminal_and_an_edit_ends_the_approval(
        self, root: Path, person: Person, cli: Cli
    ) -> None:
        trusted(root, person, "one", "step.checked", "true")
        assert cli("spec", "triggers", "edit", "one").code == 2
        assert person("spec", "triggers", "edit", "one", "--editor", "true").out.endswith("one.json is as it was\n")
        result = person("spec", "triggers", "edit", "one", "--editor", "sed -i s/true/false/")
        assert result.out.startswith("Changed .vaultspec/triggers/one.json\n")
        assert cli("spec", "triggers", "show", "one", "--json").data["trust"] == "changed"

    @requirement("GTW-2")
    def test_the_old_names_warn_and_do_the_same(self, root: Path, cli: Cli) -> None:
        added = cli("spec", "hooks", "add", "one", "--event", "step.checked", "--command", "true")
        assert added.err.startswith("warning: `spec hooks add` is deprecated: use `spec triggers add`\n")
        ran = cli("spec", "hooks", "run", "step.checked")
        assert ran.err.startswith("warning: `spec hooks run` is deprecated: use `spec triggers run`\n")
        assert "trigger one is untrusted and was not run" in ran.err
        refused = cli("spec", "hooks", "run", "one")
        assert (refused.code, refused.err.splitlines()[:2]) == (
            1,
            [
                "warning: `spec hooks run` is deprecated: use `spec triggers run`",
                "error: .vaultspec/triggers/one.json was not run: it is untrusted",
            ],
        )
