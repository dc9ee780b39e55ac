"""The envelope in which every tool that takes a list answers: what became of each item, sampled, and exact counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from vaultspec_core.report import Refusal

FAILED = "failed"

SAMPLE = 20
"""How many uneventful successes are listed; failures and items with warnings always are."""


def demand_at_most(limit: int, tool: str, noun: str, given: Sequence[Any]) -> None:
    """Raises Refusal `batch-too-large` when one call of a tool brings more of something than it takes."""
    if len(given) > limit:
        raise Refusal(
            "batch-too-large", f"{tool} accepts at most {limit} {noun} per call; got {len(given)}", "Split the batch."
        )


def envelope(items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`status`, `items`, `counts`, `submitted`, `items_omitted` of a batch.

    Every item has a `status`; `failed` is the only one that is no success. Items keep their order.
    """
    shown: list[Mapping[str, Any]] = []
    plain = 0
    for item in items:
        eventful = item["status"] == FAILED or bool(item.get("warnings"))
        if eventful or plain < SAMPLE:
            shown.append(item)
            plain += not eventful
    counts = Counter(str(item["status"]) for item in items)
    failures = counts.get(FAILED, 0)
    status = "ok" if failures == 0 else FAILED if failures == len(items) else "mixed"
    return {
        "status": status,
        "items": shown,
        "counts": dict(counts),
        "submitted": len(items),
        "items_omitted": len(items) - len(shown),
    }


def summary(answer: Mapping[str, Any]) -> str:
    """One line about a batch: `mixed: 20 created, 1 failed`."""
    return f"{answer['status']}: " + ", ".join(f"{number} {word}" for word, number in sorted(answer["counts"].items()))


def envelope_schema(item: Mapping[str, Any], extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The JSON Schema of an envelope with items of schema `item` and the further keys `extra`, all of them required."""
    count = {"type": "integer", "minimum": 0}
    properties = {
        "status": {"type": "string", "enum": ["ok", "mixed", FAILED]},
        "items": {"type": "array", "items": item},
        "counts": {"type": "object", "additionalProperties": count},
        "submitted": count,
        "items_omitted": count,
        **(extra or {}),
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


_NULLABLE = {"type": ["string", "null"]}

DOCUMENT_ITEM: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "index": {"type": "integer"},
        "target": {"type": "string"},
        "status": {"type": "string", "enum": ["created", "updated", "unchanged", "failed"]},
        "path": _NULLABLE,
        "blob_hash": _NULLABLE,
        "error": {
            "type": ["object", "null"],
            "properties": {"message": {"type": "string"}},
            "required": ["message"],
        },
        "warnings": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["index", "target", "status", "path", "blob_hash", "error", "warnings"],
    "additionalProperties": False,
}
"""What became of one document: an item of `create` and of `edit`."""
