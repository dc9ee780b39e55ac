"""`config ...`: one setting is written and nothing else of the file moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.requirements import requirement
from vaultspec_core.commands.editor import editor_command

Cli = Callable[..., Any]
COMMENTED = "# mine\n[other]\nkey = 1 # one\n"


@pytest.fixture
def path(sandbox: Sandbox) -> Path:
    (sandbox.root / ".vaultspec").mkdir()
    return sandbox.root / ".vaultspec/config.toml"


def test_without_a_file_nothing_is_set(path: Path, cli: Cli) -> None:
    assert cli("config", "list", "--json").data == {"settings": {"editor": None}}
    result = cli("config", "get", "editor", "--json")
    assert (result.code, result.data) == (1, {"key": "editor", "value": None})
    assert not path.exists()


def test_what_is_so_already_is_not_written_again(path: Path, sandbox: Sandbox, cli: Cli) -> None:
    path.write_text('editor   =   "vim"  # fast\n', encoding="utf-8")
    before = tree(sandbox.root)
    assert cli("config", "set", "editor", "vim").out == "editor is so already\n"
    assert tree(sandbox.root) == before


def test_unsetting_what_is_not_set_changes_nothing(path: Path, sandbox: Sandbox, cli: Cli) -> None:
    path.write_text(COMMENTED, encoding="utf-8")
    before = tree(sandbox.root)
    result = cli("config", "unset", "editor", "--json")
    assert (result.code, result.json["status"]) == (0, "unchanged")
    assert tree(sandbox.root) == before


def test_a_dry_run_shows_the_diff_and_writes_nothing(path: Path, cli: Cli) -> None:
    result = cli("config", "set", "editor", "vim", "--dry-run", "--diff", "--json")
    assert result.data == {
        "key": "editor",
        "value": "vim",
        "dry_run": True,
        "diff": '--- /dev/null\n+++ b/.vaultspec/config.toml\n@@ -0,0 +1 @@\n+editor = "vim"\n',
    }
    assert not path.exists()


@requirement("CLI-5")
def test_what_is_set_is_what_editing_verbs_open(path: Path, sandbox: Sandbox, cli: Cli) -> None:
    assert cli("config", "set", "editor", "code --wait").out == "editor set to code --wait\n"
    assert path.read_text(encoding="utf-8") == 'editor = "code --wait"\n'
    assert cli("config", "get", "editor").out == "code --wait\n"
    assert editor_command(None, sandbox.root, {"VISUAL": "emacs"}) == ["code", "--wait"]


def test_comments_and_other_tables_stay(path: Path, cli: Cli) -> None:
    path.write_text(COMMENTED, encoding="utf-8")
    assert cli("config", "set", "editor", "vim").code == 0
    assert path.read_text(encoding="utf-8") == '# mine\neditor = "vim"\n\n[other]\nkey = 1 # one\n'
    assert cli("config", "unset", "editor").code == 0
    assert path.read_text(encoding="utf-8") == "# mine\n\n[other]\nkey = 1 # one\n"


def test_the_file_goes_with_the_last_setting(path: Path, cli: Cli) -> None:
    path.write_text('editor = "vim"\n', encoding="utf-8")
    assert cli("config", "unset", "editor").out == "editor unset\n"
    assert not path.exists()


@pytest.mark.parametrize("value", ["", "  ", "a\nb"])
def test_a_value_that_cannot_be_one_is_wrong_usage(value: str, path: Path, cli: Cli) -> None:
    assert cli("config", "set", "editor", value).code == 2
    assert not path.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"editor = [", "is not valid TOML"),
        (b"\xff", "is not valid TOML"),
        (b"editor = 1\n", "`editor` is no string"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_and_kept(text: bytes, said: str, path: Path, cli: Cli) -> None:
    path.write_bytes(text)
    result = cli("config", "get", "editor", "--json")
    assert (result.code, result.data["code"]) == (1, "bad-config")
    assert said in result.data["message"]
    assert path.read_bytes() == text
