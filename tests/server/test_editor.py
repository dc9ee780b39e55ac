"""The editor is opened only where a person is, and it is the one that the person chose (CLI-5)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox
from tests.requirements import requirement
from vaultspec_core.commands.documents import edit_document
from vaultspec_core.commands.editor import editor_command
from vaultspec_core.report import Refusal
from vaultspec_core.verb import Call
from vaultspec_core.verbs.vault import VERBS

EDIT = next(verb for verb in VERBS if verb.name == "vault edit")
NONE: dict[str, Any] = {
    "ref": "2026-07-01-x-research",
    "body_file": None,
    "body_stdin": False,
    "date": None,
    "tags": [],
    "related": [],
    "expected_blob_hash": None,
    "editor": None,
    "dry_run": False,
}


@requirement("CLI-5")
def test_the_editor_is_chosen_in_the_documented_order(sandbox: Sandbox) -> None:
    variables = {"VAULTSPEC_EDITOR": "a", "VISUAL": "b -w", "EDITOR": "c"}
    config = sandbox.root / ".vaultspec/config.toml"
    config.parent.mkdir()
    config.write_text('editor = "d --wait"\n')
    assert editor_command("e x", sandbox.root, variables) == ["e", "x"]
    assert editor_command(None, sandbox.root, variables) == ["d", "--wait"]
    config.unlink()
    assert editor_command(None, sandbox.root, variables) == ["a"]
    assert editor_command(None, sandbox.root, variables | {"VAULTSPEC_EDITOR": ""}) == ["b", "-w"]
    assert editor_command(None, sandbox.root, {"EDITOR": "c"}) == ["c"]
    assert editor_command(None, sandbox.root, {}) == ["vi"]


@pytest.fixture
def document(sandbox: Sandbox, cli: Callable[..., Any]) -> Path:
    assert cli("install", "core", "--mode", "tool").code == 0
    assert cli("vault", "add", "research", "--feature", "x", "--date", "2026-07-01").code == 0
    return sandbox.root / ".vault/research/2026-07-01-x-research.md"


def call(sandbox: Sandbox, editor: str, *, terminal: bool = True, **environ: str) -> Call:
    return Call(EDIT, NONE | {"editor": editor}, sandbox.root, sandbox.environ | environ, terminal)


def script(sandbox: Sandbox, line: str) -> str:
    path = sandbox.home / "editor.py"
    path.write_text(f"import sys, pathlib\npath = pathlib.Path(sys.argv[1])\n{line}\n")
    return f"{sys.executable} {path}"


@requirement("CLI-5", "EDT-1")
def test_what_the_person_leaves_in_the_editor_becomes_the_body(sandbox: Sandbox, document: Path) -> None:
    before = document.read_text()
    report = edit_document(call(sandbox, script(sandbox, "path.write_text(path.read_text() + '\\nmine\\n')")))
    assert report.status == "updated"
    after = document.read_text()
    assert after.endswith("\n\nmine\n")
    assert after.startswith(before[: before.index("modified")])


@requirement("CLI-5", "EDT-3")
def test_a_document_that_changed_while_the_editor_was_open_is_a_conflict(sandbox: Sandbox, document: Path) -> None:
    line = f"other = pathlib.Path({str(document)!r}); other.write_text(other.read_text() + 'theirs'); path.write_text('mine')"
    with pytest.raises(Refusal, match="document changed on disk"):
        edit_document(call(sandbox, script(sandbox, line)))
    assert document.read_text().endswith("theirs")


@requirement("CLI-5")
def test_an_editor_that_fails_or_is_not_there_changes_nothing(sandbox: Sandbox, document: Path) -> None:
    before = document.read_bytes()
    with pytest.raises(Refusal, match="ended with 3"):
        edit_document(call(sandbox, script(sandbox, "sys.exit(3)")))
    with pytest.raises(Refusal, match="cannot be started"):
        edit_document(call(sandbox, "/nonexistent/editor"))
    assert document.read_bytes() == before


@requirement("CLI-5", "GTW-3")
@pytest.mark.parametrize(("terminal", "environ"), [(False, {}), (True, {"VAULTSPEC_MCP_GATEWAY_INVOCATION": "1"})])
def test_no_editor_is_opened_where_no_person_is(
    sandbox: Sandbox, document: Path, terminal: bool, environ: dict[str, str]
) -> None:
    with pytest.raises(Refusal, match="only at a terminal"):
        edit_document(call(sandbox, script(sandbox, "path.write_text('x')"), terminal=terminal, **environ))
