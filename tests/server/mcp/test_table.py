"""What `tools/list` says, against the tables of the documentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conftest import Sandbox
from tests.requirements import requirement
from vaultspec_core.load import load
from vaultspec_core.mcp_server.calls import Call
from vaultspec_core.mcp_server.frame import Fault
from vaultspec_core.mcp_server.table import ORDER, ToolTable, open_table, registry

READS = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
ANNOTATIONS = {
    "find": READS,
    "create": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False},
    "edit": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False},
    "status": READS,
    "check": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    "plan_progress": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    "plan_edit": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False},
    "log": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    "discover": READS,
    "invoke": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False},
}
PURPOSES = {
    "find": "Find vault documents or list features.",
    "create": "Scaffold one or more vault documents from templates.",
    "edit": "Apply one or more body-prose edits to vault documents.",
    "status": "Orient in a vaultspec project, project-wide or targeted.",
    "check": "Run the vault health-check suite, optionally repairing.",
    "plan_progress": "Mark plan steps closed or open by canonical identifier.",
    "plan_edit": "Author plan steps: add, insert, edit, or remove.",
    "log": "Append one Step\u2019s rows to its plan\u2019s execution ledger.",
    "discover": "Search the long-tail verb catalog and return ranked schemas.",
    "invoke": "Execute one cataloged verb. A verb that runs and fails is still a successful call; its exit code and "
    "stderr arrive in the error payload.",
}

REQUIRED = object()
STRING, TEXT, STRINGS = "string", "string or null", "list of strings or null"
ARGUMENTS: dict[str, dict[str, tuple[Any, ...]]] = {
    "find": {
        "feature": (TEXT, None),
        "type": (STRINGS, None),
        "date": (TEXT, None),
        "text": (TEXT, None),
        "body": (STRING, "none", "none", "excerpt", "full"),
        "json": ("boolean", False),
        "limit": ("integer", 20, 1, 100),
    },
    "create": {"documents": ("list of objects", REQUIRED, 1, 200)},
    "create[]": {
        "feature": (STRING, REQUIRED),
        "type": (TEXT, "research"),
        "title": (TEXT, None),
        "date": (TEXT, None),
        "content": (TEXT, None),
        "related": (STRINGS, None),
        "tags": (STRINGS, None),
        "tier": (TEXT, None),
        "topic": (TEXT, None),
    },
    "edit": {"operations": ("list of objects", REQUIRED, 1, 200)},
    "edit[]": {
        "target": (STRING, REQUIRED),
        "operation": (STRING, REQUIRED),
        "content": (STRING, REQUIRED),
        "section": (TEXT, None),
        "expected_blob_hash": (TEXT, None),
    },
    "status": {"target": (TEXT, None)},
    "check": {"feature": (TEXT, None), "fix": ("boolean", False)},
    "check, read-only": {"feature": (TEXT, None)},
    "plan_progress": {"plan": (STRING, REQUIRED), "steps": ("list of objects", REQUIRED, 1, 1000)},
    "plan_progress[]": {"step_id": (STRING, REQUIRED), "state": (STRING, REQUIRED)},
    "plan_edit": {"plan": (STRING, REQUIRED), "operations": ("list of objects", REQUIRED, 1, 200)},
    "plan_edit[]": {
        "operation": (STRING, REQUIRED),
        "action": (TEXT, None),
        "scope": (TEXT, None),
        "phase_id": (TEXT, None),
        "before": (TEXT, None),
        "after": (TEXT, None),
        "step_id": (TEXT, None),
    },
    "log": {
        "feature": (STRING, REQUIRED),
        "plan": (STRING, REQUIRED),
        "step": (STRING, REQUIRED),
        "rows": (STRINGS, None, 1000),
        "verify": (TEXT, None),
        "by": (TEXT, None),
        "notes": (STRINGS, None, 200),
    },
    "discover": {"query": (STRING, REQUIRED), "limit": ("integer", 10, 1, 50)},
    "invoke": {
        "verb": (STRING, REQUIRED),
        "arguments": ("object or null", None),
        "positionals": (STRINGS, None),
        "timeout": ("number", 60, 0, 600),
    },
}
"""The documented fields: type, default, and then what bounds them (values of an enum, least and most)."""

BOUNDS = ("enum", "minimum", "exclusiveMinimum", "maximum", "minItems", "maxItems")


def documented(schema: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """A schema in the form of ARGUMENTS."""
    rows = {}
    for name, field in schema["properties"].items():
        default = REQUIRED if name in schema.get("required", ()) else field["default"]
        bounds = [field[key] for key in BOUNDS if key in field]
        rows[name] = (_type(field), default, *(bounds[0] if "enum" in field else bounds))
    return rows


def _type(field: dict[str, Any]) -> str:
    types = [field["type"]] if isinstance(field["type"], str) else field["type"]
    inner = {"string": "list of strings", "object": "list of objects"}
    return " or ".join(inner[field["items"]["type"]] if one == "array" else one for one in types)


def listed(read_only: bool = False) -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in ToolTable(registry(), read_only, lambda: None).listing()}


@requirement("SRV-1")
def test_ten_tools_are_listed_in_their_order_with_their_annotations() -> None:
    tools = listed()
    assert list(tools) == list(ORDER)
    assert {name: tool["annotations"] for name, tool in tools.items()} == ANNOTATIONS
    assert {name: tool["description"] for name, tool in tools.items()} == PURPOSES


@requirement("SRV-1")
def test_the_read_only_surface_is_four_tools_that_only_read() -> None:
    tools = listed(read_only=True)
    assert {name: tool["annotations"] for name, tool in tools.items()} == dict.fromkeys(
        ("find", "status", "check", "discover"), READS
    )
    assert documented(tools["check"]["inputSchema"]) == ARGUMENTS["check, read-only"]


@requirement("SRV-4", "D-18")
@pytest.mark.parametrize("name", ORDER)
def test_the_arguments_are_those_of_the_documentation(name: str) -> None:
    schema = listed()[name]["inputSchema"]
    assert documented(schema) == ARGUMENTS[name]
    for field in schema["properties"].values():
        if field.get("items", {}).get("type") == "object":
            assert documented(field["items"]) == ARGUMENTS[f"{name}[]"]
            assert field["items"]["additionalProperties"] is False


@requirement("SRV-4")
@pytest.mark.parametrize("name", ORDER)
def test_every_tool_has_a_result_schema_and_a_handler(name: str) -> None:
    (tool,) = [tool for tool in registry() if tool.name == name]
    jsonschema.Draft202012Validator.check_schema(tool.result)
    assert tool.result["type"] == "object"
    assert callable(load(tool.run))


@requirement("SRV-1")
def test_a_tool_that_is_not_documented_comes_last() -> None:
    tools = ToolTable(registry()[::-1], False, lambda: None).listing()
    assert [tool["name"] for tool in tools] == list(ORDER)[::-1]


@requirement("SRV-3")
def test_a_workspace_without_a_vault_is_refused_at_each_call_until_it_has_one(sandbox: Sandbox) -> None:
    (sandbox.root / ".vaultspec").mkdir()
    table = open_table(str(sandbox.root), read_only=False)
    call = Call(1, "find", {}, None, structured=True)
    with pytest.raises(Fault) as refused:
        table.perform(call, print, dict)
    assert refused.value.data["code"] == "no-vault"
    Path(sandbox.root, ".vault").mkdir()
    assert table.perform(call, print, dict) == {
        "content": [{"type": "text", "text": "0 rows"}],
        "isError": False,
        "structuredContent": {"result": []},
    }
