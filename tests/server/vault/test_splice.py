"""Setting one field: what stays as it is comes first, then what changes, as whole texts."""

from __future__ import annotations

import pytest

from vaultspec_core.report import Refusal
from vaultspec_core.vault.splice import remove_field, set_list, set_scalar

UNCHANGED_SCALARS = [
    ("---\ndate: '2026-01-01'\n---\n", "date", "2026-01-01"),
    ("---\ndate: 2026-01-01 # when\n---\n", "date", "2026-01-01"),
    ('---\ndate: "2026-01-01"\n---\nbody', "date", "2026-01-01"),
    ("\ufeff---\r\ndate: 2026-01-01\r\n---\r\nbody\r\n", "date", "2026-01-01"),
    ("\n---\ndate: 2026-01-01\n---\n", "date", "2026-01-01"),
    ("---\nn: 5\n---\n", "n", "5"),
    ("---\ntext: |-\n  a\n  b\n---\n", "text", "a\nb"),
    ("---\n'date': x\n---\n", "date", "x"),
    ("---\nbroken: [\ndate: x\n---\n", "date", "x"),
    ("---\ndate: x\ndate: y\n---\n", "date", "y"),
]

UNCHANGED_LISTS = [
    ("---\ntags: []\n---\n", "tags", []),
    ("---\ntags: [] # none\n---\n", "tags", []),
    ("---\ntags: [a, 'b']\n---\n", "tags", ["a", "b"]),
    ("---\ntags:\n- a\n# c\n- 'b' # d\n---\n", "tags", ["a", "b"]),
    ("---\r\ntags:\r\n    - a\r\n---\r\n", "tags", ["a"]),
]


@pytest.mark.parametrize(("text", "key", "value"), UNCHANGED_SCALARS)
def test_a_field_that_says_so_already_leaves_every_byte(text: str, key: str, value: str) -> None:
    assert set_scalar(text, key, value) == text


@pytest.mark.parametrize(("text", "key", "values"), UNCHANGED_LISTS)
def test_a_list_that_says_so_already_leaves_every_byte(text: str, key: str, values: list[str]) -> None:
    assert set_list(text, key, values) == text


@pytest.mark.parametrize("text", ["", "body\n", "---\na: b\n---\nbody"])
def test_a_field_that_is_not_there_is_not_removed(text: str) -> None:
    assert remove_field(text, "archived") == text


SCALARS = [
    ("---\nd: '1'\n---\n", "---\nd: '2'\n---\n"),
    ('---\nd: "1"   # why\n---\n', '---\nd: "2"   # why\n---\n'),
    ("---\nd:   1\t# why\n---\n", "---\nd:   2\t# why\n---\n"),
    ("---\nd: 1\nd: 1\n---\n", "---\nd: 1\nd: 2\n---\n"),
    ("---\nd: it's # x\n---\n", "---\nd: 2 # x\n---\n"),
    ("---\nd:\n---\n", "---\nd: '2'\n---\n"),
    ("---\nd: [1, 2]\na: b\n---\n", "---\nd: '2'\na: b\n---\n"),
    ("---\nd: |\n  1\n\n  2\n\n# about a\na: b\n---\n", "---\nd: '2'\n\n# about a\na: b\n---\n"),
    ("---\nd:\n  - 1\n  # mine\n# theirs\na: b\n---\n", "---\nd: '2'\n# theirs\na: b\n---\n"),
    ("---\n\"d\": '1'\n---\n", "---\n\"d\": '2'\n---\n"),
    (
        "\ufeff---\r\n# c\r\nd: 1\r\nz: [a , b]\r\n---\r\n\r\nbody\r\n",
        "\ufeff---\r\n# c\r\nd: 2\r\nz: [a , b]\r\n---\r\n\r\nbody\r\n",
    ),
    ("---\nd: 1\r\na: b\n---\n", "---\nd: 2\r\na: b\n---\n"),
    ('---\nbad: "open\nd: 1\n---\n', '---\nbad: "open\nd: 2\n---\n'),
    ("---\na: b\n# last\n---\nbody", "---\na: b\n# last\nd: '2'\n---\nbody"),
    ("---\n---\nbody", "---\nd: '2'\n---\nbody"),
    (
        "---\nx: y\nm:\n  - 1\n  # of m\n# of n\nn: 1\n---\n",
        "---\nx: y\nm:\n  - 1\n  # of m\nd: '2'\n# of n\nn: 1\n---\n",
    ),
    ("body\n", "---\nd: '2'\n---\n\nbody\n"),
    ("\ufeffbody\r\n", "\ufeff---\r\nd: '2'\r\n---\r\n\r\nbody\r\n"),
    ("", "---\nd: '2'\n---\n\n"),
]


@pytest.mark.parametrize(("before", "after"), SCALARS)
def test_a_field_is_set_on_its_own_line(before: str, after: str) -> None:
    assert set_scalar(before, "d", "2", after=("gone", "m", "x")) == after


VALUES = [
    ("'old'", "it's", "'it''s'"),
    ('"old"', 'say "hi" \\ there', '"say \\"hi\\" \\\\ there"'),
    ("old", "new-value_1.0", "new-value_1.0"),
    ("old", "two words", "'two words'"),
    ("old", "true", "'true'"),
    ("old", "null", "'null'"),
    ("old", "", "''"),
    ("old", "#hash", "'#hash'"),
    ("'old'", "a\nb\x07\u2028é🎉", '"a\\x0ab\\x07\\u2028é🎉"'),
]


@pytest.mark.parametrize(("old", "value", "written"), VALUES)
def test_a_value_keeps_the_quotes_that_can_hold_it(old: str, value: str, written: str) -> None:
    assert set_scalar(f"---\nk: {old} # c\n---\n", "k", value) == f"---\nk: {written} # c\n---\n"


LISTS = [
    ("---\nr: []\nz: 1\n---\n", ["[[a]]", "#b"], "---\nr:\n  - \"[[a]]\"\n  - '#b'\nz: 1\n---\n"),
    ("---\nr: [] # none yet\n---\n", ["a"], "---\nr: # none yet\n  - 'a'\n---\n"),
    ("---\nr: [a, b] # two\n---\n", ["a"], "---\nr: ['a'] # two\n---\n"),
    ('---\nr: ["a"]\n---\n', ["a", "c"], '---\nr: ["a", "c"]\n---\n'),
    ("---\nr: ['a']\n---\n", [], "---\nr: []\n---\n"),
    ("---\nr:\n  - a # one\n  - 'b'\n---\n", ["a", "b", "c"], "---\nr:\n  - a # one\n  - 'b'\n  - c\n---\n"),
    ("---\nr:\n  - a\n  - c\n---\n", ["a", "b", "c"], "---\nr:\n  - a\n  - b\n  - c\n---\n"),
    ('---\nr:\n    - "a"\n---\n', ["b", "a"], '---\nr:\n    - "b"\n    - "a"\n---\n'),
    ("---\nr:\n- a\n# about b\n- b\n- c # last\n---\n", ["a", "c"], "---\nr:\n- a\n# about b\n- c # last\n---\n"),
    ("---\nr:\n  - a # one\n  # about b\n  - b\n---\n", ["b", "a"], "---\nr:\n  # about b\n  - b\n  - a # one\n---\n"),
    ("---\nr: # all\n  # about a\n  - a\n---\n", [], "---\nr: [] # all\n  # about a\n---\n"),
    ("---\nr:\n  - a\n  - a\n---\n", ["a"], "---\nr:\n  - a\n---\n"),
    ("---\nr: yes\n---\n", ["a"], "---\nr:\n  - 'a'\n---\n"),
    ("---\nr:\n  - a: b\n---\n", ["a"], "---\nr:\n  - 'a'\n---\n"),
    ("---\nr:\n---\n", ["a"], "---\nr:\n  - 'a'\n---\n"),
    ("---\r\nr:\r\n  - 'a'\r\n---\r\n", ["a", "b"], "---\r\nr:\r\n  - 'a'\r\n  - 'b'\r\n---\r\n"),
    ("---\nd: 1\nz: 2\n---\n", ["a"], "---\nd: 1\nr:\n  - 'a'\nz: 2\n---\n"),
    ("---\nd: 1\n---\n", [], "---\nd: 1\nr: []\n---\n"),
]


@pytest.mark.parametrize(("before", "values", "after"), LISTS)
def test_a_list_keeps_the_lines_of_the_items_that_stay(before: str, values: list[str], after: str) -> None:
    assert set_list(before, "r", values, after=("d",)) == after


def test_a_field_is_taken_out_with_its_lines() -> None:
    text = "---\na: b # x\narchived: |\n  2026\n# about c\nc: d\n---\n"
    assert remove_field(text, "archived") == "---\na: b # x\n# about c\nc: d\n---\n"


@pytest.mark.parametrize(
    "text",
    [
        "---\nm: {a: 1,\nd: 1}\n---\n",
        "---\na: b\n",
        "---\n{d: 1}\n---\n",
    ],
)
def test_a_field_that_cannot_be_set_safely_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        set_scalar(text, "d", "2")
    assert caught.value.code == "frontmatter-unusual"
    assert caught.value.message == "the frontmatter has a shape in which `d` cannot be set without touching the rest"
