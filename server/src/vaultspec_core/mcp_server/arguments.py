"""What a call may say: the arguments against a tool's schema, with the defaults filled in and each fault explained by name.

The part of JSON Schema that tools use (`KEYWORDS`) is small enough to be checked here, in microseconds; jsonschema is the oracle in the tests.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from vaultspec_core.report import Refusal

KEYWORDS = frozenset(
    {"type", "enum", "default", "minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength"}
    | {"minItems", "maxItems", "items", "properties", "required", "additionalProperties", "description"}
)

_SHOWN_PROBLEMS = 5
_SHOWN_CHARACTERS = 60
_WORDS = {
    "null": "null",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "array": "a list",
    "object": "an object",
}


def settle(schema: Mapping[str, Any], arguments: Mapping[str, Any], withheld: frozenset[str]) -> dict[str, Any]:
    """The arguments as the tool takes them. `withheld`: names that exist, but not on this server's surface.

    A null where a default stands in means the default. Raises Refusal `invalid-arguments`, which names everything that is wrong.
    """
    problems: list[str] = []
    hidden = [name for name in arguments if name in withheld]
    problems += [f"`{name}` is not offered by a read-only server" for name in hidden]
    offered = {name: value for name, value in arguments.items() if name not in withheld}
    settled: dict[str, Any] = _object(schema, offered, "", problems)
    if problems:
        more = len(problems) - _SHOWN_PROBLEMS
        tail = [f"and {more} more"] if more > 0 else []
        raise Refusal("invalid-arguments", "; ".join([*problems[:_SHOWN_PROBLEMS], *tail]))
    return settled


def _value(schema: Mapping[str, Any], value: Any, path: str, problems: list[str]) -> Any:
    kind = _kind(value)
    if not _fits(schema, value, kind):
        problems.append(f"`{path}` must be {_expected(schema)}, got {shown(value)}")
        return value
    if kind == "array":
        return _array(schema, value, path, problems)
    if kind == "object":
        return _object(schema, value, path, problems)
    if kind == "integer" and not isinstance(value, int):
        return int(value)
    return value


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def _fits(schema: Mapping[str, Any], value: Any, kind: str) -> bool:
    types = _types(schema)
    if types and kind not in types and not (kind == "integer" and "number" in types):
        return False
    if "enum" in schema and not any(_kind(one) == kind and one == value for one in schema["enum"]):
        return False
    if kind in ("integer", "number"):
        return (
            math.isfinite(value)
            and schema.get("minimum", value) <= value <= schema.get("maximum", value)
            and ("exclusiveMinimum" not in schema or value > schema["exclusiveMinimum"])
        )
    if kind == "string":
        return bool(schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)))
    if kind == "array":
        return bool(schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)))
    return True


def _array(schema: Mapping[str, Any], value: Sequence[Any], path: str, problems: list[str]) -> list[Any]:
    items = schema.get("items", {})
    return [_value(items, one, f"{path}[{index}]", problems) for index, one in enumerate(value)]


def _object(schema: Mapping[str, Any], value: Mapping[str, Any], path: str, problems: list[str]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    settled = {}
    for name, one in value.items():
        where = f"{path}.{name}" if path else name
        known = properties.get(name)
        if known is not None:
            if one is None and known.get("default") is not None:
                one = known["default"]
            settled[name] = _value(known, one, where, problems)
        elif others is False:
            what = f"`{path}` has no field `{name}`" if path else f"unknown argument `{name}`"
            problems.append(what + near(name, properties))
        else:
            settled[name] = one if others is True else _value(others, one, where, problems)
    for name in schema.get("required", ()):
        if name not in value:
            problems.append(f"`{path}.{name}` is required" if path else f"`{name}` is required")
    for name, known in properties.items():
        if name not in value and "default" in known:
            settled[name] = known["default"]
    return settled


def near(name: str, names: Sequence[str] | Mapping[str, Any]) -> str:
    """The end of a sentence that asks after the name that was meant; empty when none is close."""
    from difflib import get_close_matches

    found = get_close_matches(name, list(names), 1)
    return f" (did you mean `{found[0]}`?)" if found else ""


def _types(schema: Mapping[str, Any]) -> list[str]:
    types = schema.get("type", [])
    return [types] if isinstance(types, str) else list(types)


def _expected(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {', '.join(json.dumps(one) for one in schema['enum'])}"
    words = []
    for one in _types(schema):
        words.append(_WORDS[one] + _bounds(schema, one))
    return " or ".join(words)


def _bounds(schema: Mapping[str, Any], kind: str) -> str:
    if kind in ("integer", "number"):
        low, above, high = (schema.get(key) for key in ("minimum", "exclusiveMinimum", "maximum"))
        if low is not None and high is not None:
            return f" from {low} to {high}"
        parts = [f"above {above}"] * (above is not None) + [f"of at least {low}"] * (low is not None)
        return " " + " and ".join([*parts, *[f"at most {high}"] * (high is not None)]) if parts or high else ""
    if kind == "array":
        of = {"string": " of strings", "object": " of objects"}.get(str(schema.get("items", {}).get("type")), "")
        return of + _count(schema, "minItems", "maxItems", "entry", "entries")
    if kind == "string":
        return _count(schema, "minLength", "maxLength", "character", "characters")
    return ""


def _count(schema: Mapping[str, Any], low: str, high: str, one: str, many: str) -> str:
    parts = []
    if low in schema:
        parts.append(f"at least {schema[low]} {one if schema[low] == 1 else many}")
    if high in schema:
        parts.append(f"at most {schema[high]} {many}")
    return f" with {' and '.join(parts)}" if parts else ""


def shown(value: Any) -> str:
    """A value as a message names it: short, and none of what a list or an object holds."""
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, Mapping):
        return "an object"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
