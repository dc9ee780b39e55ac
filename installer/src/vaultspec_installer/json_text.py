"""JSON of our own files, read strictly: one object, no key twice, and the line of whatever is wrong.

A byte order mark is accepted, since editors add it unasked. `line_of` finds the line of a JSON pointer; it is needed only to
explain a fault, so that good files are parsed by the standard library alone.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

ONE_OBJECT = "one JSON object in UTF-8"
DEEPEST = 100
"""How many objects and arrays may stand inside each other: far below where any parser or writer of ours gives up."""


class Malformed(Exception):
    """The bytes are no JSON object that we take. `found` reads on from "the file is"; `line` counts from 1, None without a place.

    `pointer`: of a doubled key, else empty.
    """

    def __init__(self, found: str, line: int | None = None, pointer: str = "", allowed: str = ONE_OBJECT) -> None:
        super().__init__(found)
        self.found = found
        self.line = line
        self.pointer = pointer
        self.allowed = allowed


class _Doubled(ValueError):
    """A key stands twice in one object."""


def text_of(data: bytes) -> str:
    """The text without a byte order mark. Raises Malformed."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Malformed(f"not UTF-8 (byte 0x{data[error.start]:02x})", line) from error


def parse_object(data: bytes) -> dict[str, Any]:
    """The object that the file holds. Raises Malformed."""
    text = text_of(data)
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_refuse_number, parse_float=_number)
    except _Doubled as error:
        pointer, line = _doubled_place(text)
        raise Malformed("a key that stands twice", line, pointer, "each key once") from error
    except json.JSONDecodeError as error:
        raise Malformed(f"not JSON: {error.msg} at column {error.colno}", error.lineno) from error
    except RecursionError as error:
        raise Malformed("nested too deeply") from error
    except ValueError as error:
        raise Malformed("not JSON: a number is not finite, or too large") from error
    if not isinstance(value, dict):
        raise Malformed(kind(value), 1)
    if text.count("{") + text.count("[") > DEEPEST and any(len(path) >= DEEPEST for path, _ in _places(text)):
        raise Malformed("nested too deeply")
    return value


def kind(value: object) -> str:
    """What a parsed value is, for a sentence: `a number`, `an array` ... Never the value itself."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string" if value else "an empty string"
        case list():
            return "an array"
        case _:
            return "an object"


def pointer(path: Sequence[str | int]) -> str:
    """The JSON pointer (RFC 6901) of a path of keys and indexes; the root is the empty string."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def line_of(text: str, wanted: str) -> int | None:
    """The line, from 1, where the member or element of a JSON pointer starts, or else what should hold it; None without either.

    The text must have been parsed before.
    """
    holder: int | None = None
    for path, start in _places(text):
        place = pointer(path)
        if place == wanted:
            return text.count("\n", 0, start) + 1
        if place == wanted.rpartition("/")[0]:
            holder = text.count("\n", 0, start) + 1
    return holder


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Doubled
            seen.add(key)
    return found


def _refuse_number(_: str) -> float:
    raise ValueError


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def _doubled_place(text: str) -> tuple[str, int]:
    """Pointer and line of the first key that stands a second time in its object."""
    seen: set[str] = set()
    for path, start in _places(text):
        place = pointer(path)
        if place in seen:
            return place, text.count("\n", 0, start) + 1
        seen.add(place)
    return "", 1


def _places(text: str) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Every value's path and where it starts (a member: where its key starts), in the order of the text. Needs valid JSON."""
    token = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|[^\s,:\[\]{}"]+', re.DOTALL)
    paths: list[tuple[str | int, ...]] = []
    counts: list[int | None] = []
    key: tuple[str, int] | None = None
    yield (), len(text) - len(text.lstrip(" \t\r\n"))
    for match in token.finditer(text):
        said = match.group()
        if said in ("]", "}"):
            paths.pop()
            counts.pop()
            continue
        path: tuple[str | int, ...] = ()
        if counts:
            count = counts[-1]
            if count is None and key is None:
                key = json.loads(said, strict=False), match.start()
                continue
            if count is None and key is not None:
                path, start, key = (*paths[-1], key[0]), key[1], None
            else:
                path, start = (*paths[-1], count or 0), match.start()
                counts[-1] = (count or 0) + 1
            yield path, start
        if said in ("[", "{"):
            paths.append(path)
            counts.append(0 if said == "[" else None)
