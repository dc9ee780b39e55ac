"""Edits of a JSON text: which characters go and which come when members are set or removed.

New text copies the neighbours: indentation, line ends, white space after colons, a comma after the last member. What is
removed takes one adjoining comma and its own line with it; comments beside it belong to somebody else and stay.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from vaultspec_providers.formats.json_layout import (
    Layout,
    blank_before,
    ends_line_comment,
    indent_of_line,
    last_line,
    layout_of_member,
    layout_of_new_member,
)
from vaultspec_providers.formats.json_text import LINE_END, JsonObject, Member, space_after
from vaultspec_providers.formats.json_value import write, write_members


class Edit(NamedTuple):
    """Put `text` in the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str = ""


def splice(text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits made. They must not overlap; of two at one place the first given comes first."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join((*parts, text[at:]))


def put(text: str, trail: Sequence[JsonObject], values: Mapping[str, Any]) -> Iterator[Edit]:
    """Set members of the last object of `trail`, which leads there from the root, one object inside the other."""
    target = trail[-1]
    added = {}
    for key, value in values.items():
        if member := target.by_key.get(key):
            yield Edit(member.value, member.end, write(value, layout_of_member(text, trail, member)))
        else:
            added[key] = value
    if added:
        yield from append(text, trail, lambda layout: write_members(added, layout))


def append(text: str, trail: Sequence[JsonObject], written: Callable[[Layout], str]) -> Iterator[Edit]:
    """Put what is `written` after everything that stands in the last object of `trail`, comments too."""
    target = trail[-1]
    layout = layout_of_new_member(text, trail)
    tail = blank_before(text, target, target.close)
    body = written(layout)
    if target.members:
        last = target.members[-1]
        if last.comma is None:
            yield Edit(last.end, last.end, ",")
        yield Edit(tail, tail, layout.between + body + ("," if last.comma is not None else ""))
    elif target.comments:
        yield Edit(tail, tail, layout.between + body)
    elif not layout.lines:
        yield Edit(tail, target.close, body)
    elif last_line(text, target.close):
        yield Edit(tail, tail, layout.between + body)
    else:
        yield Edit(tail, target.close, layout.between + body + layout.newline + indent_of_line(text, target.start))


def remove(text: str, target: JsonObject, keys: frozenset[str]) -> Iterator[Edit]:
    """Take the members with these keys out of the object."""
    kept = [member for member in target.members if member.key not in keys]
    if not kept and not foreign_comments(target, keys):
        yield Edit(target.start + 1, target.close)
        return
    if kept and kept[-1].comma is not None and target.members[-1].comma is None:
        yield Edit(kept[-1].comma, kept[-1].comma + 1)
    for run in _runs(target, keys):
        yield from _remove_run(text, target, run)


def foreign_comments(target: JsonObject, keys: frozenset[str]) -> list[tuple[int, int]]:
    """The comments of an object that stand outside the members with these keys."""
    gone = {comment for member in target.members if member.key in keys for comment in comments_of(target, member)}
    return [comment for comment in target.comments if comment not in gone]


def comments_of(target: JsonObject, member: Member) -> Sequence[tuple[int, int]]:
    """The comments between the key of a member and its value."""
    return _comments_between(target, member.start, member.value)


def _comments_between(target: JsonObject, start: int, end: int) -> Sequence[tuple[int, int]]:
    return target.comments[bisect_left(target.comments, (start,)) : bisect_left(target.comments, (end,))]


def _runs(target: JsonObject, keys: frozenset[str]) -> Iterator[list[Member]]:
    """Neighbouring members that go, unless a comment stands between them."""
    run: list[Member] = []
    for member in target.members:
        if run and (member.key not in keys or _comments_between(target, run[-1].end, member.start)):
            yield run
            run = []
        if member.key in keys:
            run.append(member)
    if run:
        yield run


def _remove_run(text: str, target: JsonObject, run: list[Member]) -> Iterator[Edit]:
    """The white space before the run goes with it, or else that after it.

    What follows keeps a line of its own if it had one; a line comment before the run keeps its end, and takes in no blanks.
    """
    start, end, comma = run[0].start, run[-1].end, run[-1].comma
    if comma is not None:
        if _comments_between(target, end, comma):
            yield Edit(comma, comma + 1)
        else:
            end = comma + 1
    before, after = blank_before(text, target, start), space_after(text, end)
    line_end, below_comment = LINE_END.search(text, end, after), ends_line_comment(text, target, before)
    if line_end:
        yield Edit(before, line_end.start() if below_comment else end)
    elif after == target.close and not below_comment:
        yield Edit(before, end)
    else:
        yield Edit(start, after)
