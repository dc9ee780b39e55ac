"""The three declarations: schemas equal to the documented tables, and answers that fit them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.requirements import requirement
from tests.server.plan.conftest import STEM
from vaultspec_core.load import load
from vaultspec_core.plan import author, log, progress
from vaultspec_core.tool import Tool
from vaultspec_core.tools.log import TOOL as LOG
from vaultspec_core.tools.plan_edit import TOOL as PLAN_EDIT
from vaultspec_core.tools.plan_progress import TOOL as PLAN_PROGRESS
from vaultspec_core.vault.vault import Vault

TEXT, TEXTS = ["string", "null"], ["array", "null"]
CHECKED = {"step_id": "S02", "state": "checked"}

CALLS: list[tuple[Tool, dict[str, Any]]] = [
    (PLAN_PROGRESS, {"plan": STEM, "steps": [CHECKED, {"step_id": "S09", "state": "checked"}]}),
    (PLAN_PROGRESS, {"plan": STEM, "steps": [{**CHECKED, "state": "done"}]}),
    (PLAN_EDIT, {"plan": STEM, "operations": [{"operation": "add", "action": "a", "scope": "b"}, {"operation": "x"}]}),
    (PLAN_EDIT, {"plan": STEM, "operations": [{"operation": "remove", "step_id": "S01", "before": None}]}),
    (LOG, {"feature": "search-api", "plan": STEM, "step": "S01", "rows": ["A:a"], "notes": None}),
]


def shape(schema: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Type and default of each property; `required` in the place of the default."""
    return {
        name: (value["type"], "required" if name in schema["required"] else value["default"])
        for name, value in schema["properties"].items()
    }


@requirement("SRV-4", "PLN-2", "PLN-3", "LOG-1")
def test_the_arguments_are_those_of_the_documentation() -> None:
    steps = PLAN_PROGRESS.arguments["properties"]["steps"]
    operations = PLAN_EDIT.arguments["properties"]["operations"]
    assert shape(PLAN_PROGRESS.arguments) == {"plan": ("string", "required"), "steps": ("array", "required")}
    assert shape(steps["items"]) == {"step_id": ("string", "required"), "state": ("string", "required")}
    assert shape(PLAN_EDIT.arguments) == {"plan": ("string", "required"), "operations": ("array", "required")}
    assert shape(operations["items"]) == {
        "operation": ("string", "required"),
        **dict.fromkeys(("action", "scope", "phase_id", "before", "after", "step_id"), (TEXT, None)),
    }
    assert (steps["minItems"], steps["maxItems"]) == (1, progress.LIMIT)
    assert (operations["minItems"], operations["maxItems"]) == (1, author.LIMIT)
    texts = LOG.arguments["properties"]
    assert (texts["rows"]["maxItems"], texts["notes"]["maxItems"]) == (log.ROWS, log.NOTES)
    assert shape(LOG.arguments) == {
        **dict.fromkeys(("feature", "plan", "step"), ("string", "required")),
        "rows": (TEXTS, None),
        "verify": (TEXT, None),
        "by": (TEXT, None),
        "notes": (TEXTS, None),
    }


@requirement("SRV-1")
def test_the_hints_are_those_of_the_documentation() -> None:
    hints = [(tool.name, tool.reads, tool.destructive, tool.idempotent) for tool in (PLAN_PROGRESS, PLAN_EDIT, LOG)]
    assert hints == [
        ("plan_progress", False, False, True),
        ("plan_edit", False, True, False),
        ("log", False, False, True),
    ]


def objects(schema: Any) -> list[Mapping[str, Any]]:
    """Every schema of an object with named properties inside a schema."""
    if isinstance(schema, Mapping):
        own = [schema] if "properties" in schema and schema.get("type") == "object" else []
        return own + [found for value in schema.values() for found in objects(value)]
    return [found for value in schema for found in objects(value)] if isinstance(schema, list) else []


@requirement("SRV-3", "SRV-4")
@pytest.mark.parametrize("tool", [PLAN_PROGRESS, PLAN_EDIT, LOG], ids=lambda tool: tool.name)
def test_no_schema_takes_what_it_does_not_name(tool: Tool) -> None:
    for schema in (tool.arguments, tool.result):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert [found.get("additionalProperties") for found in objects(schema)] == [False] * len(objects(schema))


@requirement("SRV-4")
@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=lambda value: getattr(value, "name", ""))
def test_an_answer_fits_its_schema(
    vault: Vault, put: Callable[..., Path], tool: Tool, arguments: dict[str, Any]
) -> None:
    put()
    jsonschema.validate(arguments, tool.arguments)
    answer, line = load(tool.run)(vault, arguments, lambda *_: None)
    jsonschema.validate(json.loads(json.dumps(answer)), tool.result)
    assert len(line) < 200
    assert "\n" not in line


@requirement("SRV-3", "PLN-2", "PLN-3")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (PLAN_PROGRESS, {"plan": STEM, "steps": []}),
        (PLAN_PROGRESS, {"plan": STEM, "steps": [{"step_id": "S01"}]}),
        (PLAN_PROGRESS, {"plan": STEM, "steps": [{**CHECKED, "more": 1}]}),
        (PLAN_PROGRESS, {"plan": None, "steps": [CHECKED]}),
        (PLAN_EDIT, {"plan": STEM, "operations": []}),
        (PLAN_EDIT, {"plan": STEM, "operations": [{}]}),
        (PLAN_EDIT, {"plan": STEM, "operations": [{"operation": "add", "phase": "P01"}]}),
        (LOG, {"feature": "x", "plan": STEM}),
        (LOG, {"feature": "x", "plan": STEM, "step": "S01", "rows": "A:a"}),
        (LOG, {"feature": "x", "plan": STEM, "step": "S01", "rows": [1]}),
    ],
)
def test_a_malformed_call_does_not_fit(tool: Tool, arguments: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(arguments, tool.arguments)
