"""A TOML host file as text, statements and data, with every way of being unreadable told in one kind of error.

`tomllib` has the last word on what a text means. Most files need it not: where every line is of a plain form that JSON
spells alike, the statements say the same and start-up is spared the import (a test holds the two equal).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.toml_text import DEEPEST, TOO_DEEP, Statement, line_of, scan
from vaultspec_providers.formats.toml_value import LARGEST

# Patterns of the slow path are compiled where they are used.
_PLACE = r" \(at (?:line (\d+), column (\d+)|end of document)\)$"
_LONG_NUMBER = r"[0-9_]{4300}"
_DEEP_KEY = rf"""(?<![\w.-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{DEEPEST}}}"""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")
_STRING = r'"[^"\\\x00-\x1f\x7f]*+"'
_NUMBER = r"-?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,9})?"
_PLAIN = re.compile(rf"(?:{_STRING}|\[(?:{_STRING}(?:, ?{_STRING})*+)?\]|true|false|{_NUMBER})")
_PAIR = rf"({_STRING}) = ({_STRING})"
_PLAIN_TABLE = re.compile(rf"\{{ ?(?:{_PAIR}(?:, {_PAIR})*+)? ?\}}")
_PAIRS = re.compile(_PAIR)


class Document(NamedTuple):
    """A host file that was read: the text behind the byte order mark (`bom`, mostly empty), statements, data."""

    bom: str
    text: str
    statements: Sequence[Statement]
    data: Mapping[str, Any]


def read_document(data: bytes | None) -> Document:
    """Decode, scan and parse a file. Raises HostFileError for anything that is not TOML in UTF-8."""
    whole = decoded(data)
    text = whole.removeprefix("\ufeff")
    bom = whole[: len(whole) - len(text)]
    try:
        statements = scan(text)
    except HostFileError:
        parsed(text)
        raise
    plain = plain_data(text, statements)
    return Document(bom, text, statements, parsed(text) if plain is None else plain)


def decoded(data: bytes | None) -> str:
    """The text of a file, a byte order mark included. Raises HostFileError with the place of the first bad byte."""
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line = before[before.rfind(b"\n") + 1 :].decode("utf-8")
        raise HostFileError(
            f"the byte 0x{error.object[error.start]:02x} is not UTF-8", before.count(b"\n") + 1, len(line) + 1
        ) from error


def parsed(text: str) -> dict[str, Any]:
    """The data of a text as `tomllib` reads it. Raises HostFileError with line, column and reason."""
    import tomllib

    deep = re.search(_DEEP_KEY, text)
    if deep:
        raise HostFileError(f"a key has more than {DEEPEST} parts", line_of(text, deep.start()))
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _malformed(text, str(error)) from error
    except RecursionError:
        scan(text)
        raise HostFileError(TOO_DEEP) from None
    except ValueError as error:  # Python limits the digits of an integer, and its message gives no place
        long = re.search(_LONG_NUMBER, text)
        raise HostFileError("a number is too long", line_of(text, long.start()) if long else None) from error
    reason = _unfit(data, DEEPEST)
    if reason is None:
        return data
    for it in scan(text):
        value = f"value = {text[it.value_start : it.value_end]}"
        if it.kind == "key" and _unfit(tomllib.loads(value), DEEPEST + 1 - len(it.path)):
            raise HostFileError(reason, line_of(text, it.start))
    raise HostFileError(reason)


def _malformed(text: str, message: str) -> HostFileError:
    place = re.search(_PLACE, message)
    reason = message[: place.start()] if place else message
    if place and place[1]:
        return HostFileError(reason, int(place[1]), int(place[2]))
    return HostFileError(reason, line_of(text, len(text)), len(text) - text.rfind("\n"))


def _unfit(data: Mapping[str, Any], levels: int) -> str | None:
    """Why later work could not walk through this data or a client not read it: the depth, or the size of an integer."""
    level: list[Any] = [data]
    for _ in range(levels):
        members = [member for node in level for member in (node.values() if isinstance(node, dict) else node)]
        if any(isinstance(member, int) and not -LARGEST <= member < LARGEST for member in members):
            return "an integer does not fit into 64 bits"
        level = [member for member in members if isinstance(member, dict | list)]
        if not level:
            return None
    return TOO_DEEP


def plain_data(text: str, statements: Sequence[Statement]) -> dict[str, Any] | None:
    """The data of a text of plain lines, equal to what `tomllib` gives; None where any line is of another form."""
    if _CONTROL.search(text):
        return None
    root: dict[str, Any] = {}
    tables: dict[tuple[str, ...], dict[str, Any]] = {(): root}
    section: tuple[str, ...] = ()
    for kind, _, _, path, start, end in statements:
        if kind == "array" or len(path) >= DEEPEST:
            return None
        if kind == "table":
            section = path
            if path in tables or not _open(tables, path):
                return None
        elif kind == "key":
            value = _plain_value(text[start:end])
            if value is None or path[:-1] != section or path[-1] in tables[section]:
                return None
            tables[section][path[-1]] = value
    return root


def _open(tables: dict[tuple[str, ...], dict[str, Any]], path: tuple[str, ...]) -> bool:
    """Make the table of a header and those above it; False when a key holds one of their places."""
    for length in range(1, len(path) + 1):
        if path[:length] not in tables:
            above = tables[path[: length - 1]]
            if path[length - 1] in above:
                return False
            tables[path[:length]] = above[path[length - 1]] = {}
    return True


def _plain_value(value: str) -> Any:
    if _PLAIN.fullmatch(value):
        return json.loads(value)
    if _PLAIN_TABLE.fullmatch(value):
        pairs = [(key[1:-1], member[1:-1]) for key, member in _PAIRS.findall(value)]
        members = dict(pairs)
        return members if len(members) == len(pairs) else None
    return None
