"""Values, keys and whole server tables as TOML text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from vaultspec_providers.contract import Entry, HostFileError

LARGEST = 2**63
"""Integers of TOML have 64 bits; a host refuses its whole file for a larger one."""

# Nothing is written on the way of a status, so that these patterns are compiled at their first use.
_BARE = r"[A-Za-z0-9_-]+"
_ESCAPED = r'["\\\x00-\x1f\x7f]'
_SURROGATE = "[\ud800-\udfff]"
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def render_string(text: str) -> str:
    """A basic string on one line: control characters and DEL escaped, all else literal. Raises HostFileError."""
    if re.search(_SURROGATE, text):
        raise HostFileError("a string holds half a surrogate pair, which TOML cannot say")
    return '"' + re.sub(_ESCAPED, _escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"


def render_value(value: object) -> str:
    """Any TOML value on one line; a table becomes an inline table with sorted, quoted keys. Raises HostFileError."""
    match value:
        case str():
            return render_string(value)
        case bool():
            return "true" if value else "false"
        case int() if -LARGEST <= value < LARGEST:
            return str(value)
        case float():
            return repr(value)
        case list():
            return "[" + ", ".join(map(render_value, value)) + "]"
        case Mapping():
            members = [f"{render_string(key)} = {render_value(value[key])}" for key in sorted(value)]
            return "{ " + ", ".join(members) + " }" if members else "{}"
    return _render_moment(value)


def _render_moment(value: object) -> str:
    from datetime import date, time

    if isinstance(value, date | time):
        return value.isoformat()
    raise HostFileError(f"a value of type {type(value).__name__} cannot be written as TOML")


def trimmed(entry: Any) -> Any:
    """An entry without its empty tables: `env = {}` says the same as no `env` and is not written."""
    if not isinstance(entry, Mapping):
        return entry
    return {key: value for key, value in entry.items() if not (isinstance(value, Mapping) and not value)}


def render_row(key: str, value: object) -> str:
    """One line of a table, without newline; the key is bare where TOML allows it."""
    return f"{key if re.fullmatch(_BARE, key) else render_string(key)} = {render_value(value)}"


def render_table(table: str, name: str, entry: Entry, newline: str) -> str:
    """A server as a table of its own: `[table."name"]` and its sorted keys, each line ended."""
    rows = [render_row(key, value) for key, value in sorted(trimmed(entry).items())]
    return "".join(line + newline for line in [f"[{table}.{render_string(name)}]", *rows])


def same(one: Any, other: Any) -> bool:
    """Equality of parsed TOML where types, NaN and the sign of zero count, and the order of keys does not."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and repr(one) == repr(other)
