"""Why a definition is refused: every fault with its place, what was found and what is allowed.

The quick check in `definition` decides; this explains what it refused, by the published schema (`schemas/definition.json`). Only
then is jsonschema loaded. Values are never repeated, since they may be secrets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .json_text import kind, line_of, pointer
from .schemas import text_of_schema

FIELDS = ("command", "args", "env")
TOKEN = "@@[A-Z][A-Z0-9_]*@@"
NAME_RULE = "1 to 64 of letters, digits, `.`, `_` and `-`, starting with a letter or a digit; no device of Windows"
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})


class Fault(NamedTuple):
    """One thing wrong with one file. `pointer`: JSON pointer, empty for the whole file. `line` counts from 1. `message` says it all."""

    pointer: str
    line: int | None
    found: str
    allowed: str
    message: str


def fault(shown: str, place: str, line: int | None, found: str, allowed: str) -> Fault:
    """A fault of the file that messages call `shown`."""
    where = printable(shown) + (f":{line}" if line else "")
    subject = f"{printable(place)} is" if place else "the file is"
    return Fault(place, line, found, allowed, f"{where}: {subject} {found}; allowed: {allowed}")


def printable(text: str) -> str:
    """The text, with everything that a terminal would act on or cannot show escaped as in JSON."""
    return text if text.isprintable() else json.dumps(text)[1:-1]


def name_fault(name: str) -> str | None:
    """What is wrong with a server's name; None when nothing is."""
    plain = name.replace(".", "").replace("_", "").replace("-", "")
    sound = name.isascii() and plain.isalnum() and name[0].isalnum() and len(name) <= 64
    if sound and name.partition(".")[0].lower() not in _DEVICES:
        return None
    return f"the name {json.dumps(name)}" if name else "an empty name"


def explain(document: dict[str, Any], shown: str, text: str) -> tuple[Fault, ...]:
    """Every fault of a document that the quick check refused, in the order of the file; one per place."""
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(json.loads(text_of_schema("definition")))
    faults: dict[str, Fault] = {}
    for place, found, allowed in _said(validator.iter_errors(document)):
        if place not in faults:
            faults[place] = fault(shown, place, line_of(text, place), found, allowed)
    return tuple(sorted(faults.values(), key=lambda one: (one.line or 0, one.pointer)))


def _said(errors: Iterable[Any]) -> Iterator[tuple[str, str, str]]:
    """Pointer, found and allowed of each error of jsonschema, whose own types leave everything open."""
    for error in errors:
        path = list(error.absolute_path)
        match error.validator:
            case "additionalProperties":
                for key in sorted(set(error.instance) - set(error.schema["properties"])):
                    yield pointer([*path, key]), "no field of a definition", ", ".join(FIELDS)
            case "required":
                for key in error.validator_value:
                    if key not in error.instance:
                        yield pointer([*path, key]), "missing", _allowed_of(error.schema, key)
            case _ if "propertyNames" in error.absolute_schema_path:
                yield pointer([*path, error.instance]), _found(error.instance), error.schema["description"]
            case _:
                yield pointer(path), _found(error.instance), error.schema["description"]


def _allowed_of(schema: dict[str, Any], key: str) -> str:
    said = schema.get("properties", {}).get(key, {})
    described: str = said.get("description") or said["allOf"][0]["description"]
    return described


def _found(value: object) -> str:
    if isinstance(value, str):
        if token := re.search(TOKEN, value):
            return f"text with the token {token.group()}"
        if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
            return "text with a lone surrogate"
        if value and not value.strip():
            return "a blank string"
    return kind(value)
