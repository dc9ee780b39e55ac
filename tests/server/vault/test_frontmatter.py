"""Reading frontmatter: the closed grammar, everything else, and what is no frontmatter at all."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.requirements import requirement
from vaultspec_core.vault.frontmatter import Problem, read_fields, split

FIELDS: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("# only a comment\n\n", {}),
    ("key: value\n", {"key": "value"}),
    ("key: 'it''s'\n", {"key": "it's"}),
    ('key: "a # b"\n', {"key": "a # b"}),
    ('key: "tab\\tand \\u00e9"\n', {"key": "tab\tand é"}),
    ("key: two words # a comment\n", {"key": "two words"}),
    ("key: 'x' # a comment\n", {"key": "x"}),
    ("key:\n", {"key": None}),
    ("key: # a comment\n", {"key": None}),
    ("key: ~\nother: null\n", {"key": None, "other": None}),
    ("key: true\nother: No\n", {"key": True, "other": False}),
    ("key: 'true'\n", {"key": "true"}),
    ("date: 2026-07-01\n", {"date": "2026-07-01"}),
    ("date: 2026-07-01T10:00:00Z\n", {"date": "2026-07-01T10:00:00Z"}),
    ("n: 12\nf: 1.50\nx: 0x10\nt: 1:20\n", {"n": "12", "f": "1.50", "x": "0x10", "t": "1:20"}),
    ("tags: ['#adr', \"#auth\", plain]\n", {"tags": ["#adr", "#auth", "plain"]}),
    ("related: []\n", {"related": []}),
    ("related: [ ] # none yet\n", {"related": []}),
    ("tags: [a,\n  b]\n", {"tags": ["a", "b"]}),
    ("tags:\n  - '#adr'\n  - '#auth'\n", {"tags": ["#adr", "#auth"]}),
    ("tags: # which\n- a\n# between\n- b # why\n", {"tags": ["a", "b"]}),
    ("tags:\n    - a\n\n    - b\nnext: c\n", {"tags": ["a", "b"], "next": "c"}),
    ("tags:\n  - #adr\n", {"tags": [None]}),
    ("tags:\n  - a: b\n  - [c]\n", {"tags": [{"a": "b"}, ["c"]]}),
    ("desc: |\n  text\n  --- not a fence\nkey: v\n", {"desc": "text\n--- not a fence\n", "key": "v"}),
    ("desc: >-\n  one\n  two\n", {"desc": "one two"}),
    ("desc: one\n  two\n", {"desc": "one two"}),
    ("deep:\n  inner:\n    - 1\n", {"deep": {"inner": ["1"]}}),
    ("'quoted key': v\n", {"quoted key": "v"}),
    ("url: http://example.org/#x\n", {"url": "http://example.org/#x"}),
    ("a: b\nc: d\n", {"a": "b", "c": "d"}),
    ("key: ünïcode 🎉\n", {"key": "ünïcode 🎉"}),
]


@pytest.mark.parametrize(("block", "fields"), FIELDS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_block_is_read_as_yaml_with_every_scalar_as_text(block: str, fields: dict[str, Any], newline: str) -> None:
    assert read_fields(block.replace("\n", newline)) == (fields, [])


BROKEN: list[tuple[str, dict[str, Any], str, int | None]] = [
    ('a: b\nnote: "open\nc: d\n', {"a": "b", "c": "d"}, "", 4),
    ("a: b\n\tc: d\n", {"a": "b"}, "", 2),
    ("a: b: c\nd: e\n", {"d": "e"}, "", 1),
    ("- a\n- b\n", {}, "it is no list of `key: value` fields", 1),
    ("just words\n", {}, "it is no list of `key: value` fields", 1),
    ("a: &x [1]\nb: *x\n", {}, "YAML aliases are not supported", 2),
    ("a: &x {k: *x}\nb: c\n", {"b": "c"}, "YAML aliases are not supported", 1),
    ("? [a]\n: b\nc: d\n", {"c": "d"}, "a key is not text", 1),
    ("a: " + "[" * 200 + "]" * 200 + "\nb: c\n", {"b": "c"}, "it is nested deeper than 16 levels", 1),
    ("a: " + "[" * 5000 + "\nb: c\n", {"b": "c"}, "", None),
    ("a: \x07\nb: c\n", {"b": "c"}, "", None),
    ("a: !!python/object:os.system x\nb: c\n", {}, "", None),
    ("a: b\n...\n---\nc: d\n", {"a": "b", "c": "d"}, "it holds more than one YAML document", 3),
    ("long: |\n" + "  x\n" * 20_000 + "a: b\n", {"a": "b"}, "it is longer than 65536 characters", None),
]


@requirement("SRV-7")
@pytest.mark.parametrize(("block", "fields", "reason", "line"), BROKEN)
def test_what_is_no_yaml_is_a_problem_and_keeps_the_lines_that_are_clear(
    block: str, fields: dict[str, Any], reason: str, line: int | None
) -> None:
    found, problems = read_fields(block)
    assert {key: found.get(key) for key in fields} == fields
    if "!!python" in block:
        assert found["a"] == "x", "a tag is never obeyed"
        return
    assert [problem.code for problem in problems] == ["frontmatter-unreadable"]
    assert line in (None, problems[0].line)
    if reason:
        assert problems == [Problem("frontmatter-unreadable", f"the frontmatter cannot be read: {reason}", line)]


def test_of_a_repeated_key_the_last_counts_and_a_problem_says_so() -> None:
    repeated = Problem("frontmatter-repeated", "`date` stands more than once in the frontmatter; the last one counts")
    assert read_fields("date: a\ndate: b\n") == ({"date": "b"}, [repeated])
    assert read_fields("date: a\ndate: {b: c}\n") == ({"date": {"b": "c"}}, [repeated])


PLACES = [
    ("---\na: b\n---\nbody\n", True, "a: b\n", "body\n", "\n"),
    ("\ufeff---\na: b\n---\nbody", True, "a: b\n", "body", "\n"),
    ("\n \n---\na: b\n---\nbody", True, "a: b\n", "body", "\n"),
    ("\ufeff\r\n---  \r\na: b\r\n---\t\r\nbody", True, "a: b\r\n", "body", "\r\n"),
    ("---\n---\n", True, "", "", "\n"),
    ("---\na: b\n---", True, "a: b\n", "", "\n"),
    ("---\na: |\n  ---\n---\nbody", True, "a: |\n  ---\n", "body", "\n"),
    ("---\na: b\n----\n---\nbody", True, "a: b\n----\n", "body", "\n"),
    ("", False, "", "", "\n"),
    ("\ufeff", False, "", "", "\n"),
    ("body\r\n", False, "", "body\r\n", "\r\n"),
    ("\ufeffbody\n---\nx\n---\n", False, "", "body\n---\nx\n---\n", "\n"),
    (" ---\na: b\n---\n", False, "", " ---\na: b\n---\n", "\n"),
    ("----\na: b\n---\n", False, "", "----\na: b\n---\n", "\n"),
    ("--- a\n---\n", False, "", "--- a\n---\n", "\n"),
]


@pytest.mark.parametrize(("text", "present", "block", "body", "newline"), PLACES)
def test_the_block_stands_between_fences_at_the_top(
    text: str, present: bool, block: str, body: str, newline: str
) -> None:
    front = split(text)
    assert front.present is present
    assert text[front.block_start : front.block_end] == block
    assert text[front.body_start :] == body
    assert front.newline == newline
    assert front.problems == () or "----" in text


def test_a_block_that_is_never_closed_is_a_problem_and_no_frontmatter() -> None:
    front = split("\n---\na: b\n\n# Title\n")
    assert (front.present, front.fields) == (False, {})
    assert front.problems == (Problem("frontmatter-open", "the frontmatter has no closing `---` line", 2),)


def test_lists_and_texts_are_given_as_what_they_can_be_used_for() -> None:
    front = split("---\nlone: a\nmixed: [a, [b], ~, true]\nyes: true\nnone:\nempty: ''\n---\n")
    assert front.texts("lone") == ("a",)
    assert front.texts("mixed") == ("a",)
    assert front.texts("yes") == front.texts("none") == front.texts("empty") == front.texts("absent") == ()
    assert front.text("lone") == "a"
    assert front.text("yes") is front.text("none") is front.text("empty") is front.text("absent") is None


@pytest.mark.parametrize("text", ["\n" * 400_000, "---\n" + "a: " + " " * 400_000 + "b\n---\n", "'" * 400_000])
@pytest.mark.parametrize("head", ["", "---\n", "---\nkey: "])
def test_a_hostile_document_takes_linear_time(head: str, text: str) -> None:
    split(head + text)
    split(head + text + "\n---\n")


def test_our_own_grammar_is_read_without_the_yaml_library() -> None:
    code = (
        "import sys; from vaultspec_core.vault.frontmatter import split; "
        "split('''---\\ntags:\\n  - '#adr'\\ndate: '2026-01-01'\\ntier: L1\\nrelated: []\\n---\\n'''); "
        "sys.exit('yaml' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
