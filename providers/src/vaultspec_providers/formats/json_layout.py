"""How a JSON text is laid out near a place: line ends, indentation, colons, and where white space and comments end."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from vaultspec_providers.formats.json_text import LINE_END, JsonObject, Member, space_after, space_before

_LAST_LINE = re.compile(r"(\r\n|\r|\n)([ \t]*)\Z")
FRESH_UNIT = "  "


class Layout(NamedTuple):
    """How new text is laid out. `indent` is that of the line a member stands on; `lines` False keeps it on one line."""

    lines: bool
    newline: str
    indent: str
    unit: str
    colon: str

    @property
    def between(self) -> str:
        """What stands between two members, after the comma."""
        if self.lines:
            return self.newline + self.indent
        return " " if self.colon.endswith(" ") else ""


def newline_of(text: str) -> str:
    """The first line end of the text, or LF."""
    found = LINE_END.search(text)
    return found.group() if found else "\n"


def layout_of_member(text: str, trail: Sequence[JsonObject], member: Member) -> Layout:
    """How the value of a member is written anew: over lines when it was, or when its member begins a line."""
    colon = _colon(text, member)
    if own := last_line(text, member.start):
        return Layout(True, own[0], own[1], _unit(text, trail), colon)
    lines = LINE_END.search(text, member.value, member.end) is not None
    return Layout(lines, newline_of(text), indent_of_line(text, member.start), _unit(text, trail), colon)


def layout_of_new_member(text: str, trail: Sequence[JsonObject]) -> Layout:
    """As the last member, or as the comments of an object without members, or one level below its line."""
    target, unit = trail[-1], _unit(text, trail)
    lasts = (found.members[-1] for found in reversed(trail) if found.members)
    model = next((last for last in lasts if last.start != last.value), None)  # an element of an array shows no colon
    colon = _colon(text, model) if model else ": "
    above = target.members[-1].start if target.members else target.comments[-1][0] if target.comments else None
    if above is not None and (found := last_line(text, above)):
        return Layout(True, found[0], found[1], unit, colon)
    indent = indent_of_line(text, target.start) + unit
    inline = bool(target.members) or (model is not None and last_line(text, model.start) is None)
    lines = not inline or ends_line_comment(text, target, blank_before(text, target, target.close))
    return Layout(lines, newline_of(text), indent, unit, colon)


def _colon(text: str, member: Member) -> str:
    return ":" if text[member.value - 1] == ":" else ": "


def _unit(text: str, trail: Sequence[JsonObject]) -> str:
    """What one level of indentation adds, seen at the innermost object that shows it."""
    shown = False
    for target in reversed(trail):
        found = last_line(text, target.members[-1].start) if target.members else None
        if found:
            outer = indent_of_line(text, target.start)
            if found[1].startswith(outer) and found[1] != outer:
                return found[1].removeprefix(outer)
            shown = True
    return "" if shown else FRESH_UNIT


def last_line(text: str, offset: int) -> tuple[str, str] | None:
    """The line end and the indentation before a place that begins a line, else None."""
    found = _LAST_LINE.search(text, space_before(text, offset), offset)
    return (found.group(1), found.group(2)) if found else None


def indent_of_line(text: str, offset: int) -> str:
    """The indentation of the line on which a place stands."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return text[start : min(space_after(text, start), offset)]


def blank_before(text: str, target: JsonObject, offset: int) -> int:
    """Where the white space before a place of the object begins; blanks at the end of a line comment are its own."""
    index = bisect_left(target.comments, (offset,))
    return max(space_before(text, offset), target.comments[index - 1][1] if index else 0)


def ends_line_comment(text: str, target: JsonObject, at: int) -> bool:
    """Whether a `//` comment of the object ends at the place, so that nothing may follow it on its line."""
    index = bisect_left(target.comments, (at,))
    return index > 0 and target.comments[index - 1][1] == at and text.startswith("//", target.comments[index - 1][0])
