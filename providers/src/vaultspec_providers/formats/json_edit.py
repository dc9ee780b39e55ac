"""Edits of a JSON text: which characters go and which come when members are set or removed.

New text copies the neighbours: indentation, line ends, white space after colons, a comma after the last member. What is
removed takes one adjoining comma and its own line with it; comments beside it belong to somebody else and stay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vaultspec_providers.formats.json_text import JsonObject, Member, space_after, space_before
from vaultspec_providers.formats.json_value import Layout, write, write_members

_LINE_END = re.compile(r"\r\n|\r|\n")
_LAST_LINE = re.compile(r"(\r\n|\r|\n)([ \t]*)\Z")
FRESH_UNIT = "  "


@dataclass(frozen=True, slots=True)
class Edit:
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


def newline_of(text: str) -> str:
    """The first line end of the text, or LF."""
    found = _LINE_END.search(text)
    return found.group() if found else "\n"


def put(text: str, trail: Sequence[JsonObject], values: Mapping[str, Any]) -> Iterator[Edit]:
    """Set members of the last object of `trail`, which leads there from the root, one object inside the other."""
    target = trail[-1]
    added = {}
    for key, value in values.items():
        if member := target.by_key.get(key):
            yield Edit(member.value, member.end, write(value, _layout_of_member(text, trail, member)))
        else:
            added[key] = value
    if added:
        yield from _append(text, trail, added)


def _append(text: str, trail: Sequence[JsonObject], values: Mapping[str, Any]) -> Iterator[Edit]:
    """After everything that stands in the object, comments too."""
    target = trail[-1]
    layout = _layout_of_new_member(text, trail)
    tail = space_before(text, target.close)
    body = write_members(values, layout)
    if target.members:
        last = target.members[-1]
        if last.comma is None:
            yield Edit(last.end, last.end, ",")
        yield Edit(tail, tail, layout.between + body + ("," if last.comma is not None else ""))
    elif target.comments:
        yield Edit(tail, tail, layout.between + body)
    elif not layout.lines:
        yield Edit(tail, target.close, body)
    elif _last_line(text, target.close):
        yield Edit(tail, tail, layout.between + body)
    else:
        yield Edit(tail, target.close, layout.between + body + layout.newline + _indent_of_line(text, target.start))


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
    """The white space before the run goes, or that after it: what stays must keep its line and its line comment its end."""
    start, end, comma = run[0].start, run[-1].end, run[-1].comma
    if comma is not None:
        if _comments_between(target, end, comma):
            yield Edit(comma, comma + 1)
        else:
            end = comma + 1
    before, after = space_before(text, start), space_after(text, end)
    if _LINE_END.search(text, end, after):
        keep_before = False
    else:
        keep_before = after != target.close or _ends_line_comment(text, target, before)
    yield Edit(start, after) if keep_before else Edit(before, end)


def _ends_line_comment(text: str, target: JsonObject, at: int) -> bool:
    index = bisect_left(target.comments, (at,))
    return index > 0 and target.comments[index - 1][1] == at and text.startswith("//", target.comments[index - 1][0])


def _layout_of_member(text: str, trail: Sequence[JsonObject], member: Member) -> Layout:
    """How the value of a member is written anew: over lines when it was, or when its member begins a line."""
    colon = _colon(text, member)
    if own := _last_line(text, member.start):
        return Layout(True, own[0], own[1], _unit(text, trail), colon)
    lines = _LINE_END.search(text, member.value, member.end) is not None
    return Layout(lines, newline_of(text), _indent_of_line(text, member.start), _unit(text, trail), colon)


def _layout_of_new_member(text: str, trail: Sequence[JsonObject]) -> Layout:
    """As the last member, or as the comments of an object without members, or one level below its line."""
    target, unit = trail[-1], _unit(text, trail)
    model = next((found.members[-1] for found in reversed(trail) if found.members), None)
    colon = _colon(text, model) if model else ": "
    above = target.members[-1].start if target.members else target.comments[-1][0] if target.comments else None
    if above is not None and (found := _last_line(text, above)):
        return Layout(True, found[0], found[1], unit, colon)
    indent = _indent_of_line(text, target.start) + unit
    inline = bool(target.members) or (model is not None and _last_line(text, model.start) is None)
    lines = not inline or _ends_line_comment(text, target, space_before(text, target.close))
    return Layout(lines, newline_of(text), indent, unit, colon)


def _colon(text: str, member: Member) -> str:
    return ":" if text[member.value - 1] == ":" else ": "


def _unit(text: str, trail: Sequence[JsonObject]) -> str:
    """What one level of indentation adds, seen at the innermost object that shows it."""
    shown = False
    for target in reversed(trail):
        found = _last_line(text, target.members[-1].start) if target.members else None
        if found:
            outer = _indent_of_line(text, target.start)
            if found[1].startswith(outer) and found[1] != outer:
                return found[1].removeprefix(outer)
            shown = True
    return "" if shown else FRESH_UNIT


def _last_line(text: str, offset: int) -> tuple[str, str] | None:
    """The line end and the indentation before a place that begins a line, else None."""
    found = _LAST_LINE.search(text, space_before(text, offset), offset)
    return (found.group(1), found.group(2)) if found else None


def _indent_of_line(text: str, offset: int) -> str:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return text[start : min(space_after(text, start), offset)]
