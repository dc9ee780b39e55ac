"""Declares `create`."""

from __future__ import annotations

from vaultspec_core.batch import DOCUMENT_ITEM, envelope_schema
from vaultspec_core.tool import Tool

_TEXT = {"type": ["string", "null"], "default": None}
_TEXTS = {"type": ["array", "null"], "items": {"type": "string"}, "default": None}

TOOL = Tool(
    name="create",
    purpose="Scaffold one or more vault documents from templates.",
    arguments={
        "type": "object",
        "properties": {
            "documents": {
                "type": "array",
                "minItems": 1,
                "maxItems": 200,
                "description": "What to create, in order; each sees what the ones before it created.",
                "items": {
                    "type": "object",
                    "properties": {
                        "feature": {"type": "string", "description": "Feature in kebab-case; a leading # is stripped."},
                        "type": {
                            **_TEXT,
                            "default": "research",
                            "description": "research, adr, plan, reference or audit.",
                        },
                        "title": {**_TEXT, "description": "Rendered into the document's heading."},
                        "date": {**_TEXT, "description": "ISO-8601 date; today (UTC) without it."},
                        "content": {**_TEXT, "description": "Prose to seed, under a Context heading."},
                        "related": {
                            **_TEXTS,
                            "description": "Documents to link: path, file name, stem or [[wiki-link]].",
                        },
                        "tags": {**_TEXTS, "description": "Only the directory and the feature tag; usually left out."},
                        "tier": {**_TEXT, "description": "L1 to L4, for plans; L1 without it."},
                        "topic": {**_TEXT, "description": "Kebab-case infix for a second document of one type."},
                    },
                    "required": ["feature"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["documents"],
        "additionalProperties": False,
    },
    result=envelope_schema(DOCUMENT_ITEM, {"converged": {"type": "array", "items": {"type": "object"}}}),
    run="vaultspec_core.vault.create:run",
)
