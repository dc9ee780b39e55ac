"""Help from the table: whole, a group, one verb."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import Result
from tests.requirements import requirement

Cli = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("demo")

ECHO = """\
Give back what was understood.

Usage: vaultspec-core demo echo [OPTIONS] [FIRST] [REST...]

Operands:
  FIRST  The first word.
  REST   The others.

Options:
  -n, --name NAME   A name.
  --arg ARG ...     An argument. May be repeated.
  --mode MODE       How. One of tool, dependency, dev. Default: tool.
  --limit N         How many. Default: 20.
  --force           Even so.
  --[no-]hints      Next steps.
  -t, --target DIR  The workspace; else VAULTSPEC_TARGET_DIR, else the nearest
                    one from here.
  --json            Print one JSON document.
  -h, --help        Show this help.

Example:
  vaultspec-core demo echo one --name x
"""

GROUP_START = """\
Usage: vaultspec-core demo COMMAND ...

Commands:
  ask     Ask for a yes.
  echo    Give back what was understood.
"""


@requirement("CLI-2", "CLI-4")
def test_help_of_a_verb_has_usage_operands_options_and_an_example(cli: Cli) -> None:
    assert cli("demo", "echo", "--help") == Result(0, ECHO, "")


def test_help_of_a_group_lists_its_commands(cli: Cli) -> None:
    result = cli("demo", "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(GROUP_START)
    assert result.out.endswith("\n`vaultspec-core demo COMMAND --help` tells more about one.\n")


def test_help_of_the_whole_lists_commands_and_groups(cli: Cli) -> None:
    result = cli()
    assert (result.code, result.err) == (0, "")
    assert "\n  help " in result.out
    assert "\n  demo " in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    assert result == cli("--help") == cli("-h") == cli("help")


def test_help_of_a_deprecated_verb_says_what_to_use(cli: Cli) -> None:
    assert "\nDeprecated: use `demo echo`\n" in cli("help", "demo", "old").out


def test_help_for_an_unknown_word_is_wrong_usage(cli: Cli) -> None:
    refused = "error: unknown command `demo ecko`; did you mean `demo echo`?\nhint: vaultspec-core demo --help\n"
    assert cli("demo", "ecko", "--help") == Result(2, "", refused)


@requirement("SYN-8")
def test_help_is_a_document_with_json(cli: Cli) -> None:
    assert cli("demo", "echo", "--help", "--json").json == {
        "schema": "vaultspec.help.v1",
        "status": "ok",
        "data": {"text": ECHO},
    }
