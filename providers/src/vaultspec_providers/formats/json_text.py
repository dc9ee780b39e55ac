"""Where things stand in a JSON text: the members, commas and comments of an object, as offsets into the text.

The grammar is RFC 8259 with what people and clients put on top of it: `//` and `/* */` comments, a comma before a
closing bracket, a byte order mark. Whatever is not that raises HostFileError with line, column and reason. Reasons
name the kind of what was found, never its text: a host file holds secrets.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from vaultspec_providers.contract import HostFileError, Note

DEEPEST = 100
"""How many objects and arrays may stand inside each other. Bounds the recursion of the scanner."""

SPACE = " \t\r\n"
BOM = "\ufeff"
_BLANK = re.compile(r"[ \t\r\n]*+")
_COMMENT = re.compile(r"//[^\r\n]*+|/\*(?s:.*?)\*/")
_PLAIN_STRING = re.compile(r'"([^"\\\x00-\x1f]*+)"')
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null")
_CONSTANT = re.compile(r"-?Infinity|NaN")
_STRING_PART = re.compile(r'[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_LINE_END = re.compile(r"\r\n|\r|\n")
_UNICODE = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_KINDS = {"{": "an object", "[": "an array", '"': "a string", "t": "`true`", "f": "`false`", "n": "`null`"}

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Member:
    """One member: `start` is the quote that opens its key, `value` where the value begins, `end` just after the value."""

    key: str
    start: int
    value: int
    end: int
    comma: int | None


@dataclass(frozen=True)
class JsonObject:
    """One object: `start` and `close` are its braces. `comments` are those outside the values of its members."""

    start: int
    close: int
    members: tuple[Member, ...]
    comments: tuple[Span, ...]

    @cached_property
    def by_key(self) -> dict[str, Member]:
        """The member that counts for each key: JSON readers take the last one."""
        return {member.key: member for member in self.members}


@dataclass(frozen=True, slots=True)
class Document:
    """A whole text. `root` is None for a text that is blank but for comments; `comments` are those outside the root."""

    root: JsonObject | None
    comments: tuple[Span, ...]
    notes: tuple[Note, ...]


def decode(data: bytes | None) -> str:
    """The text of a host file, its byte order mark included; no file is an empty text. Raises HostFileError."""
    if data is None:
        return ""
    if wide := _UNICODE.get(data[:2]):
        raise HostFileError(f"the file is {wide}; it must be UTF-8", 1, 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise fault(before, len(before), f"byte 0x{data[error.start]:02X} is not UTF-8") from None


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and column of a place, from 1, in characters. A byte order mark takes no column."""
    line, start = 1, 1 if text.startswith(BOM) else 0
    for found in _LINE_END.finditer(text, 0, offset):
        line, start = line + 1, found.end()
    return line, max(offset - start, 0) + 1


def fault(text: str, offset: int, reason: str) -> HostFileError:
    """The error at a place of the text."""
    line, column = position(text, offset)
    return HostFileError(reason, line, column)


def kind(text: str, offset: int) -> str:
    """What begins at the offset, in words that give away no content."""
    if offset >= len(text):
        return "the end of the file"
    found = text[offset]
    if _SCALAR.match(text, offset):
        return _KINDS.get(found, "a number")
    if found in '{["':
        return _KINDS[found]
    return f"`{found}`" if found.isascii() and found.isprintable() else f"U+{ord(found):04X}"


def space_before(text: str, offset: int) -> int:
    """Where the white space that ends at the offset begins."""
    while offset > 0 and text[offset - 1] in SPACE:
        offset -= 1
    return offset


def space_after(text: str, offset: int) -> int:
    """Where the white space that begins at the offset ends."""
    found = _BLANK.match(text, offset)
    return found.end() if found else offset


def deeper_than(value: object, levels: int) -> bool:
    """Whether more objects and arrays stand inside each other than `levels`."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(levels):
        if not level:
            return False
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, dict | list)
        ]
    return bool(level)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _no_constant(_: str) -> NoReturn:
    raise ValueError("NaN and Infinity are not JSON")


STRICT = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
"""Reads what needs neither note nor error, at the speed of the standard library; raises ValueError or RecursionError."""


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
        keys: set[str] = set()
        at = self._skip_blank(start + 1, comments)
        while text[at : at + 1] != "}":
            key_start = at
            if text[at : at + 1] != '"':
                raise self._unexpected(at, "expected a key in double quotes or `}`", start)
            key, at = self._string(at)
            if key in keys:
                self._notes.setdefault("duplicate-key", key_start)
            keys.add(key)
            at = self._skip_blank(at, comments)
            if text[at : at + 1] != ":":
                raise self._unexpected(at, "expected `:` after the key", start)
            value = self._skip_blank(at + 1, comments)
            end = self._value(value, depth + 1, start)
            comma, at = self._after_value(end, comments, "}", start)
            members.append(Member(key, key_start, value, end, comma))
        return JsonObject(start, at, tuple(members), tuple(comments))

    def _array(self, start: int, depth: int) -> int:
        text = self._text
        self._limit(start, depth)
        comments: list[Span] = []
        at = self._skip_blank(start + 1, comments)
        while text[at : at + 1] != "]":
            end = self._value(at, depth + 1, start)
            _, at = self._after_value(end, comments, "]", start)
        return at + 1

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
            return self.object(start, depth).close + 1 if first == "{" else self._array(start, depth)
        found = _SCALAR.match(text, start)
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
