"""`find`: features, documents, bodies; what matches nothing; what cannot be read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.server.vault.test_corpus import bury
from vaultspec_core.tools.find import TOOL
from vaultspec_core.vault import find as module
from vaultspec_core.vault.document import SIZE_LIMIT
from vaultspec_core.vault.find import excerpt, find, run
from vaultspec_core.vault.stamp import blob_hash
from vaultspec_core.vault.vault import Vault

Write = Callable[..., Path]
Fill = Callable[[str], Vault]


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


def valid(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, once the tool's own result schema has taken them."""
    import jsonschema

    jsonschema.validate({"result": rows}, TOOL.result)
    return rows


@requirement("FND-1")
def test_without_a_filter_every_feature_is_a_row_by_name(fill: Fill) -> None:
    assert valid(find(fill("search"))) == [
        {"name": "auth", "doc_count": 2, "weight": 1},
        {"name": "caching", "doc_count": 1, "weight": 0},
        {"name": "search-api", "doc_count": 5, "weight": 8},
    ]


@requirement("FND-1", "STS-3", "D-12")
def test_json_adds_what_every_feature_is_about(fill: Fill) -> None:
    assert valid(find(fill("search"), json=True)) == [
        {
            "name": "auth", "doc_count": 2, "weight": 1, "status": "Specified",
            "types": ["adr", "research"], "earliest_date": "2026-06-30", "has_plan": False,
        },
        {
            "name": "caching", "doc_count": 1, "weight": 0, "status": "Researching",
            "types": ["research"], "earliest_date": "2026-06-20", "has_plan": False,
        },
        {
            "name": "search-api", "doc_count": 5, "weight": 8, "status": "In Progress",
            "types": ["adr", "exec", "index", "plan", "research"], "earliest_date": "2026-07-11", "has_plan": True,
        },
    ]  # fmt: skip


@requirement("FND-1")
def test_more_features_than_any_ranking_holds_keep_their_status_and_weight(vault: Vault, write: Write) -> None:
    for number in range(120):
        write(f"adr/2026-01-01-f{number:03d}-adr.md", feature=f"f{number:03d}", related="2026-01-01-f119-adr")
    rows = find(vault, json=True, limit=100)
    assert len(rows) == 100
    assert {row["status"] for row in rows} == {"Specified"}
    assert find(vault, feature="f119")[0]["name"] == "2026-01-01-f119-adr"


@requirement("FND-1")
def test_when_part_of_the_vault_is_closed_to_us_the_ranking_is_called_unavailable(vault: Vault, write: Write) -> None:
    write("adr/2026-01-01-auth-adr.md", related="2026-01-01-auth-plan")
    write("plan/2026-01-01-auth-plan.md")
    assert find(vault) == [{"name": "auth", "doc_count": 2, "weight": 1}]
    (vault.folder / "research").mkdir()
    bury(vault.folder / "research")
    row = {"name": "auth", "doc_count": 2, "weight": 0, "note": "graph ranking unavailable"}
    assert valid(find(vault)) == [row]


@requirement("FND-2", "D-14")
def test_a_filter_gives_documents_with_hash_and_place(fill: Fill) -> None:
    vault = fill("search")
    path = vault.root / ".vault/research/2026-07-11-search-api-research.md"
    assert valid(find(vault, feature="search-api", type=["research"])) == [
        {
            "name": "2026-07-11-search-api-research",
            "type": "research",
            "feature": "search-api",
            "date": "2026-07-11",
            "path": ".vault/research/2026-07-11-search-api-research.md",
            "blob_hash": blob_hash(path.read_bytes()),
            "resource_uri": path.as_uri(),
        }
    ]


@requirement("FND-2")
@pytest.mark.parametrize(
    ("filters", "stems"),
    [
        ({"feature": "search-api"}, ["2026-07-12-search-api-adr", "2026-07-12-search-api-plan", "2026-07-11-search-api-research"]),
        ({"feature": "#Search-API"}, ["2026-07-12-search-api-adr", "2026-07-12-search-api-plan", "2026-07-11-search-api-research"]),
        ({"type": ["research", "adr"], "feature": "auth"}, ["2026-06-30-auth-research", "2026-07-01-auth-adr"]),
        ({"type": ["adr", "adr"], "feature": "auth"}, ["2026-07-01-auth-adr"]),
        ({"type": ["exec", "index"]}, ["2026-07-12-search-api-ledger", "search-api.index"]),
        ({"date": "2026-06-30"}, ["2026-06-30-auth-research"]),
        ({"date": "2026/6/30"}, ["2026-06-30-auth-research"]),
        ({"text": "AUTH"}, ["2026-07-01-auth-adr", "2026-06-30-auth-research"]),
        ({"text": "2026-06"}, ["2026-06-20-caching-research", "2026-06-30-auth-research"]),
        ({"text": "an inverted index"}, []),
        ({"text": "auth", "type": ["plan"]}, []),
        ({"text": "a", "limit": 2}, ["2026-07-01-auth-adr", "2026-07-12-search-api-adr"]),
    ],
)  # fmt: skip
def test_filters_compose_and_the_types_give_the_order(fill: Fill, filters: dict[str, Any], stems: list[str]) -> None:
    assert names(find(fill("search"), **filters)) == stems


@requirement("FND-4")
@pytest.mark.parametrize(
    "filters",
    [
        {"feature": "nobody"},
        {"feature": "#"},
        {"type": ["memo"]},
        {"date": "2020-01-01"},
        {"date": "soon"},
        {"text": "\ud800"},
    ],
)
def test_filters_that_match_nothing_give_no_rows(fill: Fill, filters: dict[str, Any]) -> None:
    assert find(fill("search"), **filters) == []


@requirement("FND-4")
@pytest.mark.parametrize("filters", [{}, {"feature": ""}, {"type": []}, {"text": ""}, {"date": None}])
def test_filters_that_say_nothing_are_none(fill: Fill, filters: dict[str, Any]) -> None:
    assert names(find(fill("search"), **filters)) == ["auth", "caching", "search-api"]


@requirement("FND-4")
def test_an_empty_vault_has_no_rows(vault: Vault) -> None:
    assert find(vault) == find(vault, text="a") == []


@requirement("FND-3")
def test_a_body_is_the_whole_document_or_its_beginning(vault: Vault, write: Write) -> None:
    short = write("adr/2026-01-01-a-adr.md", text="---\r\ntags: ['#adr', '#a']\r\n---\r\n\r\nshört\r\n")
    long = write("adr/2026-01-02-a-adr.md", text="---\ntags: ['#adr', '#a']\n---\n" + "word " * 20 + "\n" + "y" * 900)
    text = long.read_text()
    whole, cut = (dict(row) for row in valid(find(vault, feature="a", body="excerpt")))
    assert whole["body"] == short.read_bytes().decode()
    assert (whole["body_bytes"], whole["body_truncated"]) == (short.stat().st_size, False)
    assert cut["body"] == text[:600]
    assert (cut["body_bytes"], cut["body_truncated"]) == (len(text), True)
    assert [row["body"] for row in find(vault, feature="a", body="full")] == [whole["body"], text]
    assert [row["body_truncated"] for row in find(vault, feature="a", body="full")] == [False, False]
    assert "body" not in find(vault, feature="a")[0]


@requirement("FND-3")
def test_an_excerpt_ends_at_a_line_end_in_its_second_half() -> None:
    assert excerpt("x" * 600) == "x" * 600
    assert excerpt("x" * 400 + "\n" + "y" * 400) == "x" * 400
    assert excerpt("x" * 200 + "\n" + "y" * 600) == "x" * 200 + "\n" + "y" * 399
    assert excerpt("") == ""


@requirement("FND-3", "D-14")
def test_whole_documents_stop_at_a_total_size_and_the_rest_are_excerpts(
    vault: Vault, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, size in enumerate((900, 900, 50), 1):
        write(f"adr/2026-01-0{number}-a-adr.md", "z" * size, feature="a")
    monkeypatch.setattr(module, "FULL_BYTES", 1100)
    rows = find(vault, feature="a", body="full")
    assert [row["body_truncated"] for row in rows] == [False, True, False]
    assert len(rows[1]["body"]) == 600


@requirement("D-14")
def test_the_documented_total_is_the_one_that_counts() -> None:
    assert module.FULL_BYTES == 1 << 20
    assert "1 MiB" in TOOL.arguments["properties"]["body"]["description"]


@requirement("SRV-7")
def test_documents_that_cannot_be_read_are_listed_and_spoil_no_other_row(fill: Fill, write: Write) -> None:
    vault = fill("troubled")
    latin = vault.folder / "adr" / "2026-01-01-latin-adr.md"
    latin.write_bytes(b"---\ntags: ['#adr', '#latin']\n---\n# caf\xe9\n")
    huge = write("adr/2026-01-01-huge-adr.md", feature="huge")
    os.truncate(huge, SIZE_LIMIT + 1)
    rows = {row["name"]: row for row in valid(find(vault, text="2026", body="full", limit=100))}
    assert len(rows) == 18
    bad = rows["2026-01-01-latin-adr"]
    assert (bad["feature"], bad["blob_hash"]) == ("latin", blob_hash(latin.read_bytes()))
    assert (bad["body"], bad["body_bytes"], bad["body_truncated"]) == (None, latin.stat().st_size, True)
    large = rows["2026-01-01-huge-adr"]
    assert (large["feature"], large["blob_hash"], large["body"]) == ("huge", None, None)
    assert (large["body_bytes"], large["body_truncated"]) == (SIZE_LIMIT + 1, True)
    healthy = rows["2026-01-01-healthy-research"]
    assert healthy["body"] == (vault.root / healthy["path"]).read_text()
    assert "healthy" in names(valid(find(vault, json=True, limit=100)))


@requirement("EDT-2")
def test_the_hash_is_that_of_the_bytes_now(vault: Vault, write: Write) -> None:
    path = write("adr/2026-01-01-a-adr.md", "one", feature="a")
    before = find(vault, feature="a")[0]["blob_hash"]
    path.write_bytes(path.read_bytes().replace(b"one", b"two"))
    after = find(vault, feature="a")[0]["blob_hash"]
    assert (before == after, after) == (False, blob_hash(path.read_bytes()))


def test_the_tool_says_how_many_rows_there_are(fill: Fill) -> None:
    vault = fill("search")
    defaults = {key: value["default"] for key, value in TOOL.arguments["properties"].items()}
    result, summary = run(vault, defaults, lambda done, total, message: None)
    assert (len(result["result"]), summary) == (3, "3 rows")
    assert run(vault, {**defaults, "feature": "caching"}, lambda done, total, message: None)[1] == "1 row"
