"""Declares `discover`."""

from __future__ import annotations

from vaultspec_core.tool import Tool

_STRING = {"type": "string"}
_BOOLEAN = {"type": "boolean"}

_FLAG = {
    "type": "object",
    "properties": {"name": _STRING, "takes_value": _BOOLEAN, "help": _STRING},
    "required": ["name", "takes_value", "help"],
    "additionalProperties": False,
}
_ARGUMENT = {
    "type": "object",
    "properties": {"name": _STRING, "required": _BOOLEAN, "variadic": _BOOLEAN},
    "required": ["name", "required", "variadic"],
    "additionalProperties": False,
}
_VERB = {
    "type": "object",
    "properties": {
        "verb": _STRING,
        "description": _STRING,
        "score": {"type": "number"},
        "supports_json": _BOOLEAN,
        "flags": {"type": "array", "items": _FLAG},
        "arguments": {"type": "array", "items": _ARGUMENT},
    },
    "required": ["verb", "description", "score", "supports_json", "flags", "arguments"],
    "additionalProperties": False,
}

TOOL = Tool(
    name="discover",
    purpose="Search the long-tail verb catalog and return ranked schemas.",
    arguments={
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Words of a verb, or what it should do."},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 50,
                "default": 10,
                "description": "Most verbs to return.",
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    result={
        "type": "object",
        "properties": {
            "query": _STRING,
            "count": {"type": "integer"},
            "verbs": {"type": "array", "items": _VERB},
        },
        "required": ["query", "count", "verbs"],
        "additionalProperties": False,
    },
    run="vaultspec_core.mcp_server.gateway:discover",
    reads=True,
    destructive=None,
    idempotent=True,
)
