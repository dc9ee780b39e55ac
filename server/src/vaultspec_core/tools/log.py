"""Declares `log`."""

from __future__ import annotations

from vaultspec_core.tool import Tool

_STRING = {"type": "string"}
_TEXT = {"type": ["string", "null"], "default": None}
_TEXTS = {"type": ["array", "null"], "items": _STRING, "default": None}
_COUNT = {"type": "integer", "minimum": 0}

TOOL = Tool(
    name="log",
    purpose="Append one Step’s rows to its plan’s execution ledger.",
    arguments={
        "type": "object",
        "properties": {
            "feature": {**_STRING, "description": "The plan's feature tag, with or without #."},
            "plan": {**_STRING, "description": "The plan's stem or path, or a feature with one plan."},
            "step": {**_STRING, "description": "Canonical identifier (S01) or display path (P01.S01)."},
            "rows": {
                **_TEXTS,
                "maxItems": 1000,
                "description": "One OP:path per path touched: A: added, M: modified, D: deleted, R:old->new renamed.",
            },
            "verify": {**_TEXT, "description": "A check that ran: <command>=pass or <command>=fail."},
            "by": {**_TEXT, "description": "The persona that closed the step."},
            "notes": {
                **_TEXTS,
                "maxItems": 200,
                "description": "Exceptions only: data loss, skipped work, a scaffold left in code, a persistent failure.",
            },
        },
        "required": ["feature", "plan", "step"],
        "additionalProperties": False,
    },
    result={
        "type": "object",
        "properties": {
            "path": _STRING,
            "step": _STRING,
            "rows": _COUNT,
            "notes": _COUNT,
            "changed": {"type": "boolean"},
            "created": {"type": "boolean"},
            "warnings": {"type": "array", "items": _STRING},
        },
        "required": ["path", "step", "rows", "notes", "changed", "created"],
        "additionalProperties": False,
    },
    run="vaultspec_core.plan.log:run",
    idempotent=True,
)
