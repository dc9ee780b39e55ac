"""Trusted hooks in a client's own file: rendered, refreshed, taken out; nothing foreign is ever touched."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conftest import ROOT, Result, Sandbox, tree
from tests.installer.declaring import Person, declare, person_of
from tests.requirements import requirement
from vaultspec_installer import hook

Cli = Callable[..., Result]
FOREIGN = (ROOT / "fixtures/hooks/foreign-group/before").read_bytes()
RENDERED = (ROOT / "fixtures/hooks/foreign-group/after").read_bytes()
LINT: dict[str, Any] = {"event": "after-tool", "command": "make lint", "matcher": "Edit|Write", "timeout": 30}


@pytest.fixture
def person(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Person:
    return person_of(sandbox, monkeypatch)


@pytest.fixture
def settings(sandbox: Sandbox, cli: Cli) -> Path:
    """The client's file, with a hook of the user's own."""
    assert cli("install", "claude", "--mode", "tool").code == 0
    path = sandbox.root / ".claude/settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(FOREIGN)
    return path


@pytest.fixture
def lint(settings: Path, sandbox: Sandbox, person: Person) -> Path:
    """A hook that is trusted."""
    path = declare(sandbox.root, "hooks", "lint", **LINT)
    assert person("spec", "hooks", "trust", "lint").code == 0
    return path


def owned(sandbox: Sandbox) -> Any:
    record = json.loads((sandbox.root / ".vaultspec/mcp-ownership.json").read_text())
    schema = json.loads((ROOT / "installer/src/vaultspec_installer/schemas/ownership.json").read_text())
    jsonschema.validate(record, schema)
    return record["targets"].get("claude:hooks", {}).get("managed", {})


def outcomes(result: Result) -> list[tuple[str, str]]:
    return [(one["name"], one["outcome"]) for one in result.data["items"]]


@requirement("CLI-1", "NAT-3", "NAT-5", "OWN-1")
class TestSync:
    def test_without_hooks_there_is_nothing_to_do(self, settings: Path, cli: Cli, sandbox: Sandbox) -> None:
        before = tree(sandbox.root)
        assert cli("spec", "hooks", "sync").out == "Nothing to render.\n"
        assert tree(sandbox.root) == before

    def test_what_is_not_trusted_is_not_rendered(self, settings: Path, cli: Cli, sandbox: Sandbox) -> None:
        declare(sandbox.root, "hooks", "lint", **LINT)
        result = cli("spec", "hooks", "sync")
        assert result.code == 0
        assert result.err.startswith("warning: .vaultspec/hooks/lint.json is untrusted and is not rendered\n")
        assert settings.read_bytes() == FOREIGN

    def test_a_trusted_hook_is_rendered_beside_foreign_ones(
        self, settings: Path, lint: Path, cli: Cli, sandbox: Sandbox
    ) -> None:
        result = cli("spec", "hooks", "sync")
        assert result.out == "added hook lint in .claude/settings.json: it is trusted and was missing\n"
        assert settings.read_bytes() == RENDERED
        assert list(owned(sandbox)) == ["lint"]

    def test_a_second_sync_writes_nothing(self, settings: Path, lint: Path, cli: Cli, sandbox: Sandbox) -> None:
        cli("spec", "hooks", "sync")
        before = tree(sandbox.root)
        assert cli("spec", "hooks", "sync").code == cli("sync").code == 0
        assert tree(sandbox.root) == before
        assert cli("spec", "hooks", "status", "--json").data["aggregate"] == "ok"

    def test_a_dry_run_shows_and_writes_nothing(self, settings: Path, lint: Path, cli: Cli, sandbox: Sandbox) -> None:
        before = tree(sandbox.root)
        result = cli("spec", "hooks", "sync", "--dry-run", "--diff", "--json")
        assert outcomes(result) == [("lint", "added")]
        assert '+            "command": "make lint",\n' in result.data["diff"]
        assert result.json["status"] == "unchanged"
        assert tree(sandbox.root) == before

    @pytest.mark.parametrize("why", ["gone", "changed", "revoked", "invalid"])
    def test_a_hook_that_is_trusted_no_more_goes_and_every_other_byte_stays(
        self, settings: Path, lint: Path, cli: Cli, sandbox: Sandbox, why: str
    ) -> None:
        cli("spec", "hooks", "sync")
        match why:
            case "gone":
                lint.unlink()
            case "changed":
                lint.write_bytes(lint.read_bytes().replace(b"make", b"rm -rf"))
            case "invalid":
                lint.write_bytes(b"{")
            case _:
                cli("spec", "hooks", "trust", "--revoke")
        assert cli("spec", "hooks", "status").code == 1
        assert outcomes(cli("spec", "hooks", "sync", "--json")) == [("lint", "removed")]
        assert settings.read_bytes() == FOREIGN
        assert owned(sandbox) == {}

    def test_one_that_was_changed_and_trusted_again_is_refreshed(
        self, settings: Path, lint: Path, cli: Cli, person: Person, sandbox: Sandbox
    ) -> None:
        cli("spec", "hooks", "sync")
        declare(sandbox.root, "hooks", "lint", **{**LINT, "command": ["make", "a b"]})
        person("spec", "hooks", "trust", "lint")
        result = cli("spec", "hooks", "sync", "--json")
        assert outcomes(result) == [("lint", "updated")]
        assert [result.data["items"][0][way]["group"]["hooks"][0]["command"] for way in ("from", "to")] == [
            "make lint",
            "make 'a b'",
        ]
        assert settings.read_bytes() == RENDERED.replace(b"make lint", b"make 'a b'")

    def test_what_was_edited_by_hand_is_neither_refreshed_nor_removed(
        self, settings: Path, lint: Path, cli: Cli
    ) -> None:
        cli("spec", "hooks", "sync")
        edited = settings.read_bytes().replace(b'"timeout": 30', b'"timeout": 31')
        settings.write_bytes(edited)
        result = cli("spec", "hooks", "sync", "--json")
        assert (result.code, outcomes(result)) == (0, [("lint", "skipped")])
        assert cli("spec", "hooks", "status").code == 1
        cli("spec", "hooks", "trust", "--revoke")
        assert outcomes(cli("spec", "hooks", "sync", "--json")) == [("lint", "skipped")]
        assert settings.read_bytes() == edited

    @requirement("OWN-4")
    def test_a_fresh_clone_adopts_what_stands_there(
        self, settings: Path, lint: Path, cli: Cli, sandbox: Sandbox
    ) -> None:
        settings.write_bytes(RENDERED)
        assert outcomes(cli("spec", "hooks", "sync", "--json")) == [("lint", "adopted")]
        assert settings.read_bytes() == RENDERED
        assert list(owned(sandbox)) == ["lint"]

    @requirement("OWN-3")
    def test_a_foreign_hook_with_the_same_command_is_not_ours(self, settings: Path, lint: Path, cli: Cli) -> None:
        theirs = RENDERED.replace(b'"timeout": 30', b'"timeout": 31')
        settings.write_bytes(theirs)
        assert outcomes(cli("spec", "hooks", "sync", "--json")) == [("lint", "skipped")]
        assert settings.read_bytes() == theirs

    @requirement("NAT-6")
    def test_a_host_file_that_cannot_be_read_fails_with_its_place(self, settings: Path, lint: Path, cli: Cli) -> None:
        settings.write_bytes(b'{\n"hooks": []}')
        result = cli("spec", "hooks", "sync")
        assert result.code == 1
        assert ".claude/settings.json:2: `hooks` must be an object, not an array\n" in result.err
        assert settings.read_bytes() == b'{\n"hooks": []}'

    def test_a_hook_that_stood_alone_takes_its_file_along(
        self, settings: Path, lint: Path, cli: Cli, sandbox: Sandbox
    ) -> None:
        settings.unlink()
        cli("sync")
        assert settings.exists()
        lint.unlink()
        assert cli("sync").code == 0
        assert not settings.parent.exists()


@requirement("OWN-2")
def test_a_stop_after_the_write_is_settled_by_the_next_sync(
    settings: Path, lint: Path, cli: Cli, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    saves: list[None] = []
    save = hook._save

    def stop(*args: Any) -> None:
        saves.append(None)
        if len(saves) > 1:
            raise KeyboardInterrupt
        save(*args)

    with monkeypatch.context() as patched:
        patched.setattr(hook, "_save", stop)
        assert cli("spec", "hooks", "sync").code == 130
    assert (settings.read_bytes(), owned(sandbox)) == (RENDERED, {})
    lint_again = cli("spec", "hooks", "sync", "--json")
    assert outcomes(lint_again) == [("lint", "adopted")]
    assert list(owned(sandbox)) == ["lint"]
    lint.unlink()
    cli("spec", "hooks", "sync")
    assert settings.read_bytes() == FOREIGN


@requirement("CLI-1", "INS-1")
class TestTheProduct:
    def test_sync_brings_hooks_along_and_checks_them(self, settings: Path, lint: Path, cli: Cli) -> None:
        assert cli("sync", "--check").code == 1
        assert cli("sync", "--skip", "hooks", "--check").code == 0
        result = cli("sync", "--json")
        assert (result.json["status"], [one["outcome"] for one in result.data["hooks"]]) == ("updated", ["added"])
        assert settings.read_bytes() == RENDERED
        assert cli("sync", "--check").code == 0

    def test_sync_does_the_rest_when_approvals_cannot_be_read(
        self, settings: Path, lint: Path, cli: Cli, sandbox: Sandbox
    ) -> None:
        (sandbox.home / "state/vaultspec/trust.json").write_text("?")
        (sandbox.root / ".mcp.json").unlink()
        assert cli("sync").code == 1
        assert (sandbox.root / ".mcp.json").exists()
        assert settings.read_bytes() == FOREIGN

    @pytest.mark.parametrize("words", [["uninstall", "--force"], ["uninstall", "claude", "--force"]])
    def test_uninstall_takes_hooks_out(self, settings: Path, lint: Path, cli: Cli, words: list[str]) -> None:
        cli("sync")
        before = settings.read_bytes()
        assert [one["outcome"] for one in cli(*words, "--dry-run", "--json").data["hooks"]] == ["removed"]
        assert settings.read_bytes() == before
        assert cli(*words).code == 0
        assert settings.read_bytes() == FOREIGN
        assert lint.exists()

    def test_install_without_hooks_keeps_them_out(self, settings: Path, lint: Path, cli: Cli) -> None:
        assert cli("install", "--skip", "hooks").code == 0
        assert cli("sync").code == 0
        assert settings.read_bytes() == FOREIGN
