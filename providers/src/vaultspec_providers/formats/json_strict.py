"""Plain JSON, read by the standard library at its speed, and how deep it may be.

What it refuses may still be fine: `json_scan` reads comments, trailing commas and duplicate keys, and says what is wrong.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

DEEPEST = 100
"""How many objects and arrays may stand inside each other. Bounds the recursion of the scanner."""


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _no_constant(_: str) -> NoReturn:
    raise ValueError("NaN and Infinity are not JSON")


STRICT = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
"""Reads what needs neither note nor error, at the speed of the standard library; raises ValueError or RecursionError."""


def strict_object(text: str) -> dict[str, Any] | None:
    """The object that a whole text is, or None when it is anything but plain JSON without duplicate keys."""
    try:
        value = STRICT.decode(text)
    except (ValueError, RecursionError):
        return None
    if text.count("{") + text.count("[") > DEEPEST and deeper_than(value, DEEPEST):
        return None
    return value if isinstance(value, dict) else None


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
