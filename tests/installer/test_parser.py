"""Words into options, by the table: what is understood, and how what is not is explained."""

from __future__ import annotations

from typing import Any

import pytest

from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_installer.parser import understand

pytestmark = pytest.mark.usefixtures("demo")

DEFAULTS: dict[str, Any] = {
    "name": None, "arg": [], "mode": "tool", "limit": 20, "force": False, "hints": None,
    "target": None, "json": False, "first": None, "rest": [],
}  # fmt: skip

UNDERSTOOD: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("one", {"first": "one"}),
    ("one two three", {"first": "one", "rest": ["two", "three"]}),
    ("-", {"first": "-"}),
    ("--name x", {"name": "x"}),
    ("--name=x", {"name": "x"}),
    ("--name=", {"name": ""}),
    ("--name=a=b", {"name": "a=b"}),
    ("-n x", {"name": "x"}),
    ("-nx", {"name": "x"}),
    ("-n=x", {"name": "x"}),
    ("--name -1", {"name": "-1"}),
    ("--name --else", {"name": "--else"}),
    ("--name=--json", {"name": "--json"}),
    ("--name x --name y", {"name": "y"}),
    ("--arg -m --arg pkg.server", {"arg": ["-m", "pkg.server"]}),
    ("--arg --port=1", {"arg": ["--port=1"]}),
    ("--limit 5", {"limit": 5}),
    ("--limit -5", {"limit": -5}),
    ("--mode dev", {"mode": "dev"}),
    ("--force", {"force": True}),
    ("--hints", {"hints": True}),
    ("--no-hints", {"hints": False}),
    ("--json", {"json": True}),
    ("--target d", {"target": "d"}),
    ("-t d", {"target": "d"}),
    ("one --force two --name x three", {"first": "one", "force": True, "rest": ["two", "three"], "name": "x"}),
    ("-- --json", {"first": "--json"}),
    ("--name x -- -- --force", {"name": "x", "first": "--", "rest": ["--force"]}),
]

EXPLAINED: list[tuple[str, str, str]] = [
    ("", "no command given", ""),
    ("-t d", "no command given", ""),
    ("xyzzy", "unknown command `xyzzy`", ""),
    ("demo", "`demo` needs one of: ask, echo, fault, here, long, needs, old, refuse, show, slow, text, wait", "demo"),
    ("demo ecko", "unknown command `demo ecko`; did you mean `demo echo`?", "demo"),
    ("dmeo echo", "unknown command `dmeo`; did you mean `demo`?", ""),
    ("echo one", "unknown command `echo`; did you mean `demo echo`?", ""),
    ("--nmae x demo echo", "`vaultspec-core` has no option `--nmae`; an option of a command stands after it", ""),
    ("--jsn demo echo", "`vaultspec-core` has no option `--jsn`; did you mean `--json`?", ""),
    ("demo echo --nmae x", "`demo echo` has no option `--nmae`; did you mean `--name`?", "demo echo"),
    ("demo echo -x", "`demo echo` has no option `-x`", "demo echo"),
    ("demo echo --no-force", "`demo echo` has no option `--no-force`; did you mean `--force`?", "demo echo"),
    ("demo echo --force=yes", "`--force` takes no value", "demo echo"),
    ("demo echo --name", "`--name` needs a value: NAME", "demo echo"),
    ("demo echo --name -- x", "`--name` needs a value: NAME; if `--` is meant, write `--name=--`", "demo echo"),
    (
        "demo echo --name --json",
        "`--name` needs a value: NAME; if `--json` is meant, write `--name=--json`",
        "demo echo",
    ),
    (
        "demo echo --mode tol",
        "`--mode` is one of tool, dependency, dev, not `tol`; did you mean `tool`?",
        "demo echo",
    ),
    ("demo echo --limit many", "`--limit` takes a whole number, not `many`", "demo echo"),
    ("demo needs", "`demo needs` needs COLOUR: What to paint.", "demo needs"),
    ("demo needs blue", "COLOUR is one of red, green, not `blue`", "demo needs"),
    ("demo needs gren", "COLOUR is one of red, green, not `gren`; did you mean `green`?", "demo needs"),
    ("demo needs red green", "`demo needs` takes no further word: `green`", "demo needs"),
    ("demo text --json", "`demo text` has no option `--json`", "demo text"),
    ("--json demo text", "`demo text` has no option `--json`", "demo text"),
]


@requirement("CLI-2")
@pytest.mark.parametrize(("words", "options"), UNDERSTOOD)
def test_words_become_the_options_that_the_table_declares(words: str, options: dict[str, Any]) -> None:
    verb, understood = understand(["demo", "echo", *words.split()])
    assert verb.name == "demo echo"
    assert understood == {**DEFAULTS, **options}


@pytest.mark.parametrize("before", ["--target d --json", "-t d --json", "--target=d --json", "-td --json"])
def test_root_options_may_stand_before_the_verb(before: str) -> None:
    _, understood = understand([*before.split(), "demo", "echo", "one"])
    assert understood == {**DEFAULTS, "target": "d", "json": True, "first": "one"}


def test_a_root_option_after_the_verb_wins_over_one_before_it() -> None:
    _, understood = understand(["-t", "d", "demo", "echo", "-t", "e"])
    assert understood["target"] == "e"


@requirement("CLI-4")
@pytest.mark.parametrize(("words", "message", "verb"), EXPLAINED)
def test_wrong_words_are_explained_with_what_was_probably_meant(words: str, message: str, verb: str) -> None:
    with pytest.raises(Refusal) as caught:
        understand(words.split() or ["--json"])
    refusal = caught.value
    assert (refusal.code, refusal.exit_code) == ("usage", 2)
    assert refusal.message == message
    assert refusal.hint == " ".join(["vaultspec-core", *verb.split(), "--help"])


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("", []),
        ("--help", []),
        ("-h", []),
        ("demo --help", ["demo"]),
        ("--help demo", ["demo"]),
        ("demo echo --help", ["demo", "echo"]),
        ("demo echo one --bogus -h", ["demo", "echo"]),
    ],
)
def test_help_may_be_asked_for_anywhere(words: str, command: list[str]) -> None:
    verb, options = understand(words.split())
    assert (verb.name, options["command"]) == ("help", command)


def test_no_help_after_the_end_of_the_options() -> None:
    verb, options = understand(["demo", "echo", "--", "--help"])
    assert (verb.name, options["first"]) == ("demo echo", "--help")
