"""The corpus follows the disk: what it lists, what it reads again, what it never reads."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.requirements import requirement
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import SIZE_LIMIT
from vaultspec_core.vault.frontmatter import Problem
from vaultspec_core.vault.graph import build
from vaultspec_core.vault.vault import Vault
from vaultspec_core.vault.walk import LINKED

Write = Callable[..., Path]
Fill = Callable[[str], Vault]


def listed(corpus: Corpus) -> list[str]:
    corpus.refresh()
    return [path.removeprefix(".vault/") for path in corpus.documents]


def test_documents_are_listed_by_path_with_what_their_frontmatter_says(fill: Fill) -> None:
    corpus = fill("search").corpus
    assert listed(corpus) == [
        "adr/2026-07-01-auth-adr.md",
        "adr/2026-07-12-search-api-adr.md",
        "exec/2026-07-12-search-api/2026-07-12-search-api-ledger.md",
        "index/search-api.index.md",
        "plan/2026-07-12-search-api-plan.md",
        "research/2026-06-20-caching-research.md",
        "research/2026-06-30-auth-research.md",
        "research/2026-07-11-search-api-research.md",
    ]
    adr = corpus.documents[".vault/adr/2026-07-01-auth-adr.md"]
    assert (adr.stem, adr.type, adr.feature, adr.date, adr.modified) == (
        "2026-07-01-auth-adr", "adr", "auth", "2026-07-01", "2026-07-01",
    )  # fmt: skip
    assert adr.tags == ("#adr", "#auth")
    assert (adr.title, adr.status) == ("`auth` adr: `sessions` | (**status:** `proposed`)", "proposed")
    assert adr.related == ("2026-06-30-auth-research", "2026-05-01-tokens-adr", "2026-06-01-lost-research")
    assert adr.links == ("2026-07-11-search-api-research",)
    plan = corpus.documents[".vault/plan/2026-07-12-search-api-plan.md"]
    assert plan.plan is not None
    assert (plan.tier, plan.plan.closed, plan.plan.total, plan.plan.next_open) == ("L2", 2, 3, "P02.S03")
    assert corpus.documents[".vault/adr/2026-07-12-search-api-adr.md"].links == ()
    assert corpus.archived == {"2026-05-01-tokens-adr"}
    assert [document.problems for document in corpus.documents.values()] == [()] * 8


def test_only_markdown_files_in_places_for_documents_are_documents(vault: Vault, write: Write) -> None:
    write("adr/a.md")
    write("misc/b.md")
    write("top.md")
    for aside in (
        "readme.md",
        "README.md",
        ".obsidian/x.md",
        ".trash/x.md",
        "data/x.md",
        "logs/x.md",
        "adr/.x.md",
        "adr/x.txt",
        "adr/x.MD",
    ):
        write(aside)
    write("_archive/adr/old-adr.md")
    (vault.folder / "adr" / "folder.md").mkdir()
    write("adr/folder.md/c.md")
    assert listed(vault.corpus) == ["adr/a.md", "adr/folder.md/c.md", "misc/b.md", "top.md"]
    assert vault.corpus.archived == {"old-adr"}


@pytest.mark.usefixtures("settled")
def test_a_second_look_reads_nothing_again(fill: Fill) -> None:
    corpus = fill("search").corpus
    corpus.refresh()
    before, generation = dict(corpus.documents), corpus.generation
    graph = corpus.derived(build)
    corpus.refresh()
    assert all(corpus.documents[path] is document for path, document in before.items())
    assert corpus.generation == generation
    assert corpus.derived(build) is graph


@requirement("SRV-7")
@pytest.mark.usefixtures("settled")
def test_an_edit_from_outside_is_seen(vault: Vault, write: Write) -> None:
    path = write("adr/a.md", "# one", feature="auth")
    other = write("adr/b.md", "# other")
    vault.corpus.refresh()
    kept = vault.corpus.documents[".vault/adr/b.md"]
    graph = vault.corpus.derived(build)
    write("adr/a.md", "# two", feature="billing")
    vault.corpus.refresh()
    assert vault.corpus.documents[".vault/adr/a.md"].title == "two"
    assert vault.corpus.documents[".vault/adr/b.md"] is kept
    assert sorted(vault.corpus.features) == ["auth", "billing"]
    assert vault.corpus.derived(build) is not graph
    path.unlink()
    other.rename(other.with_name("c.md"))
    assert listed(vault.corpus) == ["adr/c.md"]
    assert (sorted(vault.corpus.features), sorted(vault.corpus.stems)) == (["auth"], ["c"])


@pytest.mark.usefixtures("settled")
def test_an_edit_that_hides_behind_the_old_time_and_size_is_seen(vault: Vault, write: Write) -> None:
    path = write("adr/a.md", "# one")
    before = path.stat()
    vault.corpus.refresh()
    path.write_bytes(path.read_bytes().replace(b"one", b"two"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    vault.corpus.refresh()
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert vault.corpus.documents[".vault/adr/a.md"].title == "two"


def test_a_file_that_is_too_young_to_trust_its_time_stamp_is_read_again(vault: Vault, write: Write) -> None:
    write("adr/a.md", "# one")
    vault.corpus.refresh()
    first = vault.corpus.documents[".vault/adr/a.md"]
    vault.corpus.refresh()
    assert first.signature is None
    assert vault.corpus.documents[".vault/adr/a.md"] is not first


@requirement("SRV-7")
def test_links_that_leave_the_workspace_are_never_read(vault: Vault, write: Write, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("---\ntags: ['#adr', '#secret']\n---\n# secret\n")
    write("adr/a.md", "# inside")
    inside = vault.root / "notes.md"
    inside.write_text("---\ntags: ['#adr', '#linked']\n---\n# linked\n")
    adr = vault.folder / "adr"
    (adr / "secret.md").symlink_to(outside / "secret.md")
    (adr / "twice.md").symlink_to(adr / "secret.md")
    (adr / "up.md").symlink_to("../../../outside/secret.md")
    (adr / "lost.md").symlink_to("nowhere.md")
    (adr / "loop.md").symlink_to("loop.md")
    (adr / "linked.md").symlink_to(inside)
    (vault.folder / "plan").symlink_to(outside)
    assert listed(vault.corpus) == ["adr/a.md", "adr/linked.md"]
    assert sorted((stray.path, stray.problem.code) for stray in vault.corpus.strays) == [
        (".vault/adr/secret.md", LINKED),
        (".vault/adr/twice.md", LINKED),
        (".vault/adr/up.md", LINKED),
        (".vault/plan", LINKED),
    ]
    assert sorted(vault.corpus.features) == ["auth", "linked"]
    assert vault.path(".vault/adr/linked.md") == inside
    inside.write_text("---\ntags: ['#adr', '#moved']\n---\n# moved\n")
    vault.corpus.refresh()
    assert sorted(vault.corpus.features) == ["auth", "moved"]


@requirement("SRV-7")
def test_a_bad_document_is_a_problem_of_its_own_and_of_no_other(fill: Fill, write: Write) -> None:
    vault = fill("troubled")
    (vault.folder / "adr" / "2026-01-01-latin-adr.md").write_bytes(
        b"---\ntags: ['#adr', '#latin']\ndate: '2026-01-01'\n---\n\n# caf\xe9\n"
    )
    (vault.folder / "adr" / "2026-01-01-wide-adr.md").write_bytes("---\ntags: []\n---\n".encode("utf-16"))
    huge = write("adr/2026-01-01-huge-adr.md", "# huge\n\n[[nowhere]]", feature="huge")
    os.truncate(huge, SIZE_LIMIT + 1)
    if hasattr(os, "mkfifo"):
        os.mkfifo(vault.folder / "adr" / "pipe.md")
    vault.corpus.refresh()
    codes = {
        document.stem.removeprefix("2026-01-01-").removesuffix("-adr"): [problem.code for problem in document.problems]
        for document in vault.corpus.documents.values()
        if document.problems
    }
    assert codes == {
        "aliases": ["frontmatter-unreadable"],
        "broken": ["frontmatter-unreadable"],
        "deep": ["frontmatter-unreadable"],
        "huge": ["too-large"],
        "latin": ["not-utf8"],
        "list": ["frontmatter-unreadable"],
        "repeated": ["frontmatter-repeated"],
        "unclosed": ["frontmatter-open"],
        "wide": ["not-utf8"],
    }
    assert vault.corpus.documents[".vault/adr/2026-01-01-huge-adr.md"].feature == "huge"
    latin = vault.corpus.documents[".vault/adr/2026-01-01-latin-adr.md"]
    assert latin.problems == (Problem("not-utf8", "the document is not valid UTF-8 (byte 58)", 6),)
    assert latin.feature == "latin"
    healthy = vault.corpus.documents[".vault/research/2026-01-01-healthy-research.md"]
    assert (healthy.feature, healthy.related, healthy.problems) == ("healthy", ("2026-01-01-repeated-adr",), ())


def test_a_file_name_that_is_no_text_is_a_stray(vault: Vault, write: Write) -> None:
    write("adr/a.md")
    name = os.fsencode(vault.folder / "adr") + b"/caf\xe9.md"
    try:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
    except OSError:
        pytest.skip("the file system takes no such name")
    assert listed(vault.corpus) == ["adr/a.md"]
    assert [(stray.path, stray.problem.code) for stray in vault.corpus.strays] == [(".vault/adr/caf?.md", "name")]


@requirement("FND-1")
def test_a_folder_that_cannot_be_read_is_a_stray_and_the_graph_is_incomplete(vault: Vault, write: Write) -> None:
    write("adr/a.md")
    vault.corpus.refresh()
    assert vault.corpus.derived(build).complete
    bury(vault.folder / "adr")
    assert listed(vault.corpus) == ["adr/a.md"]
    assert [stray.problem.code for stray in vault.corpus.strays] == ["unreadable"]
    assert not vault.corpus.derived(build).complete


def bury(folder: Path) -> None:
    """Nest folders until the path of the last is longer than the system opens, which holds for every user."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=here)
        inner = os.open("d" * 250, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def test_a_write_of_our_own_is_taken_in_at_once(vault: Vault, write: Write) -> None:
    write("adr/b.md", "# b", feature="auth")
    vault.corpus.refresh()
    path = write("adr/a.md", "# a", feature="billing")
    made = vault.corpus.update(".vault/adr/a.md")
    assert made is not None
    assert made.title == "a"
    assert list(vault.corpus.documents) == [".vault/adr/a.md", ".vault/adr/b.md"]
    assert vault.corpus.of_feature("billing") == [made]
    path.unlink()
    assert vault.corpus.update(".vault/adr/a.md") is None
    assert vault.corpus.update(".vault/adr/never.md") is None
    assert (list(vault.corpus.documents), sorted(vault.corpus.features)) == ([".vault/adr/b.md"], ["auth"])


def test_after_any_changes_the_corpus_is_what_a_new_one_would_be(vault: Vault, write: Write) -> None:
    chance = random.Random(7)
    names = [f"{kind}/{stem}.md" for kind in ("adr", "plan", "research") for stem in ("a", "B", "b", "c")]
    for _ in range(120):
        name = chance.choice(names)
        if chance.random() < 0.3:
            (vault.folder / name).unlink(missing_ok=True)
        else:
            write(
                name,
                f"[[{chance.choice('abcz')}]]",
                feature=chance.choice(["x", "y", None]),
                related=chance.choice(["", "a", "b c"]),
            )
        if chance.random() < 0.5:
            vault.corpus.update(f".vault/{name}")
        if chance.random() < 0.5:
            continue
        vault.corpus.refresh()
        fresh = Corpus(vault.root)
        fresh.refresh()
        assert list(vault.corpus.documents.items()) == list(fresh.documents.items())
        assert {key: set(found) for key, found in vault.corpus.stems.items()} == {
            key: set(found) for key, found in fresh.stems.items()
        }
        assert vault.corpus.features == fresh.features
        assert vault.corpus.derived(build) == fresh.derived(build)


def test_a_vault_that_disappears_while_open_is_empty(vault: Vault, write: Write) -> None:
    write("adr/a.md")
    vault.corpus.refresh()
    shutil.rmtree(vault.folder)
    assert listed(vault.corpus) == []
    assert (vault.corpus.features, vault.corpus.stems) == ({}, {})
