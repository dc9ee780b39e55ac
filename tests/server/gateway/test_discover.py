"""What `discover` finds, in which order, and what it keeps back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.requirements import requirement
from tests.server.gateway.conftest import perform
from vaultspec_core.mcp_server.frame import Fault
from vaultspec_core.mcp_server.gateway_catalogue import BLOCKED, RESERVED, Entry, catalogue
from vaultspec_core.mcp_server.gateway_ranking import rank
from vaultspec_installer.table import all_verbs

INTENTS = ROOT / "fixtures/discover/intents.txt"
PHRASES = 60
FIRST = 3
MISSES = 3


def intents() -> Iterator[tuple[str, str]]:
    for line in INTENTS.read_text(encoding="utf-8").splitlines():
        phrase, arrow, verb = line.rpartition(" -> ")
        if arrow and not line.startswith("#"):
            yield phrase, verb


def entry(verb: str, description: str = "Nothing.") -> Entry:
    return Entry(verb, description, True, None, None, (), ())


@requirement("GTW-1")
def test_what_people_ask_for_is_among_the_first(workspace: Path) -> None:
    entries = [entry for entry in catalogue(workspace) if entry.denied is None]
    known = {entry.verb for entry in entries}
    pairs = list(intents())
    assert len(pairs) >= PHRASES
    assert [verb for _, verb in pairs if verb not in known] == []
    found = {phrase: [entry.verb for _, entry in rank(phrase, entries)[:FIRST]] for phrase, _ in pairs}
    missed = [f"{phrase} -> {verb}, not {found[phrase]}" for phrase, verb in pairs if verb not in found[phrase]]
    assert len(missed) <= MISSES, "\n".join(missed)


def test_the_words_of_a_verb_find_it_first(workspace: Path) -> None:
    entries = [entry for entry in catalogue(workspace) if entry.denied is None]
    assert [entry.verb for entry in entries if rank(entry.verb, entries)[0][1] is not entry] == []


@requirement("GTW-1")
def test_a_result_says_what_each_verb_takes(workspace: Path) -> None:
    found = perform(workspace, "discover", {"query": "vault set-body", "limit": 1})
    (verb,) = found["verbs"]
    assert verb.pop("score") > 0
    assert found == {"query": "vault set-body", "count": 1, "verbs": [verb]}
    assert verb == {
        "verb": "vault set-body",
        "description": "Replace the whole body of a document; its frontmatter stays.",
        "supports_json": True,
        "flags": [
            {"name": "--body-file", "takes_value": True, "help": "Read the new body from this file."},
            {"name": "--dry-run", "takes_value": False, "help": "Show what would change and write nothing."},
            {
                "name": "--expected-blob-hash",
                "takes_value": True,
                "help": "Refuse when the document is no longer this one.",
            },
        ],
        "arguments": [{"name": "ref", "required": True, "variadic": False}],
    }


@requirement("GTW-1", "GTW-2", "GTW-3")
def test_what_invoke_would_refuse_is_not_offered(workspace: Path) -> None:
    offered: dict[str, set[str]] = {}
    for verb in all_verbs():
        if verb.name in offered:
            continue
        for found in perform(workspace, "discover", {"query": verb.name, "limit": 50})["verbs"]:
            offered[found["verb"]] = {flag["name"] for flag in found["flags"]}
    wanted = {verb.name for verb in all_verbs() if not (verb.denied or verb.hidden or verb.deprecated)}
    assert set(offered) == wanted
    assert [verb for verb, flags in offered.items() if flags & {*BLOCKED, *RESERVED}] == []


@requirement("GTW-1")
def test_results_are_ordered_by_score_and_then_by_name(workspace: Path) -> None:
    found = perform(workspace, "discover", {"query": "vault documents", "limit": 50})["verbs"]
    assert [(-verb["score"], verb["verb"]) for verb in found] == sorted((-v["score"], v["verb"]) for v in found)
    twins = [entry("b two"), entry("a two"), entry("c two")]
    assert [twin.verb for _, twin in rank("two", twins)] == ["a two", "b two", "c two"]


@requirement("D-18", "SRV-3")
@pytest.mark.parametrize("limit", [0, -1, 51, 1.5, "10"])
def test_a_limit_out_of_range_is_refused_by_name(workspace: Path, limit: object) -> None:
    with pytest.raises(Fault, match="`limit` must be an integer from 1 to 50"):
        perform(workspace, "discover", {"query": "x", "limit": limit})


@requirement("D-18", "SRV-3")
@pytest.mark.parametrize("timeout", [0, -1, 600.1, "60", True])
def test_a_timeout_out_of_range_is_refused_by_name(workspace: Path, timeout: object) -> None:
    with pytest.raises(Fault, match="`timeout` must be a number"):
        perform(workspace, "invoke", {"verb": "version", "timeout": timeout})


@pytest.mark.parametrize("query", ["", "   ", "the of", "\u00e9\u4e2d", "zzzz", "-- \\ %"])
def test_a_query_that_says_nothing_finds_nothing(workspace: Path, query: str) -> None:
    assert perform(workspace, "discover", {"query": query}) == {"query": query, "count": 0, "verbs": []}


def test_limit_takes_the_first_and_ten_is_the_default(workspace: Path) -> None:
    ten = perform(workspace, "discover", {"query": "vault check"})
    assert (ten["count"], len(ten["verbs"])) == (10, 10)
    assert perform(workspace, "discover", {"query": "vault check", "limit": 2})["verbs"] == ten["verbs"][:2]


def test_other_words_for_ours_are_understood_and_count_less() -> None:
    verbs = [entry("vault make"), entry("vault remove"), entry("vault delete")]
    scores = {found.verb: score for score, found in rank("delete", verbs)}
    assert scores["vault delete"] > scores["vault remove"] > 0
    assert "vault make" not in scores


def test_endings_make_no_difference() -> None:
    assert [found.verb for _, found in rank("archived Documents!", [entry("vault archive documents")])] == [
        "vault archive documents"
    ]


@requirement("GTW-1")
def test_the_documented_query_finds_the_documented_verb_first(workspace: Path) -> None:
    (first,) = perform(workspace, "discover", {"query": "list vault documents", "limit": 1})["verbs"]
    assert (first["verb"], first["description"]) == ("vault list", "List or filter every document of the vault.")
