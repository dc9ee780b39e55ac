"""Finds where things stand in a JSON text.

The grammar is RFC 8259 with what people and clients put on top of it: `//` and `/* */` comments, a comma before a
closing bracket, a byte order mark. Whatever is not that raises HostFileError with line, column and reason.
"""

from __future__ import annotations

import re

from vaultspec_providers.contract import HostFileError, Note
from vaultspec_providers.formats.json_strict import DEEPEST, STRICT, deeper_than
from vaultspec_providers.formats.json_text import (
    BOM,
    SCALAR,
    Document,
    JsonObject,
    Member,
    Span,
    fault,
    kind,
    position,
    space_after,
)

_COMMENT = re.compile(r"//[^\r\n]*+|/\*(?s:.*?)\*/")
_PLAIN_STRING = re.compile(r'"([^"\\\x00-\x1f]*+)"')
_STRING_PART = re.compile(r'[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_CONSTANT = re.compile(r"-?Infinity|NaN")


class Scanner:
    """Finds the spans of one text. `object` may be called again for an object inside one that was scanned."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._strict = True
        self._notes: dict[str, int] = {}

    def document(self) -> Document:
        """Scan the whole text. Raises HostFileError when it is not one JSON object."""
        text = self._text
        comments: list[Span] = []
        if text.startswith(BOM):
            self._notes["bom"] = 0
        start = self._skip_blank(len(self._notes), comments)
        root: JsonObject | None = None
        if start < len(text):
            if text[start] != "{":
                raise fault(text, start, f"the file must hold an object, not {kind(text, start)}")
            root = self.object(start)
            end = self._skip_blank(root.close + 1, comments)
            if end < len(text):
                raise fault(text, end, f"expected the end of the file, found {kind(text, end)}")
        places = sorted((offset, code) for code, offset in self._notes.items())
        notes = tuple(Note(code, position(text, offset)[0]) for offset, code in places)
        return Document(root, tuple(comments), notes)

    def object(self, start: int, depth: int = 1) -> JsonObject:
        """The object whose opening brace stands at `start`. Raises HostFileError."""
        text = self._text
        self._limit(start, depth)
        members: list[Member] = []
        comments: list[Span] = []
        by_key: dict[str, Member] = {}
        at = self._skip_blank(start + 1, comments)
        while text[at : at + 1] != "}":
            key_start = at
            if text[at : at + 1] != '"':
                raise self._unexpected(at, "expected a key in double quotes or `}`", start)
            key, at = self._string(at)
            if key in by_key:
                self._notes.setdefault("duplicate-key", key_start)
            at = self._skip_blank(at, comments)
            if text[at : at + 1] != ":":
                raise self._unexpected(at, "expected `:` after the key", start)
            value = self._skip_blank(at + 1, comments)
            end = self._value(value, depth + 1, start)
            comma, at = self._after_value(end, comments, "}", start)
            by_key[key] = Member(key, key_start, value, end, comma)
            members.append(by_key[key])
        return JsonObject(start, at, tuple(members), tuple(comments), by_key)

    def array(self, start: int, depth: int = 1) -> JsonObject:
        """The array whose bracket stands at `start`, as an object whose members have their place for a key ("0", "1" ...)."""
        text = self._text
        self._limit(start, depth)
        members: list[Member] = []
        comments: list[Span] = []
        at = self._skip_blank(start + 1, comments)
        while text[at : at + 1] != "]":
            end = self._value(at, depth + 1, start)
            comma, following = self._after_value(end, comments, "]", start)
            members.append(Member(str(len(members)), at, at, end, comma))
            at = following
        return JsonObject(start, at, tuple(members), tuple(comments), {member.key: member for member in members})

    def _value(self, start: int, depth: int, opened: int) -> int:
        """Where the value that begins at `start` ends; `opened` is the bracket it stands in."""
        text = self._text
        first = text[start : start + 1]
        if first == '"':
            return self._string(start)[1]
        if first in ("{", "["):
            quick = self._quick(start, depth) if self._strict else None
            if quick is not None:
                return quick
            return (self.object if first == "{" else self.array)(start, depth).close + 1
        found = SCALAR.match(text, start)
        if found is None:
            if constant := _CONSTANT.match(text, start):
                raise fault(text, start, f"`{constant.group()}` is not JSON")
            raise self._unexpected(start, "expected a value", opened)
        return found.end()

    def _quick(self, start: int, depth: int) -> int | None:
        """Where a strict value ends, by the standard library; None where only the slow way can tell.

        Its refusals count the lines of the whole text, so the first one is the last: many would take quadratic time.
        """
        text, levels = self._text, DEEPEST - depth + 1
        try:
            value, end = STRICT.raw_decode(text, start)
        except (ValueError, RecursionError):
            self._strict = False
            return None
        if text.count("{", start, end) + text.count("[", start, end) > levels and deeper_than(value, levels):
            return None
        return end

    def _after_value(self, end: int, comments: list[Span], closer: str, opened: int) -> tuple[int | None, int]:
        """Where the comma after a value stands, if there is one, and where the next member, element or closer begins."""
        text = self._text
        at = self._skip_blank(end, comments)
        found = text[at : at + 1]
        if found == closer:
            return None, at
        if found != ",":
            raise self._unexpected(at, f"expected `,` or `{closer}`", opened)
        following = self._skip_blank(at + 1, comments)
        if text[following : following + 1] == closer:
            self._notes.setdefault("trailing-commas", at)
        return at, following

    def _string(self, start: int) -> tuple[str, int]:
        """What the string says and where it ends."""
        if plain := _PLAIN_STRING.match(self._text, start):
            return plain.group(1), plain.end()
        try:
            value, end = STRICT.raw_decode(self._text, start)
        except ValueError:
            raise self._string_fault(start) from None
        return str(value), end

    def _string_fault(self, start: int) -> HostFileError:
        text = self._text
        at = start + 1
        while found := _STRING_PART.match(text, at):
            at = found.end()
        if at >= len(text) or text[at] in "\r\n":
            return fault(text, start, "a string that is not closed")
        if text[at] == "\\":
            return fault(text, at, "a backslash that begins no JSON escape")
        return fault(text, at, f"control character U+{ord(text[at]):04X} in a string")

    def _skip_blank(self, at: int, comments: list[Span]) -> int:
        """Past white space and comments, which are added to `comments`."""
        text = self._text
        while True:
            at = space_after(text, at)
            found = _COMMENT.match(text, at)
            if found is None:
                if text.startswith("/*", at):
                    raise fault(text, at, "a comment that is not closed")
                return at
            comments.append(found.span())
            self._notes.setdefault("comments", at)
            at = found.end()

    def _limit(self, start: int, depth: int) -> None:
        if depth > DEEPEST:
            raise fault(self._text, start, f"more than {DEEPEST} objects and arrays inside each other")

    def _unexpected(self, at: int, expected: str, opened: int) -> HostFileError:
        text = self._text
        if at < len(text):
            return fault(text, at, f"{expected}, found {kind(text, at)}")
        line, column = position(text, opened)
        return fault(text, at, f"{kind(text, opened)} that begins on line {line}, column {column} is not closed")
