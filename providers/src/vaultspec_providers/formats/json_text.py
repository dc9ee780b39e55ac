"""A JSON text and places in it: members, commas and comments as offsets, a place as line and column.

Reasons of errors name the kind of what was found, never its text: a host file holds secrets. The records here and in the
modules beside it are named tuples, because a dataclass takes eight times as long to define and every status loads them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from vaultspec_providers.contract import HostFileError, Note

SPACE = " \t\r\n"
BOM = "\ufeff"
_BLANK = re.compile(r"[ \t\r\n]*+")
SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null")
LINE_END = re.compile(r"\r\n|\r|\n")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_KINDS = {"{": "an object", "[": "an array", '"': "a string", "t": "`true`", "f": "`false`", "n": "`null`"}

Span = tuple[int, int]


class Member(NamedTuple):
    """One member: `start` is the quote that opens its key, `value` where the value begins, `end` just after the value."""

    key: str
    start: int
    value: int
    end: int
    comma: int | None


class JsonObject(NamedTuple):
    """One object: `start` and `close` are its braces. `comments` are those outside the values of its members.

    `by_key` has the member that counts for each key: JSON readers take the last one.
    """

    start: int
    close: int
    members: tuple[Member, ...]
    comments: tuple[Span, ...]
    by_key: Mapping[str, Member]


class Document(NamedTuple):
    """A whole text. `root` is None for a text that is blank but for comments; `comments` are those outside the root."""

    root: JsonObject | None
    comments: tuple[Span, ...]
    notes: tuple[Note, ...]


def decode(data: bytes | None) -> str:
    """The text of a host file, its byte order mark included; no file is an empty text. Raises HostFileError."""
    if data is None:
        return ""
    if data.startswith(_UTF_16):
        raise HostFileError("the file is UTF-16; it must be UTF-8", 1, 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise fault(before, len(before), f"byte 0x{data[error.start]:02X} is not UTF-8") from None


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and column of a place, from 1, in characters. A byte order mark takes no column."""
    line, start = 1, 1 if text.startswith(BOM) else 0
    for found in LINE_END.finditer(text, 0, offset):
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
    if SCALAR.match(text, offset):
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
