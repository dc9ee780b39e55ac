"""Declares `check`."""

from __future__ import annotations

from typing import Any

from vaultspec_core.tool import Tool

_STRING = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_YES_NO = {"type": "boolean"}


def _row(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


_FEATURE = {
    "type": ["string", "null"],
    "default": None,
    "description": "Restrict the check to one feature tag, without the # prefix.",
}
_FIX = {"type": "boolean", "default": False, "description": "Apply safe corrections instead of only reporting them."}


def _arguments(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [], "additionalProperties": False}


TOOL = Tool(
    name="check",
    purpose="Run the vault health-check suite, optionally repairing.",
    arguments=_arguments({"feature": _FEATURE, "fix": _FIX}),
    read_only_arguments=_arguments({"feature": _FEATURE}),
    result=_row(
        {
            "status": {"type": "string", "enum": ["ok", "failed"]},
            "fixed": _YES_NO,
            "total_errors": _COUNT,
            "total_warnings": _COUNT,
            "total_fixed": _COUNT,
            "checks": {
                "type": "array",
                "items": _row(
                    {
                        "check": _STRING,
                        "error_count": _COUNT,
                        "warning_count": _COUNT,
                        "info_count": _COUNT,
                        "fixed_count": _COUNT,
                        "clean": _YES_NO,
                    }
                ),
            },
            "findings": {
                "type": "array",
                "items": _row(
                    {
                        "check": _STRING,
                        "path": {"type": ["string", "null"]},
                        "message": _STRING,
                        "severity": {"type": "string", "enum": ["error", "warning"]},
                        "fixable": _YES_NO,
                    }
                ),
            },
            "findings_total": _COUNT,
        }
    ),
    run="vaultspec_core.checks.run:run",
    reads=True,
    idempotent=True,
)
