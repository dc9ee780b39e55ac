"""Typed values into words of a command line, and what is refused before anything starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.mcp_server.gateway_arguments import argument_words, operand_words
from vaultspec_core.mcp_server.gateway_catalogue import Entry, FlagEntry, OperandEntry
from vaultspec_core.report import Refusal


def flag(name: str, *, value: bool = True, **more: bool) -> FlagEntry:
    marks = {"repeatable": False, "negatable": False, "number": False, "path": False, **more}
    return FlagEntry(name, value, "A flag.", **marks)


def operand(name: str, *, variadic: bool = False, path: bool = False) -> OperandEntry:
    return OperandEntry(name, False, variadic, "An operand.", path)


FLAGS = (
    flag("--body-file", path=True),
    flag("--body-stdin", value=False),
    flag("--editor"),
    flag("--fix", value=False),
    flag("--hints", value=False, negatable=True),
    flag("--limit", number=True),
    flag("--tags", repeatable=True),
    flag("--title"),
)


def verb(*operands: OperandEntry) -> Entry:
    return Entry("demo verb", "A verb.", True, None, None, FLAGS, operands)


def message(refused: pytest.ExceptionInfo[Refusal]) -> str:
    assert refused.value.code == "invalid-argument"
    return refused.value.message


@requirement("GTW-1", "GTW-4")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, []),
        ({"title": None, "fix": None, "tags": None, "limit": None}, []),
        ({"fix": False}, []),
        ({"tags": []}, []),
        ({"fix": True}, ["--fix"]),
        ({"hints": True}, ["--hints"]),
        ({"hints": False}, ["--no-hints"]),
        ({"title": "Two words"}, ["--title", "Two words"]),
        ({"title": ""}, ["--title", ""]),
        ({"title": "false"}, ["--title", "false"]),
        ({"title": "null"}, ["--title", "null"]),
        ({"title": "--fix"}, ["--title=--fix"]),
        ({"title": "-"}, ["--title=-"]),
        ({"title": 7}, ["--title", "7"]),
        ({"title": 7.0}, ["--title", "7"]),
        ({"title": 1.5}, ["--title", "1.5"]),
        ({"limit": 3}, ["--limit", "3"]),
        ({"limit": 3.0}, ["--limit", "3"]),
        ({"limit": -3}, ["--limit=-3"]),
        ({"limit": "3"}, ["--limit", "3"]),
        ({"tags": "one"}, ["--tags", "one"]),
        ({"tags": ["one", 2]}, ["--tags", "one", "--tags", "2"]),
        ({"--body-file": "notes.md", "fix": True}, ["--body-file", "notes.md", "--fix"]),
        ({"body_file": "docs/../notes.md"}, ["--body-file", "docs/../notes.md"]),
    ],
)
def test_values_become_words(tmp_path: Path, arguments: dict[str, Any], words: list[str]) -> None:
    assert argument_words(verb(), arguments, tmp_path) == words


@requirement("GTW-1", "GTW-3", "GTW-4")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"target": "/"}, "`target` is `--target`, which the server sets itself"),
        ({"--json": True}, "`--json` is `--json`, which the server sets itself"),
        ({"help": None}, "`help` is `--help`, which the server sets itself"),
        (
            {"editor": "vi"},
            "`--editor` does not pass the gateway: it names a program to start, and no terminal is attached",
        ),
        (
            {"editor": None},
            "`--editor` does not pass the gateway: it names a program to start, and no terminal is attached",
        ),
        ({"body_stdin": True}, "`--body-stdin` does not pass the gateway: a tool call has no standard input"),
        ({"titel": "x"}, "`demo verb` has no option `--titel` (did you mean `--title`?)"),
        ({"z": "x"}, "`demo verb` has no option `--z`"),
        ({"": "x"}, "`demo verb` has no option `--`"),
        ({"title=x": "y"}, "`demo verb` has no option `--title=x` (did you mean `--title`?)"),
        ({"no-hints": True}, "`demo verb` has no option `--no-hints` (did you mean `--hints`?)"),
        ({"fix": "false"}, '`--fix` is a switch: true or false, not "false"'),
        ({"fix": 0}, "`--fix` is a switch: true or false, not 0"),
        ({"fix": [True]}, "`--fix` is a switch: true or false, not a list of 1"),
        ({"title": True}, "`--title` takes text or a number, not true"),
        ({"title": {"a": 1}}, "`--title` takes text or a number, not an object"),
        ({"title": ["a"]}, "`--title` takes one value, not a list of 1"),
        ({"title": []}, "`--title` takes one value, not an empty list"),
        ({"tags": [None]}, "`--tags` takes text or a number, not null"),
        ({"tags": [["a"]]}, "`--tags` takes text or a number, not a list of 1"),
        ({"tags": [False]}, "`--tags` takes text or a number, not false"),
        ({"limit": 1.5}, "`--limit` takes a whole number, not 1.5"),
        ({"limit": True}, "`--limit` takes a whole number, not true"),
        ({"title": "a", "--title": "b"}, "`--title` is given twice"),
        ({"title": "a\0b"}, "`--title` holds a NUL character"),
        ({"title": "a\ud800"}, "`--title` is not Unicode text: character 1 is half of a surrogate pair"),
        ({"title": "x" * 100_001}, "`--title` holds 100001 bytes; at most 100000 fit on a command line"),
    ],
)
def test_what_the_verb_did_not_declare_is_refused(tmp_path: Path, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(Refusal) as refused:
        argument_words(verb(), arguments, tmp_path)
    assert message(refused) == said


@requirement("GTW-4")
@pytest.mark.parametrize(
    "text", ["/etc/passwd", "../x", "a/../../x", "@/etc/passwd", "@../x", "link/x", "link", "-", "@-"]
)
def test_a_path_that_leaves_the_workspace_is_refused(tmp_path: Path, text: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    said = (
        "reads standard input, which a tool call does not have"
        if text.endswith("-")
        else f"leads out of the workspace: `{text}`"
    )
    with pytest.raises(Refusal) as refused:
        argument_words(verb(), {"body_file": text}, root)
    assert message(refused) == f"`--body-file` {said}"
    if not text.startswith("-"):
        with pytest.raises(Refusal) as refused:
            operand_words(verb(operand("ref", path=True)), [text], root)
        assert message(refused) == f"operand REF {said}"


@requirement("GTW-4")
@pytest.mark.parametrize(
    "text", ["x", "a/b.md", "[[stem]]", "@notes.json", "{root}/a", "{root}", "", "a b", "inner/x", "x" * 300]
)
def test_a_path_inside_the_workspace_passes(tmp_path: Path, text: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "inner").symlink_to(tmp_path / "real")
    text = text.replace("{root}", str(tmp_path))
    assert argument_words(verb(), {"body_file": text}, tmp_path) == ["--body-file", text]
    assert operand_words(verb(operand("ref", path=True)), [text], tmp_path) == [text]


@requirement("GTW-1")
def test_operands_are_counted(tmp_path: Path) -> None:
    one, many = operand("one"), operand("many", variadic=True)
    assert operand_words(verb(), [], tmp_path) == []
    assert operand_words(verb(one), [], tmp_path) == []
    assert operand_words(verb(one), ["/prose"], tmp_path) == ["/prose"]
    assert operand_words(verb(one, many), ["a", "b", "c"], tmp_path) == ["a", "b", "c"]
    for operands, words, said in (
        ((), ["a"], "`demo verb` takes no operands, got 1"),
        ((one,), ["a", "b"], "`demo verb` takes at most 1 operand, got 2"),
        ((one, one), ["a", "b", "c"], "`demo verb` takes at most 2 operands, got 3"),
        ((many,), ["a", "--fix"], "operand `--fix` begins with `-`"),
        ((many,), ["-"], "operand `-` begins with `-`"),
        ((), ["--help"], "operand `--help` begins with `-`"),
        ((many,), ["a\0"], "operand MANY holds a NUL character"),
    ):
        with pytest.raises(Refusal) as refused:
            operand_words(verb(*operands), words, tmp_path)
        assert message(refused) == said


@requirement("GTW-4")
def test_each_of_several_operands_is_confined(tmp_path: Path) -> None:
    entry = verb(operand("title"), operand("refs", variadic=True, path=True))
    assert operand_words(entry, ["/prose", "a", "b"], tmp_path) == ["/prose", "a", "b"]
    with pytest.raises(Refusal) as refused:
        operand_words(entry, ["/prose", "a", "/b"], tmp_path)
    assert message(refused) == "operand REFS leads out of the workspace: `/b`"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from([flag.name for flag in FLAGS]) | st.text(max_size=8)


@requirement("GTW-4")
@settings(max_examples=100, deadline=None)
@given(arguments=st.dictionaries(KEYS, JSON, max_size=3), positionals=st.lists(st.text(), max_size=3))
def test_whatever_is_said_gives_words_or_a_refusal(arguments: dict[str, Any], positionals: list[str]) -> None:
    entry, root = verb(operand("refs", variadic=True, path=True)), Path("/nowhere/at/all")
    names = {flag.name for flag in FLAGS} | {"--no-hints"}
    try:
        assert operand_words(entry, positionals, root) == positionals
        words = argument_words(entry, arguments, root)
    except Refusal:
        return
    values = [one for value in arguments.values() for one in (value if isinstance(value, list) else [value])]
    texts = {str(one) for one in values if isinstance(one, str | int | float) and not isinstance(one, bool)}
    texts |= {str(int(one)) for one in values if isinstance(one, float) and one.is_integer()}
    assert [word for word in words if word not in texts and word.partition("=")[0] not in names] == []
