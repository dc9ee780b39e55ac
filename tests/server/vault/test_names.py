"""Names: what is accepted, what it becomes, what is refused and in which words."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("auth", "auth"),
        ("#auth", "auth"),
        ("##x", "x"),
        ("  auth ", "auth"),
        ("UPPER", "upper"),
        ("a/b", "a-b"),
        ("a\\b", "a-b"),
        ("a--b-", "a--b-"),
        ("7", "7"),
        ("true", "true"),
        ("console", "console"),
        ("com10", "com10"),
    ],
)
def test_a_feature_name_is_normalised(given: str, normal: str) -> None:
    assert names.valid_feature(given) == normal


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "feature tag is required (e.g. my-feature)"),
        ("#", "feature tag is required (e.g. my-feature)"),
        ("..", "Invalid feature tag '..'. Must be kebab-case (lowercase, digits, hyphens)."),
        ("../etc", "Invalid feature tag '../etc'. Must be kebab-case (lowercase, digits, hyphens)."),
        ("/abs", "Invalid feature tag '/abs'. Must be kebab-case (lowercase, digits, hyphens)."),
        ("café", "Invalid feature tag 'café'. Must be kebab-case (lowercase, digits, hyphens)."),
        ("a\nb", "Invalid feature tag 'a\\nb'. Must be kebab-case (lowercase, digits, hyphens)."),
        ("a\n", None),
        ("two words", "Invalid feature tag 'two words'. Must be kebab-case (lowercase, digits, hyphens)."),
        ("NUL", "Invalid feature tag 'NUL': nul is a reserved device name on Windows."),
        ("com1", "Invalid feature tag 'com1': com1 is a reserved device name on Windows."),
        ("x" * 241, "Invalid feature tag: 241 characters, more than a file name holds."),
    ],
)
def test_a_feature_name_that_is_none_is_refused(given: str, message: str | None) -> None:
    if message is None:
        assert names.valid_feature(given) == given.strip()
        return
    with pytest.raises(Refusal) as caught:
        names.valid_feature(given)
    assert (caught.value.code, caught.value.message) == ("invalid-name", message)


@requirement("D-18")
@pytest.mark.parametrize("kind", names.TYPES)
def test_a_feature_is_not_named_like_a_document_type(kind: str) -> None:
    with pytest.raises(Refusal) as caught:
        names.valid_feature(f"#{kind.upper()}")
    assert caught.value.message == f"Invalid feature tag '#{kind.upper()}': {kind} is a document type."


def test_a_topic_is_refused_in_its_own_words() -> None:
    with pytest.raises(Refusal, match=r"^topic is required"):
        names.valid_tag("", "topic")


@pytest.mark.parametrize(
    ("given", "day"),
    [
        ("2026-07-13", "2026-07-13"),
        (" 2026-07-13 ", "2026-07-13"),
        ("2026-07-13T10:00:00", "2026-07-13"),
        ("20260713", "2026-07-13"),
        ("2026-07-13T23:30:00-05:00", "2026-07-14"),
        ("2026-07-13T00:30:00+02:00", "2026-07-12"),
        ("2026/7/3", "2026-07-03"),
        ("13-07-2026", "2026-07-13"),
        ("07/13/2026", "2026-07-13"),
        ("2024-02-29", "2024-02-29"),
        ("2000-02-29", "2000-02-29"),
    ],
)
def test_a_date_is_read_in_the_forms_that_say_which_day_it_is(given: str, day: str) -> None:
    assert names.calendar_date(given) == day


@pytest.mark.parametrize(
    "given",
    [
        "",
        "soon",
        "2026-13-01",
        "2026-02-30",
        "1900-02-29",
        "05/06/2026",
        "13-13-2026",
        "2026-07",
        "١٣-٠٧-٢٠٢٦",
        "0001-01-01T00:00:00+14:00",
    ],
)
def test_a_date_that_could_be_two_days_or_none_is_refused(given: str) -> None:
    with pytest.raises(Refusal) as caught:
        names.calendar_date(given)
    assert caught.value.message == (
        f"Invalid date {given.strip()!r}. Must be a calendar date in (or normalizable to) YYYY-MM-DD form."
    )


def test_documents_lie_where_their_type_and_name_say() -> None:
    assert names.document_path("adr", "auth", "2026-07-01") == ".vault/adr/2026-07-01-auth-adr.md"
    assert (
        names.document_path("audit", "auth", "2026-07-01", "tokens") == ".vault/audit/2026-07-01-auth-tokens-audit.md"
    )
    assert names.ledger_path("auth", "2026-07-01") == ".vault/exec/2026-07-01-auth/2026-07-01-auth-ledger.md"
    assert names.index_path("auth") == ".vault/index/auth.index.md"


def test_a_path_no_file_system_takes_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        names.document_path("adr", "x" * 120, "2026-07-01", "y" * 120)
    assert caught.value.code == "name-too-long"


@pytest.mark.parametrize(
    ("inside", "kind"),
    [
        ("adr/x.md", "adr"),
        ("exec/2026-01-01-a/x.md", "exec"),
        ("auth.index.md", "index"),
        ("index/auth.index.md", "index"),
        ("notes.md", "unknown"),
        ("misc/x.md", "unknown"),
        ("ADR/x.md", "unknown"),
    ],
)
def test_the_type_of_a_document_is_its_folder(inside: str, kind: str) -> None:
    assert names.type_of(inside) == kind


@pytest.mark.parametrize(
    ("kind", "name", "fits"),
    [
        ("adr", "2026-07-01-auth-adr.md", True),
        ("adr", "2026-07-01-auth-tokens-adr.md", True),
        ("adr", "2026-07-01-auth-research.md", False),
        ("adr", "auth-adr.md", False),
        ("adr", "2026-07-01-Auth-adr.md", False),
        ("exec", "2026-07-01-auth-ledger.md", True),
        ("exec", "2026-07-01-auth-W01-P02-S03.md", True),
        ("exec", "2026-07-01-auth-S03.md", True),
        ("exec", "2026-07-01-auth-P01-summary.md", True),
        ("exec", "2026-07-01-auth.md", False),
        ("index", "auth.index.md", True),
        ("index", "2026-07-01-auth-index.md", False),
    ],
)
def test_file_names_follow_the_rule_of_their_type(kind: str, name: str, fits: bool) -> None:
    assert names.name_fits(kind, name) is fits
