"""Values of a JSON text: what a span means, whether two values are the same, how one is written.

Reads what `json_text` let through, so comments and trailing commas may stand in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.json_layout import Layout
from vaultspec_providers.formats.json_strict import DEEPEST

_STRING = r'("[^"\\]*+(?:\\.[^"\\]*+)*")'
_COMMENTS = re.compile(_STRING + r"|//[^\r\n]*+|/\*(?s:.*?)\*/")
_TRAILING_COMMAS = re.compile(_STRING + r"|,(?=[ \t\r\n]*+[}\]])")
_SURROGATE = re.compile("[\ud800-\udfff]")


def value_of(text: str) -> Any:
    """What the text of one value means. The last of duplicate keys counts; a number too long for an int is a float."""
    try:
        return json.loads(text)
    except ValueError:
        for pattern in (_COMMENTS, _TRAILING_COMMAS):
            text = pattern.sub(lambda found: found.group(1) or " ", text)
        return json.loads(text, parse_int=_number)


def _number(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:  # Python refuses to read integers of thousands of digits
        return float(digits)


def same(left: Any, right: Any) -> bool:
    """Whether two parsed values are equal as JSON: the order of keys says nothing, and `true` is not 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def plain(value: object, levels: int = DEEPEST) -> Any:
    """An entry as the JSON value it will be read back as. Raises HostFileError for what JSON cannot say."""
    match value:
        case Mapping() | list() | tuple() if levels == 0:
            raise HostFileError(f"an entry of more than {DEEPEST} objects and arrays inside each other")
        case Mapping():
            return {_text(key): plain(item, levels - 1) for key, item in value.items()}
        case list() | tuple():
            return [plain(item, levels - 1) for item in value]
        case str():
            return _text(value)
        case None | bool() | int() | float():
            return value
        case _:
            raise HostFileError(f"an entry with a value that JSON cannot say ({type(value).__name__})")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise HostFileError(f"an entry with a key that is no string ({type(value).__name__})")
    if _SURROGATE.search(value):
        raise HostFileError("an entry with half of a surrogate pair, which no UTF-8 file can hold")
    return value


def write(value: Any, layout: Layout) -> str:
    """The text of a plain value. Non-ASCII text stays readable; line breaks inside strings are always escapes."""
    comma = "," + layout.between if not layout.lines else ","
    try:
        text = json.dumps(
            value,
            ensure_ascii=False,
            allow_nan=False,
            indent=layout.unit if layout.lines else None,
            separators=(comma, layout.colon),
        )
    except ValueError:
        raise HostFileError("an entry with a number that JSON cannot say") from None
    return text.replace("\n", layout.newline + layout.indent)


def write_members(members: Mapping[str, Any], layout: Layout) -> str:
    """The text of members as they stand between the braces of an object, without white space around them."""
    return ("," + layout.between).join(
        write(key, layout) + layout.colon + write(value, layout) for key, value in members.items()
    )
