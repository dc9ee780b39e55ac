"""Feature indexes at the top of the vault move into its folder `index/`, and nothing that somebody wrote is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result, Sandbox, tree
from tests.requirements import requirement
from vaultspec_core.dry_run import DryDisk
from vaultspec_core.files import Disk
from vaultspec_core.load import load
from vaultspec_core.migration import Applied
from vaultspec_core.report import Refusal
from vaultspec_core.verb import Call
from vaultspec_installer.parser import understand

REFERENCE = "vaultspec_core.migrations.m0_1_17_index_subfolder"
GENERATED = b"---\ngenerated: true\ntags:\n  - '#index'\n---\n\n# a\n"


@pytest.fixture
def vault(sandbox: Sandbox) -> Path:
    folder = sandbox.root / ".vault"
    (folder / "index").mkdir(parents=True)
    return folder


def needed(root: Path) -> bool:
    return bool(load(f"{REFERENCE}:needed")(root, {}, Disk().read))


def migrate(root: Path, disk: Disk | None = None) -> Applied:
    done: Applied = load(f"{REFERENCE}:run")(root, {}, disk or Disk())
    return done


def test_nothing_is_needed_where_no_index_lies_at_the_top(vault: Path) -> None:
    (vault / "index/a.index.md").write_bytes(GENERATED)
    (vault / "readme.md").write_bytes(b"# mine\n")
    (vault / "b.index.md").mkdir()
    (vault / "c.index.md").symlink_to(vault / "readme.md")
    before = tree(vault)
    assert not needed(vault.parent)
    assert migrate(vault.parent) == Applied("nothing to move")
    assert tree(vault) == before


def test_nothing_is_needed_without_a_vault(sandbox: Sandbox) -> None:
    assert not needed(sandbox.root)


@requirement("MIG-1")
@pytest.mark.parametrize(
    "data", [GENERATED, b"", b"written by hand", b"\xff\xfe not text", b"\xef\xbb\xbf---\r\nx: 1\r\n---\r\n"]
)
def test_an_index_moves_with_its_bytes_as_they_are(vault: Path, data: bytes) -> None:
    (vault / "a.index.md").write_bytes(data)
    assert needed(vault.parent)
    assert migrate(vault.parent) == Applied("moved a.index.md")
    assert {path: text for path, (text, _) in tree(vault).items()} == {"index/a.index.md": data}
    assert not needed(vault.parent)


@requirement("MIG-1")
@pytest.mark.parametrize(("old", "new"), [(GENERATED, b"newer"), (b"same", b"same")])
def test_one_that_is_superseded_or_a_copy_goes(vault: Path, old: bytes, new: bytes) -> None:
    (vault / "a.index.md").write_bytes(old)
    (vault / "index/a.index.md").write_bytes(new)
    migrate(vault.parent)
    assert {path: text for path, (text, _) in tree(vault).items()} == {"index/a.index.md": new}


@requirement("MIG-4")
def test_two_that_differ_are_left_to_the_one_who_wrote_them(vault: Path) -> None:
    (vault / "a.index.md").write_bytes(b"by hand")
    (vault / "b.index.md").write_bytes(GENERATED)
    (vault / "index/a.index.md").write_bytes(GENERATED)
    before = tree(vault)
    with pytest.raises(Refusal) as caught:
        migrate(vault.parent)
    assert caught.value.code == "two-indexes"
    assert tree(vault) == before


@requirement("MIG-4")
def test_a_file_in_the_place_of_the_folder_is_named(vault: Path, cli: Callable[..., Result], sandbox: Sandbox) -> None:
    (vault / "index").rmdir()
    (vault / "index").write_bytes(b"mine")
    (vault / "a.index.md").write_bytes(GENERATED)
    (sandbox.root / ".vaultspec").mkdir()
    before = tree(vault)
    added = cli("vault", "add", "adr", "--feature", "x", "--json")
    assert (added.code, added.data["code"]) == (1, "schema-convergence")
    assert str(vault / "index") in added.data["message"]
    assert tree(vault) == before


def test_a_dry_run_moves_nothing(vault: Path) -> None:
    (vault / "a.index.md").write_bytes(GENERATED)
    before = tree(vault)
    disk = DryDisk()
    migrate(vault.parent, disk)
    assert [change.path.name for change in disk.kept.changes() if change.after is None] == ["a.index.md"]
    assert tree(vault) == before


@requirement("MIG-1")
def test_a_preview_counts_what_would_be_deleted_and_not_what_moves(
    vault: Path, cli: Callable[..., Result], sandbox: Sandbox
) -> None:
    (sandbox.root / ".vaultspec").mkdir()
    (vault / "a.index.md").write_bytes(GENERATED)
    (vault / "b.index.md").write_bytes(b"---\ngenerated: true\n---\nb\n")
    (vault / "index/a.index.md").write_bytes(b"newer")
    dry = cli("migrations", "run", "--dry-run", "--json").data
    assert dry["deletes"] == 1
    assert dry["migrations"] == [
        {"name": "index_subfolder", "target_version": "0.1.17", "previewable": True, "deletes": [".vault/a.index.md"]}
    ]


@requirement("MIG-1")
@pytest.mark.parametrize(("yes", "answer", "asked"), [(False, False, 1), (False, True, 1), (True, False, 0)])
def test_a_person_is_asked_before_a_document_is_deleted(
    vault: Path, sandbox: Sandbox, yes: bool, answer: bool, asked: int
) -> None:
    (sandbox.root / ".vaultspec").mkdir()
    (vault / "a.index.md").write_bytes(GENERATED)
    (vault / "index/a.index.md").write_bytes(b"newer")
    questions: list[str] = []

    def ask(question: str) -> bool:
        questions.append(question)
        return answer

    verb, options = understand(["migrations", "run", *(["--yes"] if yes else [])])
    call = Call(verb, options, sandbox.root, sandbox.environ, terminal=True, ask=ask)
    if yes or answer:
        assert load(verb.run)(call).status == "updated"
    else:
        with pytest.raises(Refusal):
            load(verb.run)(call)
    assert questions == ["Delete .vault/a.index.md?"] * asked
    assert (vault / "a.index.md").exists() is not (yes or answer)


@requirement("MIG-4")
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_a_refusal(vault: Path) -> None:
    (vault / "a.index.md").write_bytes(GENERATED)
    (vault / "index").chmod(0o500)
    with pytest.raises(Refusal):
        migrate(vault.parent)
    (vault / "index").chmod(0o700)
