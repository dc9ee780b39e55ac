"""Declares `find`."""

from __future__ import annotations

from vaultspec_core.tool import Tool

_TEXT = {"type": ["string", "null"]}

TOOL = Tool(
    name="find",
    purpose="Find vault documents or list features.",
    arguments={
        "type": "object",
        "properties": {
            "feature": {**_TEXT, "default": None, "description": "Feature, without the # prefix; switches to search."},
            "type": {
                "type": ["array", "null"],
                "items": {"type": "string"},
                "default": None,
                "description": "Document types; switches to search. Without it a search looks in adr, plan, research, reference.",
            },
            "date": {**_TEXT, "default": None, "description": "Exact ISO-8601 date; switches to search."},
            "text": {
                **_TEXT,
                "default": None,
                "description": "Case-insensitive part of a stem or feature; switches to search.",
            },
            "body": {
                "type": "string",
                "enum": ["none", "excerpt", "full"],
                "default": "none",
                "description": "In a search, how much text each row carries. Whole documents up to 1 MiB in all, then excerpts.",
            },
            "json": {
                "type": "boolean",
                "default": False,
                "description": "In the feature listing, add status, types, earliest_date and has_plan.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": 20,
                "description": "Most rows to return, over all types.",
            },
        },
        "required": [],
        "additionalProperties": False,
    },
    result={
        "type": "object",
        "properties": {
            "result": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "doc_count": {"type": "integer"},
                        "weight": {"type": "integer"},
                        "note": {"type": "string"},
                        "status": {"type": "string"},
                        "types": {"type": "array", "items": {"type": "string"}},
                        "earliest_date": _TEXT,
                        "has_plan": {"type": "boolean"},
                        "type": {"type": "string"},
                        "feature": _TEXT,
                        "date": _TEXT,
                        "path": {"type": "string"},
                        "blob_hash": _TEXT,
                        "resource_uri": {"type": "string"},
                        "body": _TEXT,
                        "body_bytes": {"type": "integer"},
                        "body_truncated": {"type": "boolean"},
                    },
                    "required": ["name"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["result"],
        "additionalProperties": False,
    },
    run="vaultspec_core.vault.find:run",
    reads=True,
    destructive=None,
    idempotent=True,
)
