"""What a reference means: a stem wherever it lies, a path only where it says, nothing when it could be two."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_core.vault.resolve import candidates, resolve, resolve_plan
from vaultspec_core.vault.vault import Vault

Write = Callable[..., Path]

ADR = ".vault/adr/2026-07-12-search-api-adr.md"
PLAN = ".vault/plan/2026-07-12-search-api-plan.md"


@pytest.fixture
def search(fill: Callable[[str], Vault]) -> Vault:
    vault = fill("search")
    vault.corpus.refresh()
    return vault


@requirement("EDT-4")
@pytest.mark.parametrize(
    "reference",
    [
        "2026-07-12-search-api-adr",
        "2026-07-12-SEARCH-api-adr",
        "2026-07-12-search-api-adr.md",
        " 2026-07-12-search-api-adr ",
        "[[2026-07-12-search-api-adr]]",
        "[[2026-07-12-search-api-adr|the decision]]",
        "[[2026-07-12-search-api-adr.md]]",
        "[[2026-07-12-search-api-adr#Rationale]]",
        ".vault/adr/2026-07-12-search-api-adr.md",
        ".vault/adr/2026-07-12-search-api-adr",
        "./.vault/plan/../adr/2026-07-12-search-api-adr.md",
        "adr/2026-07-12-search-api-adr.md",
        "adr/2026-07-12-search-api-adr",
        ".vault\\adr\\2026-07-12-search-api-adr.md",
        ".vault/ADR/2026-07-12-Search-api-adr.md",
    ],
)
def test_a_document_answers_to_its_stem_file_name_path_and_wiki_link(search: Vault, reference: str) -> None:
    assert resolve(search.corpus, reference).relative == ADR


@requirement("EDT-4")
def test_a_document_answers_to_its_absolute_path_through_links_too(search: Vault, tmp_path: Path) -> None:
    assert resolve(search.corpus, str(search.root / ADR)).relative == ADR
    alias = tmp_path / "alias"
    alias.symlink_to(search.root)
    assert resolve(search.corpus, str(alias / ADR)).relative == ADR


@requirement("EDT-4")
@pytest.mark.parametrize(
    "reference",
    [
        "",
        "[[]]",
        ".md",
        "adr",
        "search-api",
        "2026-07-12-search-api",
        "research/2026-07-12-search-api-adr.md",
        ".vault/research/2026-07-12-search-api-adr.md",
        "nowhere/2026-07-12-search-api-adr.md",
        "/nowhere/2026-07-12-search-api-adr.md",
        "/.vault/adr/2026-07-12-search-api-adr.md",
        "../project2/.vault/adr/2026-07-12-search-api-adr.md",
        "2026-05-01-tokens-adr",
        "_archive/adr/2026-05-01-tokens-adr",
        "x\0y",
        "/x\0y/z",
        "/x\ud800/z",
        "\ud800",
        "a/" * 5000,
        "/" + "a/" * 5000,
    ],
)
def test_a_path_names_no_document_that_lies_elsewhere(search: Vault, reference: str) -> None:
    with pytest.raises(Refusal) as caught:
        resolve(search.corpus, reference)
    assert (caught.value.code, caught.value.message) == (
        "unresolved-document",
        f"Cannot resolve document: {reference!r}",
    )


@requirement("EDT-4")
def test_a_stem_that_two_documents_share_is_refused_and_a_path_tells_them_apart(vault: Vault, write: Write) -> None:
    write("adr/2026-01-09-dupe-adr.md")
    write("research/2026-01-09-dupe-adr.md")
    vault.corpus.refresh()
    with pytest.raises(Refusal) as caught:
        resolve(vault.corpus, "2026-01-09-dupe-adr")
    both = [".vault/adr/2026-01-09-dupe-adr.md", ".vault/research/2026-01-09-dupe-adr.md"]
    assert caught.value.code == "ambiguous-document"
    assert caught.value.message == (
        "'2026-01-09-dupe-adr' names 2 documents; address one by its path instead: " + ", ".join(both)
    )
    assert caught.value.data == {"candidates": both}
    for path in both:
        assert resolve(vault.corpus, path).relative == path


def test_case_tells_two_stems_apart_and_otherwise_does_not_count(vault: Vault, write: Write) -> None:
    write("adr/Note.md")
    write("research/note.md")
    vault.corpus.refresh()
    assert [found.relative for found in candidates(vault.corpus, "Note")] == [".vault/adr/Note.md"]
    assert [found.relative for found in candidates(vault.corpus, "note")] == [".vault/research/note.md"]
    assert len(candidates(vault.corpus, "NOTE")) == 2


@requirement("PLN-1")
@pytest.mark.parametrize(
    "reference",
    [
        "2026-07-12-search-api-plan",
        "plan/2026-07-12-search-api-plan.md",
        PLAN,
        "[[2026-07-12-search-api-plan]]",
        "search-api",
        "#search-api",
        "Search-API",
    ],
)
def test_a_plan_answers_to_its_name_and_to_a_feature_with_one_plan(search: Vault, reference: str) -> None:
    assert resolve_plan(search.corpus, reference).relative == PLAN


@requirement("PLN-1")
def test_a_feature_with_several_plans_is_refused_with_their_stems(vault: Vault, write: Write) -> None:
    write("plan/2026-01-01-auth-plan.md")
    write("plan/2026-02-01-auth-plan.md")
    vault.corpus.refresh()
    with pytest.raises(Refusal) as caught:
        resolve_plan(vault.corpus, "auth")
    assert caught.value.code == "ambiguous-plan"
    assert caught.value.message == (
        "'auth' names 2 plans; address one by its stem instead: 2026-01-01-auth-plan, 2026-02-01-auth-plan"
    )
    assert resolve_plan(vault.corpus, "2026-02-01-auth-plan").stem == "2026-02-01-auth-plan"


@requirement("PLN-1")
def test_plans_that_share_a_stem_are_refused_with_their_paths(vault: Vault, write: Write) -> None:
    write("plan/a/2026-01-01-auth-plan.md")
    write("plan/b/2026-01-01-auth-plan.md")
    vault.corpus.refresh()
    with pytest.raises(Refusal) as caught:
        resolve_plan(vault.corpus, "2026-01-01-auth-plan")
    assert caught.value.message == (
        "'2026-01-01-auth-plan' names 2 plans; address one by its path instead: "
        ".vault/plan/a/2026-01-01-auth-plan.md, .vault/plan/b/2026-01-01-auth-plan.md"
    )


@requirement("PLN-1")
def test_a_plan_that_is_a_stem_and_a_feature_is_found_by_its_stem(vault: Vault, write: Write) -> None:
    write("plan/auth.md", feature="billing")
    write("plan/2026-01-01-auth-plan.md", feature="auth")
    vault.corpus.refresh()
    assert resolve_plan(vault.corpus, "auth").relative == ".vault/plan/auth.md"
    assert resolve_plan(vault.corpus, "#auth").relative == ".vault/plan/2026-01-01-auth-plan.md"


@requirement("PLN-1", "STS-4")
@pytest.mark.parametrize(
    ("reference", "tail"),
    [
        ("search", " Did you mean: #search-api, 2026-07-12-search-api-plan?"),
        ("serch-api", " Did you mean: #search-api?"),
        ("2026-07-12-search-api-adr", " Did you mean: 2026-07-12-search-api-plan?"),
        ("quantum", ""),
    ],
)
def test_a_reference_to_no_plan_is_refused_with_what_comes_near(search: Vault, reference: str, tail: str) -> None:
    with pytest.raises(Refusal) as caught:
        resolve_plan(search.corpus, reference)
    assert caught.value.code == "unresolved-plan"
    assert caught.value.message == (
        f"Cannot resolve plan {reference!r}: no plan document matches it by stem, path, or feature tag.{tail}"
    )
