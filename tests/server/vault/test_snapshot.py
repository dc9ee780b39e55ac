"""A snapshot saves reading, never changes an answer, and any damage to it goes unnoticed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result, Sandbox, tree
from vaultspec_core.plan.tally import Tally
from vaultspec_core.vault import snapshot as module
from vaultspec_core.vault.corpus import WORTH_KEEPING, Corpus
from vaultspec_core.vault.frontmatter import Problem
from vaultspec_core.vault.orient import orient
from vaultspec_core.vault.snapshot import Snapshot
from vaultspec_core.vault.vault import Vault

Write = Callable[..., Path]
STEPS = "## Steps\n\n- [x] `S01` - do; `it`.\n- [X] `S02` - do; `it`.\n"


@pytest.fixture
def large(vault: Vault, write: Write, settled: None) -> Vault:
    """A vault large enough to be kept, with everything in it that a record can hold."""
    for number in range(WORTH_KEEPING):
        write(f"adr/2026-01-01-f{number}-adr.md", "# one | (**status:** `accepted`)", feature=f"f{number}", related="x")
    write("plan/2026-01-01-f1-plan.md", STEPS, feature="f1")
    write("exec/2026-01-01-f1/2026-01-01-f1-ledger.md", "## Changes\n\n- `S01` `A` `x`\n", feature="f1")
    write("research/odd.md", text="---\ntags: [\n---\n[[x]]\n")
    return vault


def stored(sandbox: Sandbox) -> list[Path]:
    return [path for path in (sandbox.home / "state").rglob("*") if path.is_file()]


def snapshot(sandbox: Sandbox, root: Path | None = None) -> Snapshot:
    return Snapshot(root or sandbox.root, sandbox.environ)


def test_what_was_read_once_is_loaded_as_it_was(large: Vault, sandbox: Sandbox) -> None:
    before = tree(large.root)
    first = Corpus(large.root, snapshot(sandbox))
    first.refresh()
    assert len(stored(sandbox)) == 1
    assert tree(large.root) == before
    loaded = snapshot(sandbox).load()
    assert loaded == first.documents
    assert type(loaded[".vault/plan/2026-01-01-f1-plan.md"].plan) is Tally
    assert [type(problem) for problem in loaded[".vault/research/odd.md"].problems] == [Problem]


def test_a_new_process_reads_only_what_changed(large: Vault, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    Corpus(large.root, snapshot(sandbox)).refresh()
    path = large.folder / "adr" / "2026-01-01-f7-adr.md"
    path.write_text("---\ntags: ['#adr', '#changed']\n---\n# two\n")
    (large.folder / "adr" / "2026-01-01-f8-adr.md").unlink()
    opened: list[str] = []
    real = os.open

    def watched(name: str, *rest: int, **more: int) -> int:
        opened.append(str(name))
        return real(name, *rest, **more)

    with monkeypatch.context() as watching:
        watching.setattr(os, "open", watched)
        second = Corpus(large.root, snapshot(sandbox))
        second.refresh()
    assert [name for name in opened if name.endswith(".md")] == [str(path)]
    fresh = Corpus(large.root)
    fresh.refresh()
    assert second.documents == fresh.documents
    assert (second.features, second.stems, second.archived) == (fresh.features, fresh.stems, fresh.archived)


def test_a_small_vault_is_not_kept(vault: Vault, write: Write, settled: None, sandbox: Sandbox) -> None:
    write("adr/a.md")
    Corpus(vault.root, snapshot(sandbox)).refresh()
    assert stored(sandbox) == []


def test_documents_too_young_to_trust_are_not_kept(
    large: Vault, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vaultspec_core.vault.walk.RACY_NS", 10**18)
    Corpus(large.root, snapshot(sandbox)).refresh()
    assert snapshot(sandbox).load() == {}


DAMAGE: list[Callable[[bytes], bytes]] = [
    lambda data: b"",
    lambda data: data[:-1],
    lambda data: data[: len(data) // 2],
    lambda data: data + b"x",
    lambda data: data[:-40] + bytes([data[-40] ^ 1]) + data[-39:],
    lambda data: b"\0" * len(data),
    lambda data: data.replace(b"1.0.0", b"0.9.9"),
]


@pytest.mark.parametrize("number", range(len(DAMAGE)))
def test_a_damaged_snapshot_is_passed_over_and_replaced(large: Vault, sandbox: Sandbox, number: int) -> None:
    Corpus(large.root, snapshot(sandbox)).refresh()
    (file,) = stored(sandbox)
    whole = file.read_bytes()
    file.write_bytes(DAMAGE[number](whole))
    assert snapshot(sandbox).load() == {}
    again = Corpus(large.root, snapshot(sandbox))
    again.refresh()
    assert len(again.documents) == WORTH_KEEPING + 3
    assert snapshot(sandbox).load() == again.documents


def test_a_snapshot_of_another_workspace_or_by_other_code_does_not_count(
    large: Vault, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Corpus(large.root, snapshot(sandbox)).refresh()
    (file,) = stored(sandbox)
    other = snapshot(sandbox, tmp_path)
    other._path().write_bytes(file.read_bytes())
    assert other.load() == {}
    monkeypatch.setattr(module, "version", "4.0")
    assert snapshot(sandbox).load() == {}


@pytest.mark.parametrize("state", ["", "relative", "file"])
def test_without_a_place_for_it_there_is_no_snapshot_and_no_fault(large: Vault, sandbox: Sandbox, state: str) -> None:
    (sandbox.root / "file").write_text("in the way")
    folder = str(sandbox.root / "file") if state == "file" else state
    environ = {**sandbox.environ, "VAULTSPEC_STATE_DIR": folder, "XDG_STATE_HOME": str(sandbox.root / "file")}
    corpus = Corpus(large.root, Snapshot(large.root, environ))
    corpus.refresh()
    assert len(corpus.documents) == WORTH_KEEPING + 3


def test_the_command_line_answers_the_same_with_and_without_it(
    large: Vault, sandbox: Sandbox, cli: Callable[..., Result]
) -> None:
    expected = orient(large, None)
    assert stored(sandbox) == []
    assert cli("status", "--json").data == expected
    assert len(stored(sandbox)) == 1
    assert cli("status", "--json").data == expected
