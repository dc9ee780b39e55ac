"""Declares `status`."""

from __future__ import annotations

from typing import Any

from vaultspec_core.tool import Tool

_TEXT = {"type": ["string", "null"]}
_STRING = {"type": "string"}
_COUNT = {"type": "integer"}
_STEMS = {"type": "array", "items": _STRING}
_GROUNDING = {"type": "object", "additionalProperties": _STEMS}


def _row(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


_FEATURE = _row(
    {
        "name": _STRING,
        "doc_count": _COUNT,
        "latest_activity": _TEXT,
        "has_plan": {"type": "boolean"},
        "status": _STRING,
        "plan_tier": _TEXT,
        "plan_completion_percent": {"type": "number"},
    }
)
_PLAN = {
    "stem": _STRING,
    "feature": _TEXT,
    "tier": _STRING,
    "open_steps": _COUNT,
    "closed_steps": _COUNT,
    "total_steps": _COUNT,
    "completion_percent": {"type": "number"},
    "next_open_step": _TEXT,
}
_STEP = _row(
    {
        "canonical_id": _STRING,
        "display_path": _STRING,
        "checked": {"type": "boolean"},
        "record_stem": _TEXT,
        "rows": {"type": ["integer", "null"]},
        "verify": _TEXT,
    }
)
_TRACE = _row(
    {
        **_PLAN,
        "tier": _TEXT,
        "steps": {"type": "array", "items": _STEP},
        "grounding": _GROUNDING,
        "unlinked_records": _STEMS,
        "error": _TEXT,
    }
)

TOOL = Tool(
    name="status",
    purpose="Orient in a vaultspec project, project-wide or targeted.",
    arguments={
        "type": "object",
        "properties": {
            "target": {
                **_TEXT,
                "default": None,
                "description": "A feature tag or a plan's stem or path; omit it for the whole vault.",
            }
        },
        "required": [],
        "additionalProperties": False,
    },
    result=_row(
        {
            "tool_schema_version": _STRING,
            "kind": {"type": "string", "enum": ["rollup", "trace"]},
            "features": {"type": "array", "items": _FEATURE},
            "features_total": _COUNT,
            "plans_in_flight": {"type": "array", "items": _row(_PLAN)},
            "totals": {"type": "object"},
            "target": _TEXT,
            "trace_kind": {"type": ["string", "null"], "enum": ["plan", "feature", None]},
            "plans": {"type": "array", "items": _TRACE},
            "grounding": _GROUNDING,
            "unlinked_records": _STEMS,
        },
        optional=("grounding", "unlinked_records"),
    ),
    run="vaultspec_core.vault.orient:run",
    reads=True,
    destructive=None,
    idempotent=True,
)
