"""Several files change together or not at all, whatever happens in between."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.faults import Fault, Killed, Stand, meddlings, strikes
from tests.requirements import requirement
from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Changed, Disk
from vaultspec_core.report import Refusal
from vaultspec_core.transaction import recover

BEFORE = {"adr/a.md": b"A, see b\n", "adr/b.md": b"B\n", "plan/p.md": b"P of b\n"}
AFTER = {"adr/a.md": b"A, see c\n", "adr/c.md": b"B\n", "plan/p.md": b"P of c\n", "index/i.md": b"I\n"}

QUICK = Disk(Stand())
"""A healthy disk that spares the time to sync."""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = tmp_path / "vault"
    prepare(vault)
    return vault


def prepare(vault: Path) -> None:
    for path in vault.rglob("*"):
        if path.is_file():
            path.unlink()
    for name, data in BEFORE.items():
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_bytes(data)


def journal(vault: Path) -> Path:
    return vault / "data" / "rename.json"


def rename(disk: Disk, vault: Path) -> None:
    """Call document `b` `c` wherever it is named, and list it."""
    files = Changeset(disk)
    files.rename(vault / "adr/b.md", vault / "adr/c.md")
    for name in ("adr/a.md", "plan/p.md"):
        text = files.read(vault / name) or b""
        files.write(vault / name, text.replace(b" b\n", b" c\n"))
    files.create(vault / "index/i.md", AFTER["index/i.md"])
    files.commit(journal(vault))


def found(vault: Path) -> dict[str, bytes]:
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*") if path.is_file()}


def test_all_files_change_and_the_journal_goes(vault: Path) -> None:
    rename(Disk(), vault)
    assert found(vault) == AFTER


def test_without_a_journal_there_is_nothing_to_recover(vault: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (vault, vault / "adr")}
    assert recover(Disk(), journal(vault)) == []
    assert {path: path.stat().st_mtime_ns for path in before} == before


@requirement("REL-1", "REL-6", "INS-6")
@pytest.mark.parametrize("fault", Fault)
def test_whatever_fails_all_files_are_old_or_all_are_new_after_recovery(vault: Path, fault: Fault) -> None:
    for system in strikes(fault):
        prepare(vault)
        done = refused = False
        try:
            rename(Disk(system), vault)
            done = True
        except Refusal as refusal:
            refused = refusal.code != "half-done"
        except Killed:
            pass
        if refused and not journal(vault).exists():
            assert {n: d for n, d in found(vault).items() if ".vaultspec-tmp" not in n} in (BEFORE, AFTER), system.n
        assert recover(QUICK, journal(vault)) == []
        QUICK.sweep(*(path for path in vault.rglob("*") if path.is_dir()))
        assert found(vault) in ((AFTER,) if done else (BEFORE, AFTER)), system.n


@requirement("REL-1")
@pytest.mark.parametrize("fault", [Fault.KILLED, Fault.IO_ERROR, Fault.DISK_FULL])
def test_a_recovery_that_fails_itself_is_finished_by_the_next(vault: Path, fault: Fault) -> None:
    record = _journal_after_a_kill(vault)
    for system in strikes(fault):
        prepare(vault)
        journal(vault).write_bytes(record)
        with suppress(Refusal, Killed):
            recover(Disk(system), journal(vault))
        assert recover(QUICK, journal(vault)) == []
        QUICK.sweep(*(path for path in vault.rglob("*") if path.is_dir()))
        assert found(vault) == AFTER, system.n


def _journal_after_a_kill(vault: Path) -> bytes:
    """The journal as it stands while the files are changed."""
    for system in strikes(Fault.KILLED):
        prepare(vault)
        with suppress(Killed):
            rename(Disk(system), vault)
        if journal(vault).exists() and {name: found(vault).get(name) for name in BEFORE} == BEFORE:
            return journal(vault).read_bytes()
    raise AssertionError("the journal never stood")


@requirement("REL-2")
def test_a_file_that_another_program_changes_at_any_moment_stays_and_the_rest_is_all_old_or_all_new(
    vault: Path,
) -> None:
    theirs = vault / "plan/p.md"

    def meddle() -> None:
        other = vault / "their-own"
        other.write_bytes(b"theirs\n")
        other.replace(theirs)

    for system in meddlings(meddle):
        prepare(vault)
        changed = False
        try:
            rename(Disk(system), vault)
        except Changed as error:
            changed = error.path == theirs
        rest = {name: data for name, data in found(vault).items() if name != "plan/p.md"}
        if system.done:
            assert theirs.read_bytes() == b"theirs\n", system.n
        old = {name: data for name, data in BEFORE.items() if name != "plan/p.md"}
        new = {name: data for name, data in AFTER.items() if name != "plan/p.md"}
        assert rest == (old if changed else new), system.n


def test_a_file_that_was_changed_after_the_kill_is_left_alone_and_reported(vault: Path) -> None:
    record = _journal_after_a_kill(vault)
    prepare(vault)
    journal(vault).write_bytes(record)
    (vault / "plan/p.md").write_bytes(b"theirs\n")
    assert recover(Disk(), journal(vault)) == [vault / "plan/p.md"]
    assert found(vault) == {**AFTER, "plan/p.md": b"theirs\n"}


def test_a_new_change_first_finishes_the_one_that_was_cut_short(vault: Path) -> None:
    record = _journal_after_a_kill(vault)
    prepare(vault)
    journal(vault).write_bytes(record)
    files = Changeset(Disk())
    files.write(vault / "adr/a.md", b"x\n")
    files.write(vault / "plan/p.md", b"y\n")
    with pytest.raises(Changed):
        files.commit(journal(vault))
    assert found(vault) == AFTER


def test_what_cannot_be_undone_is_said_to_be_half_done_and_is_finished_later(vault: Path) -> None:
    said = set()
    for system in strikes(Fault.DISK_FULL):
        prepare(vault)
        with suppress(Refusal):
            rename(Disk(system), vault)
        try:
            recover(Disk(system), journal(vault))
        except Refusal as refusal:
            said.add((refusal.code, refusal.message.partition("; ")[2]))
            assert recover(QUICK, journal(vault)) == []
            assert found(vault) == AFTER
    assert said == {("half-done", f"the change that {journal(vault)} records is half done")}


def test_a_file_outside_the_folder_cannot_be_part_of_the_change(vault: Path) -> None:
    files = Changeset(Disk())
    files.write(vault.parent / "x", b"x")
    files.write(vault / "adr/a.md", b"x")
    with pytest.raises(Refusal) as caught:
        files.commit(journal(vault))
    assert caught.value.code == "link-outside"
    assert found(vault) == BEFORE


def _spoiled(change: Callable[[dict[str, object]], object]) -> Callable[[bytes], bytes]:
    def spoil(record: bytes) -> bytes:
        document = json.loads(record)
        change(document)
        return json.dumps(document).encode()

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        lambda record: b"",
        lambda record: record[:-9],
        lambda record: b"[" * 100_000,
        lambda record: b'{"version": 1}',
        lambda record: b"\xff",
        _spoiled(lambda document: document.update(version=2)),
        _spoiled(lambda document: document["files"].append(1)),  # type: ignore[attr-defined]
        _spoiled(lambda document: document["files"][0].update(path="/etc/x")),  # type: ignore[index]
        _spoiled(lambda document: document["files"][0].update(path="../x")),  # type: ignore[index]
        _spoiled(lambda document: document["files"][0].update(path="out/x")),  # type: ignore[index]
        _spoiled(lambda document: document["files"][0].update(path=1)),  # type: ignore[index]
        _spoiled(lambda document: document["files"][0].update(path="a\0")),  # type: ignore[index]
        _spoiled(lambda document: document["files"][0].update(after="?")),  # type: ignore[index]
        _spoiled(lambda document: document["files"][0].update(after=1)),  # type: ignore[index]
    ],
)
def test_a_journal_that_is_not_ours_or_reaches_out_of_the_folder_is_refused(
    vault: Path, spoil: Callable[[bytes], bytes]
) -> None:
    record = spoil(_journal_after_a_kill(vault))
    prepare(vault)
    (vault / "out").symlink_to(vault.parent)
    journal(vault).write_bytes(record)
    with pytest.raises(Refusal) as caught:
        recover(Disk(), journal(vault))
    assert caught.value.code == "bad-journal"
    assert found(vault) == {**BEFORE, "data/rename.json": record}


def test_a_single_file_needs_no_journal(vault: Path) -> None:
    files = Changeset(Disk())
    files.write(vault / "adr/a.md", b"x\n")
    files.commit(journal(vault))
    assert not (vault / "data").exists()


@requirement("REL-1")
def test_a_process_that_is_killed_at_any_moment_leaves_all_files_old_or_new() -> None:
    ended = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "kill_files.py"), "--rounds", "20", "--longest", "0.1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr == ""
    assert json.loads(ended.stdout)["kills"] == 20
