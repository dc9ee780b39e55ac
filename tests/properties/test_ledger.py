"""Laws of ledgers: what is logged is read again, nothing else is, and logging twice is logging once."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.plan.ledger import (
    Row,
    append,
    by_from,
    new_ledger,
    note_from,
    read,
    read_row,
    row_from,
    verify_from,
)
from vaultspec_core.report import Refusal
from vaultspec_core.vault.markdown import split_lines

TEXT = st.text(
    st.one_of(st.sampled_from("`-> =:<!\n\r#\u2028\x00[]()*\\S01"), st.characters(exclude_categories=["Cs"])),
    min_size=1,
    max_size=16,
)
STEP = st.sampled_from(["S01", "S02", "S103"])
OFFERS = st.one_of(
    st.builds(lambda step, op, path: ("row", step, f"{op}:{path}"), STEP, st.sampled_from("AMD"), TEXT),
    st.builds(lambda step, old, new: ("row", step, f"R:{old}->{new}"), STEP, TEXT, TEXT),
    st.builds(
        lambda step, command, end: ("verify", step, f"{command}={end}"), STEP, TEXT, st.sampled_from(["pass", "fail"])
    ),
    st.builds(lambda step, who: ("by", step, who), STEP, TEXT),
)
BODIES = st.lists(
    st.sampled_from(
        ["## Changes", "## Notes", "- `S01` `A` `x`", "prose", "", "<!-- c -->", "```\n- `S09` `A` `no`\n```", "- `S01` a note", "### deeper"]
    ),
    max_size=8,
).map("\n".join)  # fmt: skip
MAKERS = {"row": row_from, "verify": verify_from, "by": by_from}
EMPTY = new_ledger("x", "x-plan", "2026-01-01")


def made(offers: list[tuple[str, str, str]]) -> list[Row]:
    rows = []
    for kind, step, spec in offers:
        try:
            rows.append(MAKERS[kind](step, spec))
        except Refusal:
            continue
    return rows


@requirement("LOG-1", "LOG-3", "REL-4")
@settings(max_examples=200, deadline=None)
@given(OFFERS)
def test_a_row_is_read_as_it_was_written_or_not_taken(offer: tuple[str, str, str]) -> None:
    for row in made([offer]):
        line = row.line()
        assert read_row(line) == row
        assert read(f"{EMPTY}\n{line}\n").rows == (row,)


@requirement("LOG-1", "LOG-3", "REL-4")
@settings(max_examples=150, deadline=None)
@given(BODIES, st.lists(OFFERS, max_size=5), st.lists(TEXT, max_size=2), st.sampled_from(["\n", "\r\n"]))
def test_appending_adds_lines_once_and_touches_no_other(
    body: str, offers: list[tuple[str, str, str]], texts: list[str], newline: str
) -> None:
    before = (EMPTY + body).replace("\n", newline)
    rows = made(offers)
    notes = [
        note_from("S01", text)
        for text in texts
        if text.strip() and not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029]|<!--", text)
    ]
    after = append(before, rows, notes)
    assert append(after, rows[-1:], notes) == after
    left = iter(split_lines(after))
    assert all(any(line.rstrip("\r\n") == other.rstrip("\r\n") for other in left) for line in split_lines(before))
    assert set(read(after).rows) == {*read(before).rows, *rows}
    assert set(read(after).notes) == {*read(before).notes, *notes}
