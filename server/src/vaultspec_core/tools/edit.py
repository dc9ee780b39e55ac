"""Declares `edit`."""

from __future__ import annotations

from vaultspec_core.batch import DOCUMENT_ITEM, envelope_schema
from vaultspec_core.tool import Tool

_TEXT = {"type": ["string", "null"], "default": None}

TOOL = Tool(
    name="edit",
    purpose="Apply one or more body-prose edits to vault documents.",
    arguments={
        "type": "object",
        "properties": {
            "operations": {
                "type": "array",
                "minItems": 1,
                "maxItems": 200,
                "description": "Edits in order; several of one document chain.",
                "items": {
                    "type": "object",
                    "properties": {
                        "target": {"type": "string", "description": "Stem, file name, path or [[wiki-link]]."},
                        "operation": {
                            "type": "string",
                            "description": "append_section, replace_section or set_body.",
                        },
                        "content": {"type": "string", "description": "The prose to insert, or the whole body."},
                        "section": {**_TEXT, "description": 'Exact heading line, such as "## Context".'},
                        "expected_blob_hash": {
                            **_TEXT,
                            "description": "Refuse the edit when the document is no longer this one.",
                        },
                    },
                    "required": ["target", "operation", "content"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["operations"],
        "additionalProperties": False,
    },
    result=envelope_schema(DOCUMENT_ITEM),
    run="vaultspec_core.vault.edit:run",
    destructive=True,
)
