"""The batch envelope: exact counts, and a sample that leaves out nothing that matters."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from tests.requirements import requirement
from vaultspec_core.batch import envelope, envelope_schema, summary


def items(*statuses: str) -> list[dict[str, Any]]:
    return [{"index": index, "status": status} for index, status in enumerate(statuses)]


@requirement("PLN-4")
@pytest.mark.parametrize(
    ("statuses", "status"),
    [
        (["created"], "ok"),
        (["created", "updated", "unchanged"], "ok"),
        (["failed", "created"], "mixed"),
        (["failed", "failed"], "failed"),
    ],
)
def test_the_status_tells_whether_the_items_agree(statuses: list[str], status: str) -> None:
    assert envelope(items(*statuses))["status"] == status


@requirement("PLN-4")
def test_every_item_is_listed_up_to_twenty_plain_successes() -> None:
    answer = envelope(items(*["created"] * 20))
    assert (len(answer["items"]), answer["items_omitted"]) == (20, 0)


@requirement("PLN-4")
def test_failures_and_warnings_are_listed_beside_the_first_twenty_in_order() -> None:
    batch = items(*["created"] * 30)
    batch[25]["warnings"] = ["look"]
    batch[28]["status"] = "failed"
    batch[3]["warnings"] = []
    answer = envelope(batch)
    assert [item["index"] for item in answer["items"]] == [*range(20), 25, 28]
    assert answer["counts"] == {"created": 29, "failed": 1}
    assert (answer["submitted"], answer["items_omitted"], answer["status"]) == (30, 8, "mixed")


@requirement("PLN-4")
def test_the_summary_counts_every_item_not_the_sample() -> None:
    assert summary(envelope(items(*["created"] * 25, "failed"))) == "mixed: 25 created, 1 failed"


@requirement("SRV-4")
def test_an_envelope_fits_its_schema() -> None:
    item = {"type": "object", "properties": {"index": {"type": "integer"}, "status": {"type": "string"}}}
    schema = envelope_schema(item, {"plan": {"type": "string"}})
    jsonschema.Draft202012Validator.check_schema(schema)
    answer = json.loads(json.dumps({**envelope(items("created", "failed")), "plan": "p"}))
    jsonschema.validate(answer, schema)
