"""What a call may say: the quick check agrees with jsonschema, fills the defaults in and names every fault."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.mcp_server.arguments import KEYWORDS, settle
from vaultspec_core.mcp_server.table import registry
from vaultspec_core.report import Refusal

Schema = Mapping[str, Any]

TOOLS = {tool.name: tool.arguments for tool in registry()}
SURFACES = {
    **TOOLS,
    **{f"{tool.name}, read-only": tool.read_only_arguments for tool in registry() if tool.read_only_arguments},
}

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 700),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=6),
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)

CASE: Schema = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 3},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
        "timeout": {"type": "number", "exclusiveMinimum": 0, "maximum": 600, "default": 60},
        "word": {"type": ["string", "null"], "enum": ["a", "b", None], "default": "a"},
        "fix": {"type": "boolean", "default": False},
        "items": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "state": {"type": ["string", "null"], "default": None}},
                "required": ["id"],
                "additionalProperties": False,
            },
        },
        "paths": {"type": ["array", "null"], "items": {"type": "string"}, "default": None},
        "free": {"type": ["object", "null"], "default": None},
        "counts": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
    },
    "required": ["name"],
    "additionalProperties": False,
}
GOOD = {"name": "x"}
DEFAULTS = {"limit": 20, "timeout": 60, "word": "a", "fix": False, "paths": None, "free": None}


def near_misses(schema: Schema) -> st.SearchStrategy[Any]:
    """Values that mostly have the shape of the schema, so that every rule is met and broken."""
    types = schema.get("type", ["string"])
    made: list[st.SearchStrategy[Any]] = [SCALARS]
    if "enum" in schema:
        made.append(st.sampled_from(schema["enum"]))
    if "integer" in types or "number" in types:
        bounds = [schema[key] for key in ("minimum", "maximum", "exclusiveMinimum") if key in schema]
        made.append(st.sampled_from([b + d for b in bounds or [0] for d in (-1, 0, 0.5, 1)]))
    if "string" in types:
        made += [st.text(max_size=5)] * 2
    if "array" in types:
        made += [st.lists(near_misses(schema.get("items", {})), max_size=3)] * 2
    if "object" in types:
        made.append(near_objects(schema))
    return st.one_of(made)


def near_objects(schema: Schema) -> st.SearchStrategy[dict[str, Any]]:
    known = {name: near_misses(inner) for name, inner in schema.get("properties", {}).items()}
    required = {name: known.pop(name) for name in schema.get("required", [])}
    shaped = st.fixed_dictionaries(required, optional=known)
    others = st.dictionaries(st.sampled_from([*known, *required, "other"]), ANYTHING, max_size=2)
    return st.one_of(shaped, shaped, others, st.builds(lambda a, b: {**a, **b}, shaped, others))


def accepted_here(schema: Schema, value: dict[str, Any], judge: jsonschema.Validator) -> bool:
    try:
        settled = settle(schema, value, frozenset())
    except Refusal:
        return False
    assert judge.is_valid(settled)
    return True


def nulls_left_out(schema: Schema, value: Any) -> Any:
    """A null where a default stands in is as good as absent; jsonschema does not know that."""
    if isinstance(value, list):
        return [nulls_left_out(schema.get("items", {}), one) for one in value]
    if not isinstance(value, dict):
        return value
    known = schema.get("properties", {})
    return {
        name: nulls_left_out(known.get(name, {}), one)
        for name, one in value.items()
        if not (one is None and known.get(name, {}).get("default") is not None)
    }


def parts(schema: Schema) -> Iterator[Schema]:
    yield schema
    for inner in [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]:
        if isinstance(inner, Mapping):
            yield from parts(inner)


def refused(arguments: dict[str, Any], withheld: frozenset[str] = frozenset()) -> str:
    with pytest.raises(Refusal) as caught:
        settle(CASE, arguments, withheld)
    assert caught.value.code == "invalid-arguments"
    return caught.value.message


@requirement("SRV-3", "SRV-4")
@pytest.mark.parametrize("surface", SURFACES)
def test_the_schemas_of_the_tools_use_only_words_that_the_check_knows(surface: str) -> None:
    schema = SURFACES[surface]
    assert schema is not None
    for part in parts(schema):
        assert set(part) <= KEYWORDS
        assert not isinstance(part.get("default"), list | dict)  # a shared default that a handler could change
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    jsonschema.Draft202012Validator.check_schema(schema)


@requirement("SRV-3")
@pytest.mark.parametrize("schema", [CASE, *TOOLS.values()], ids=["case", *TOOLS])
def test_the_check_accepts_what_jsonschema_accepts(schema: Schema) -> None:
    judge = jsonschema.Draft202012Validator(schema)

    @given(near_objects(schema))
    @settings(max_examples=80, deadline=None)
    def agree(value: dict[str, Any]) -> None:
        assert accepted_here(schema, value, judge) == judge.is_valid(nulls_left_out(schema, value))

    agree()


@requirement("SRV-3")
def test_defaults_stand_in_for_what_is_absent_or_null() -> None:
    assert settle(CASE, GOOD, frozenset()) == {**GOOD, **DEFAULTS}
    nulls = {"word": None, "limit": None, "paths": None, "free": None}
    assert settle(CASE, {**GOOD, **nulls}, frozenset()) == {**GOOD, **DEFAULTS}
    assert settle(CASE, {**GOOD, "items": [{"id": "S01"}]}, frozenset())["items"] == [{"id": "S01", "state": None}]


@requirement("SRV-3")
def test_a_whole_number_is_an_integer_however_it_is_written() -> None:
    limit = settle(CASE, {**GOOD, "limit": 2.0}, frozenset())["limit"]
    assert (limit, type(limit)) == (2, int)
    assert settle(CASE, {**GOOD, "timeout": 0.5}, frozenset())["timeout"] == 0.5


@requirement("SRV-3")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "`name` is required"),
        ({"name": 5}, "`name` must be a string with at least 1 character and at most 3 characters, got 5"),
        ({"name": ""}, '`name` must be a string with at least 1 character and at most 3 characters, got ""'),
        ({**GOOD, "limit": "x"}, '`limit` must be an integer from 1 to 100, got "x"'),
        ({**GOOD, "limit": True}, "`limit` must be an integer from 1 to 100, got true"),
        ({**GOOD, "limit": 1.5}, "`limit` must be an integer from 1 to 100, got 1.5"),
        ({**GOOD, "limit": 101}, "`limit` must be an integer from 1 to 100, got 101"),
        ({**GOOD, "timeout": 0}, "`timeout` must be a number above 0 and at most 600, got 0"),
        ({**GOOD, "timeout": math.nan}, "`timeout` must be a number above 0 and at most 600, got NaN"),
        ({**GOOD, "timeout": math.inf}, "`timeout` must be a number above 0 and at most 600, got Infinity"),
        ({**GOOD, "word": "c"}, '`word` must be one of "a", "b", null, got "c"'),
        ({**GOOD, "fix": 1}, "`fix` must be true or false, got 1"),
        ({**GOOD, "items": []}, "`items` must be a list of objects with at least 1 entry and at most 2 entries, got an empty list"),
        ({**GOOD, "items": [{"id": "S01"}] * 3}, "`items` must be a list of objects with at least 1 entry and at most 2 entries, got a list of 3"),
        ({**GOOD, "items": ["S01"]}, '`items[0]` must be an object, got "S01"'),
        ({**GOOD, "items": [{"id": "S01"}, {"state": 5}]}, "`items[1].state` must be a string or null, got 5; `items[1].id` is required"),
        ({**GOOD, "items": [{"id": "S01", "stat": "x"}]}, "`items[0]` has no field `stat` (did you mean `state`?)"),
        ({**GOOD, "paths": "a"}, '`paths` must be a list of strings or null, got "a"'),
        ({**GOOD, "paths": ["a", None]}, "`paths[1]` must be a string, got null"),
        ({**GOOD, "free": []}, "`free` must be an object or null, got an empty list"),
        ({**GOOD, "counts": {"x": -1}}, "`counts.x` must be an integer of at least 0, got -1"),
        ({**GOOD, "limits": 5}, "unknown argument `limits` (did you mean `limit`?)"),
        ({**GOOD, "zzz": 5, "fix": {}}, "unknown argument `zzz`; `fix` must be true or false, got an object"),
        ({**GOOD, "word": "c" * 99}, f'`word` must be one of "a", "b", null, got "{"c" * 59}...'),
        (
            {**GOOD, "items": [{}] * 2, "q1": 0, "q2": 0, "q3": 0, "q4": 0},
            "`items[0].id` is required; `items[1].id` is required; unknown argument `q1`; unknown argument `q2`; "
            "unknown argument `q3`; and 1 more",
        ),
    ],
    ids=lambda value: json.dumps(value)[:40] if isinstance(value, dict) else "",
)  # fmt: skip
def test_every_fault_is_named(arguments: dict[str, Any], message: str) -> None:
    assert refused(arguments) == message


@requirement("SRV-1", "SRV-3")
def test_an_argument_of_the_full_surface_is_told_from_one_that_never_was() -> None:
    narrow = frozenset({"repair"})
    assert refused({**GOOD, "repair": False, "repairs": 1}, narrow) == (
        "`repair` is not offered by a read-only server; unknown argument `repairs`"
    )
