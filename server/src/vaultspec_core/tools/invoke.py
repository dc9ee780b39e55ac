"""Declares `invoke`."""

from __future__ import annotations

from vaultspec_core.tool import Tool

_STRING = {"type": "string"}
_TEXT = {"type": ["string", "null"]}
_BOOLEAN = {"type": "boolean"}

TOOL = Tool(
    name="invoke",
    purpose=(
        "Execute one cataloged verb. A verb that runs and fails is still a successful call; "
        "its exit code and stderr arrive in the error payload."
    ),
    arguments={
        "type": "object",
        "properties": {
            "verb": {
                "type": "string",
                "description": 'The verb\'s words as discover gives them, such as "vault list".',
            },
            "arguments": {
                "type": ["object", "null"],
                "default": None,
                "description": "Flags by name. Switches take true or false; a list repeats a flag that may be repeated; null is a flag not given. "
                "--target, --json and --help belong to the server.",
            },
            "positionals": {
                "type": ["array", "null"],
                "items": _STRING,
                "default": None,
                "description": "Operands, in the order of the command line.",
            },
            "timeout": {
                "type": "number",
                "exclusiveMinimum": 0,
                "maximum": 600,
                "default": 60,
                "description": "Seconds after which the verb is ended.",
            },
        },
        "required": ["verb"],
        "additionalProperties": False,
    },
    result={
        "type": "object",
        "properties": {
            "verb": _STRING,
            "ok": _BOOLEAN,
            "exit_code": {"type": "integer"},
            "format": {"type": "string", "enum": ["json", "text"]},
            "data": {},
            "schema": _STRING,
            "status": _STRING,
            "stdout": _TEXT,
            "error": {
                "type": ["object", "null"],
                "properties": {
                    "kind": {"type": "string", "enum": ["nonzero_exit", "json_parse", "timeout"]},
                    "exit_code": {"type": "integer"},
                    "stderr": _STRING,
                    "message": _STRING,
                },
                "required": ["kind", "exit_code", "stderr", "message"],
                "additionalProperties": False,
            },
            "truncated": {
                "type": "boolean",
                "description": "There was more than a result holds: 4 MiB of JSON, 65536 characters of other text.",
            },
            "command": {"type": "array", "items": _STRING},
        },
        "required": ["verb", "ok", "exit_code", "format", "data", "stdout", "error", "command"],
        "additionalProperties": False,
    },
    run="vaultspec_core.mcp_server.gateway:invoke",
    destructive=True,
    elsewhere=True,
)
