"""The ledger's text: rows that are read as they were written, appended once, and nothing that can forge one."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_core.plan.ledger import (
    Evidence,
    Row,
    append,
    by_from,
    evidence,
    new_ledger,
    note_from,
    read,
    read_row,
    row_from,
    verify_from,
)
from vaultspec_core.report import Refusal

EMPTY = new_ledger("search-api", "2026-07-12-search-api-plan", "2026-07-12")


def body(text: str) -> str:
    return text.split("---\n", 2)[2]


@requirement("LOG-1")
def test_a_new_ledger_is_a_document_of_its_plan() -> None:
    assert EMPTY == (
        "---\ntags:\n  - '#exec'\n  - '#search-api'\ndate: '2026-07-12'\nmodified: '2026-07-12'\nbody_schema: 'body-v2'\n"
        'related:\n  - "[[2026-07-12-search-api-plan]]"\n---\n\n# `search-api` ledger\n\n## Changes\n'
    )


@requirement("LOG-1")
@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("A:src/a.py", "- `S01` `A` `src/a.py`"),
        ("m: src/a b.py ", "- `S01` `M` `src/a b.py`"),
        (" d :x:y", "- `S01` `D` `x:y`"),
        ("R:old->new", "- `S01` `R` `old` -> `new`"),
        ("r: a -> b->c ", "- `S01` `R` `a` -> `b->c`"),
        ("A:a`b", "- `S01` `A` ``a`b``"),
        ("A:`a`", "- `S01` `A` `` `a` ``"),
        ("A:a``b`", "- `S01` `A` ``` a``b` ```"),
        ("A:x` -> `pass", "- `S01` `A` ``x` -> `pass``"),
        ("A:é.py", "- `S01` `A` `é.py`"),
        ("A:-->", "- `S01` `A` `-->`"),
    ],
)
def test_a_row_is_written_so_that_it_is_read_again(spec: str, line: str) -> None:
    row = row_from("S01", spec)
    assert row.line() == line
    assert read_row(f"{line}\n") == row


@requirement("LOG-1")
@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("pytest -q=pass", "- `S01` `verify:` `pytest -q` -> `pass`"),
        ("a=b=FAIL ", "- `S01` `verify:` `a=b` -> `fail`"),
        ("echo `x`=pass", "- `S01` `verify:` `` echo `x` `` -> `pass`"),
    ],
)
def test_a_verify_is_split_at_its_last_equals_sign(spec: str, line: str) -> None:
    assert verify_from("S01", spec).line() == line


@requirement("LOG-2")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("foo", "invalid row foo: expected OP:path"),
        ("X:foo", "invalid row X:foo: unknown operation X; use A, M, D or R"),
        ("T:foo", "invalid row T:foo: unknown operation T; use A, M, D or R"),
        (":foo", "invalid row :foo: unknown operation ; use A, M, D or R"),
        ("A:", "invalid row A:: it is empty"),
        ("A:  ", "invalid row A:  : it is empty"),
        ("R:a", "invalid row R:a: a rename needs R:old->new"),
        ("R:a->", "invalid row R:a->: it is empty"),
        ("R:->b", "invalid row R:->b: it is empty"),
        ("A:a\n- `S02` `A` `b`", "invalid row A:a?- `S02` `A` `b`: line breaks and control characters are not allowed"),
        ("A:a\rb", "invalid row A:a?b: line breaks and control characters are not allowed"),
        ("A:a\u2028b", "invalid row A:a?b: line breaks and control characters are not allowed"),
        ("A:a\x00b", "invalid row A:a?b: line breaks and control characters are not allowed"),
        ("A:\ud800", "invalid row A:?: line breaks and control characters are not allowed"),
        ("A:<!-- a", "invalid row A:<!-- a: it must not open a comment"),
    ],
)
def test_a_malformed_row_says_what_is_wrong(spec: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        row_from("S01", spec)
    assert (caught.value.code, caught.value.message) == ("bad-row", message)


@requirement("LOG-2")
@pytest.mark.parametrize("spec", ["pytest", "pytest=", "=pass", " =pass", "pytest=passed", "a\nb=pass", "<!--=pass"])
def test_a_malformed_verify_is_refused(spec: str) -> None:
    with pytest.raises(Refusal, match="invalid verify"):
        verify_from("S01", spec)


@requirement("LOG-3")
def test_a_persona_cannot_bring_a_heading() -> None:
    with pytest.raises(Refusal, match="line breaks and control characters"):
        by_from("S01", "me\n## Evil")


@requirement("LOG-1", "LOG-3")
def test_a_note_is_one_line_whatever_it_held() -> None:
    assert note_from("S01", "  two\n\n words\t- `S02` ") == ("S01", "two words - `S02`")
    with pytest.raises(Refusal, match="must not open a comment"):
        note_from("S01", "a <!-- b")


@requirement("LOG-1")
def test_rows_and_notes_go_to_the_end_of_their_sections() -> None:
    text = append(EMPTY, [row_from("S01", "A:a"), verify_from("S01", "t=pass"), by_from("S01", "me")], [])
    text = append(text, [row_from("S02", "M:a")], [note_from("S02", "skipped the docs")])
    text = append(text, [row_from("S03", "D:a")], [note_from("S03", "lost data")])
    assert body(text) == (
        "\n# `search-api` ledger\n\n## Changes\n\n- `S01` `A` `a`\n- `S01` `verify:` `t` -> `pass`\n- `S01` `by:` `me`\n"
        "- `S02` `M` `a`\n- `S03` `D` `a`\n\n## Notes\n\n- `S02` skipped the docs\n- `S03` lost data\n"
    )
    assert text.startswith(EMPTY.removesuffix("\n"))


@requirement("LOG-1")
@pytest.mark.parametrize(
    "again",
    [
        [row_from("S01", "A:a")],
        [row_from("S01", "A:a"), row_from("S01", "A:a")],
        [verify_from("S01", "t=pass")],
        [by_from("S01", "me")],
        [row_from("S01", "R:a->b"), by_from("S01", "me")],
    ],
)
def test_a_row_that_is_there_is_not_appended_again(again: list[Row]) -> None:
    rows = [row_from("S01", "A:a"), row_from("S01", "R:a->b"), verify_from("S01", "t=pass"), by_from("S01", "me")]
    text = append(EMPTY, rows, [note_from("S01", "n")])
    assert append(text, again, [note_from("S01", "n")]) == text


@requirement("LOG-3")
def test_a_verify_that_flips_back_is_appended_and_wins() -> None:
    text = EMPTY
    for result in ("fail", "fail", "pass", "pass", "fail"):
        text = append(text, [verify_from("S01", f"pytest={result}")], [])
    assert [row.cells for row in read(text).rows] == [("pytest", "fail"), ("pytest", "pass"), ("pytest", "fail")]
    assert evidence(read(text).rows) == {"S01": Evidence(0, "fail", None)}


@requirement("LOG-3")
def test_what_a_verify_overrules_is_that_of_its_own_step_and_command() -> None:
    rows = [verify_from("S01", "a=pass"), verify_from("S01", "b=fail"), verify_from("S02", "a=fail")]
    text = append(EMPTY, rows, [])
    assert append(text, [verify_from("S01", "a=pass")], []) == text
    assert evidence(read(text).rows) == {"S01": Evidence(0, "fail", None), "S02": Evidence(0, "fail", None)}


def test_evidence_counts_the_rows_of_a_step_and_keeps_the_last_words() -> None:
    rows = [
        row_from("S01", "A:a"),
        row_from("S01", "R:a->b"),
        by_from("S01", "x"),
        by_from("S01", "y"),
        by_from("S02", "z"),
    ]
    assert evidence(rows) == {"S01": Evidence(2, None, "y"), "S02": Evidence(0, None, "z")}


@requirement("LOG-3")
@pytest.mark.parametrize(
    "line",
    [
        "- `S01` `A`",
        "- `S01` `A` `a` `b`",
        "- `S01` `X` `a`",
        "- `S01` uses `A` and ``b``",
        "- `S01` `A` ``a`` more",
        "- S01 `A` `a`",
        "- `S01` `verify:` `a`",
        "- `S01` `R` `a`",
        "`S01` `A` `a`",
        "- `S01`",
        "text",
    ],
)
def test_other_lines_are_no_rows(line: str) -> None:
    assert read_row(line) is None
    assert read(f"{EMPTY}\n{line}\n").rows == ()


@requirement("LOG-3")
def test_rows_in_code_comments_and_other_sections_do_not_count() -> None:
    rest = "\n```\n- `S01` `A` `a`\n```\n<!--\n- `S02` `A` `a`\n-->\n\n- `S03` `A` `a`\n\n## Notes\n\n- `S04` `A` `a`\n"
    ledger = read(EMPTY + rest)
    assert [row.step for row in ledger.rows] == ["S03"]
    assert ledger.notes == (("S04", "`A` `a`"),)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# x\n", "# x\n\n## Changes\n\n- `S01` `A` `a`\n"),
        ("# x\n\n## Notes\n\n- n\n", "# x\n\n## Changes\n\n- `S01` `A` `a`\n\n## Notes\n\n- n\n"),
        ("## Changes", "## Changes\n\n- `S01` `A` `a`"),
        ("## Changes\n\n## Notes\n", "## Changes\n\n- `S01` `A` `a`\n\n## Notes\n"),
        ("## Changes\n<!-- c -->\n\n\n", "## Changes\n<!-- c -->\n\n- `S01` `A` `a`\n\n\n"),
        ("## Changes\n\n* `S02` `M` `b`", "## Changes\n\n* `S02` `M` `b`\n- `S01` `A` `a`"),
        ("## Changes\n\n- `S02` `M` `b`\n\nProse.\n", "## Changes\n\n- `S02` `M` `b`\n\nProse.\n\n- `S01` `A` `a`\n"),
        ("```\n## Changes\n```\n", "```\n## Changes\n```\n\n## Changes\n\n- `S01` `A` `a`\n"),
        ("", "## Changes\n\n- `S01` `A` `a`\n"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_ledger_of_any_shape_keeps_every_byte(before: str, after: str, newline: str) -> None:
    if newline == "\n" or "\n" in before:
        assert append(before.replace("\n", newline), [row_from("S01", "A:a")], []) == after.replace("\n", newline)


@requirement("LOG-3")
@pytest.mark.parametrize("tail", ["\n```\n", "\n<!-- open\n", "\n<pre>\n"])
def test_rows_are_not_lost_in_an_open_fence_or_comment(tail: str) -> None:
    with pytest.raises(Refusal, match="open code fence or comment"):
        append(EMPTY + tail, [row_from("S01", "A:a")], [])


def test_two_branches_that_appended_merge_by_lines() -> None:
    base = append(EMPTY, [row_from("S01", "A:a")], [])
    ours = append(base, [row_from("S02", "A:b")], [])
    theirs = append(base, [row_from("S03", "A:c")], [])
    union = ours + theirs.removeprefix(base)
    assert [row.step for row in read(union).rows] == ["S01", "S02", "S03"]
