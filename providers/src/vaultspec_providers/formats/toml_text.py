"""The statements of a TOML text and where each stands, without reading values.

Splicing needs to know which lines are comments, headers and keys, and must not be deceived by strings and arrays that
run over several lines. Every line of the text belongs to exactly one statement. The text is taken to be valid TOML:
what a parser would refuse may be scanned wrongly, but never slowly.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from vaultspec_providers.contract import HostFileError

DEEPEST = 100
"""Levels of tables, keys and arrays that a host file may use. No client needs ten; recursion ends at a few hundred."""

TOO_DEEP = f"nested more than {DEEPEST} levels deep"

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+')"""
_KEY = rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+"
_REST = r"[ \t]*+(?:\#[^\n]*+)?(?:\r?\n|\Z)"
_STATEMENT = re.compile(
    rf"""[ \t]*+(?:
        (?P<comment>\#[^\n]*+(?:\n|\Z))
      | (?P<key>{_KEY})[ \t]*+=[ \t]*+
      | \[[ \t]*+(?P<table>{_KEY})[ \t]*+\]{_REST}
      | \[\[[ \t]*+(?P<array>{_KEY})[ \t]*+\]\]{_REST}
      | \r?\n | \Z
    )""",
    re.VERBOSE,
)
_VALUE_TOKEN = re.compile(
    r""""{3}(?:[^"\\]|\\.|"(?!""))*+"{3,5}"""
    r"""|'{3}(?:[^']|'(?!''))*+'{3,5}"""
    r'''|"(?!"")(?:[^"\\\n]|\\[^\n])*+"'''
    r"""|'(?!'')[^'\n]*+'"""
    r"""|\#[^\n]*+|[\[\]{}\n]|[^"'\#\[\]{}\n]++""",
    re.DOTALL,
)
_PARTS = re.compile(_PART)


class Statement(NamedTuple):
    """One statement: whole lines from `start` to `end`, the newline included.

    `path` is the absolute key path of a header or key; `value_start` to `value_end` spans the value of a key.
    """

    kind: Literal["blank", "comment", "table", "array", "key"]
    start: int
    end: int
    path: tuple[str, ...] = ()
    value_start: int = 0
    value_end: int = 0


def scan(text: str) -> list[Statement]:
    """All statements in order, covering the text from its first to its last character. Raises HostFileError."""
    found: list[Statement] = []
    section: tuple[str, ...] = ()
    position = 0
    while position < len(text):
        match = _STATEMENT.match(text, position)
        if match is None:
            raise HostFileError("this line cannot be read as TOML", line_of(text, position))
        end = match.end()
        match match.lastgroup:
            case "key":
                path = section + key_parts(match["key"])
                value_end, line_end = _value(text, end, DEEPEST - len(path))
                statement = Statement("key", position, line_end, path, end, value_end)
            case "table" | "array" as kind:
                section = key_parts(match[kind])
                statement = Statement(kind, position, end, section)
            case "comment":
                statement = Statement("comment", position, end)
            case _:
                statement = Statement("blank", position, end)
        found.append(statement)
        position = statement.end
    return found


def _value(text: str, start: int, levels: int) -> tuple[int, int]:
    """Where the value that starts here ends, and where its last line ends."""
    position, depth = start, 0
    while position < len(text):
        char = text[position]
        if depth == 0 and char in "#\n":
            break
        if char in "[{":
            depth += 1
            if depth > levels:
                raise HostFileError(TOO_DEEP, line_of(text, position))
        elif char in "]}":
            depth -= 1
        token = _VALUE_TOKEN.match(text, position)
        if token is None:
            raise HostFileError("a string is not closed", line_of(text, position))
        position = token.end()
    newline = text.find("\n", position)
    value = text[start:position].rstrip(" \t\r")
    return start + len(value), len(text) if newline < 0 else newline + 1


def comments_within(text: str, start: int, end: int) -> list[str]:
    """The comments inside a value, which an array over several lines may have."""
    tokens = (match[0] for match in _VALUE_TOKEN.finditer(text, start, end))
    return [token.rstrip() for token in tokens if token[0] == "#"]


def key_parts(key: str) -> tuple[str, ...]:
    """The parts of a dotted key as it is written, unquoted."""
    if '"' not in key and "'" not in key:
        return tuple(part.strip(" \t") for part in key.split("."))
    return tuple(_unquote(part) for part in _PARTS.findall(key))


def _unquote(part: str) -> str:
    if part[0] == '"' and "\\" in part:
        import tomllib

        try:
            text: str = tomllib.loads(f"key = {part}")["key"]
        except tomllib.TOMLDecodeError as error:
            raise HostFileError(f"the key {part} cannot be read") from error
        return text
    return part[1:-1] if part[0] in "\"'" else part


def line_of(text: str, position: int) -> int:
    """The line of a position, counted from 1."""
    return text.count("\n", 0, position) + 1


def newline_of(text: str) -> str:
    """The newline that most lines of the text end with."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
