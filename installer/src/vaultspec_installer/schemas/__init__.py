"""The published JSON Schemas (draft 2020-12), one file each: what validates our files and our `--json` documents."""

from __future__ import annotations

from pathlib import Path


def text_of_schema(name: str) -> str:
    """The text of a schema: `definition`, `workspace`, `ownership` or `envelope`."""
    return (Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8")
