"""Declares `plan_progress`."""

from __future__ import annotations

from vaultspec_core.batch import envelope_schema
from vaultspec_core.tool import Tool

_STRING = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}

TOOL = Tool(
    name="plan_progress",
    purpose="Mark plan steps closed or open by canonical identifier.",
    arguments={
        "type": "object",
        "properties": {
            "plan": {**_STRING, "description": "A feature tag or a plan's stem or path."},
            "steps": {
                "type": "array",
                "minItems": 1,
                "maxItems": 1000,
                "description": "The steps to mark, in order.",
                "items": {
                    "type": "object",
                    "properties": {
                        "step_id": {
                            **_STRING,
                            "description": "S01, or the display path (P01.S01) when that is ambiguous.",
                        },
                        "state": {**_STRING, "description": "checked or unchecked."},
                    },
                    "required": ["step_id", "state"],
                    "additionalProperties": False,
                },
            },
        },
        "required": ["plan", "steps"],
        "additionalProperties": False,
    },
    result=envelope_schema(
        {
            "type": "object",
            "properties": {
                "step_id": _STRING,
                "state": _STRING,
                "status": {"type": "string", "enum": ["updated", "unchanged", "failed"]},
                "error": {
                    "type": "object",
                    "properties": {"message": _STRING},
                    "required": ["message"],
                    "additionalProperties": False,
                },
            },
            "required": ["step_id", "state", "status"],
            "additionalProperties": False,
        },
        {
            "plan": _STRING,
            "total_steps": _COUNT,
            "steps_completed": _COUNT,
            "completion_percent": {"type": "number", "minimum": 0, "maximum": 100},
            "next_open_step": {"type": ["string", "null"]},
        },
    ),
    run="vaultspec_core.plan.progress:run",
    idempotent=True,
)
