"""Declares `plan_edit`."""

from __future__ import annotations

from vaultspec_core.batch import envelope_schema
from vaultspec_core.tool import Tool

_STRING = {"type": "string"}
_TEXT = {"type": ["string", "null"], "default": None}
_COUNT = {"type": "integer", "minimum": 0}

TOOL = Tool(
    name="plan_edit",
    purpose="Author plan steps: add, insert, edit, or remove.",
    arguments={
        "type": "object",
        "properties": {
            "plan": {**_STRING, "description": "A feature tag or a plan's stem or path."},
            "operations": {
                "type": "array",
                "minItems": 1,
                "maxItems": 200,
                "description": "What to do, in order; each sees what the ones before it did.",
                "items": {
                    "type": "object",
                    "properties": {
                        "operation": {**_STRING, "description": "add, insert, edit or remove."},
                        "action": {**_TEXT, "description": "The step's imperative statement; add and insert need it."},
                        "scope": {**_TEXT, "description": "The file or area the step touches; add and insert need it."},
                        "phase_id": {**_TEXT, "description": "The phase (P01) to add under, from tier L2 on."},
                        "before": {**_TEXT, "description": "The step (S01) to insert before."},
                        "after": {**_TEXT, "description": "The step (S01) to insert after."},
                        "step_id": {**_TEXT, "description": "The step to edit or remove."},
                    },
                    "required": ["operation"],
                    "additionalProperties": False,
                },
            },
        },
        "required": ["plan", "operations"],
        "additionalProperties": False,
    },
    result=envelope_schema(
        {
            "type": "object",
            "properties": {
                "operation": _STRING,
                "status": {"type": "string", "enum": ["created", "updated", "unchanged", "removed", "failed"]},
                "step_id": _STRING,
                "warnings": {"type": "array", "items": _STRING},
                "error": {
                    "type": "object",
                    "properties": {"message": _STRING},
                    "required": ["message"],
                    "additionalProperties": False,
                },
            },
            "required": ["operation", "status"],
            "additionalProperties": False,
        },
        {
            "plan": _STRING,
            "total_steps": _COUNT,
            "steps_completed": _COUNT,
            "next_open_step": {"type": ["string", "null"]},
        },
    ),
    run="vaultspec_core.plan.author:run",
    destructive=True,
)
