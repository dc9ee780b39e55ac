"""Files as they will be: what an overlay says before it is committed, and what committing does."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.conftest import tree
from tests.faults import Meddled
from tests.requirements import requirement
from vaultspec_core.changeset import Change, Changeset, unified_diff
from vaultspec_core.files import Changed, Disk
from vaultspec_core.staging import Staged


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a").write_bytes(b"a\n")
    (folder / "b").write_bytes(b"b\n")
    return folder


def test_nothing_is_written_before_it_is_committed(folder: Path) -> None:
    before = tree(folder)
    files = Changeset(Disk())
    files.write(folder / "a", b"A\n")
    files.create(folder / "new" / "c", b"c\n")
    files.remove(folder / "b")
    assert files.read(folder / "a") == b"A\n"
    assert files.read(folder / "new" / "c") == b"c\n"
    assert files.read(folder / "b") is None
    assert tree(folder) == before


def test_a_changeset_that_changes_nothing_has_no_changes_and_writes_nothing(folder: Path) -> None:
    before = tree(folder)
    files = Changeset(Disk())
    files.read(folder / "a")
    files.write(folder / "a", b"other\n")
    files.write(folder / "a", b"a\n")
    files.create(folder / "c", b"c\n")
    files.remove(folder / "c")
    files.remove(folder / "absent")
    assert files.changes() == []
    assert files.commit() == []
    assert tree(folder) == before


def test_a_file_is_read_once_so_that_all_is_judged_on_the_same_bytes(folder: Path) -> None:
    files = Changeset(Disk())
    assert files.read(folder / "a") == b"a\n"
    (folder / "a").write_bytes(b"changed\n")
    assert files.read(folder / "a") == b"a\n"


def test_changes_are_told_and_written_in_the_order_of_the_first_write(folder: Path) -> None:
    files = Changeset(Disk())
    files.remove(folder / "b")
    files.write(folder / "c", b"c\n", private=True)
    files.write(folder / "a", b"A\n")
    files.write(folder / "c", b"C\n")
    expected = [
        Change(folder / "b", b"b\n", None),
        Change(folder / "c", None, b"C\n", private=True),
        Change(folder / "a", b"a\n", b"A\n"),
    ]
    assert files.changes() == expected
    assert files.commit() == expected
    assert {name: data for name, (data, _) in tree(folder).items()} == {"a": b"A\n", "c": b"C\n"}
    assert stat.S_IMODE((folder / "c").stat().st_mode) == 0o600


def test_a_file_is_made_and_moved_only_onto_a_free_name(folder: Path) -> None:
    files = Changeset(Disk())
    with pytest.raises(FileExistsError):
        files.create(folder / "a", b"")
    with pytest.raises(FileExistsError):
        files.rename(folder / "a", folder / "b")
    with pytest.raises(FileNotFoundError):
        files.rename(folder / "absent", folder / "c")
    files.remove(folder / "b")
    files.rename(folder / "a", folder / "b")
    files.create(folder / "a", b"new\n")
    files.commit()
    assert {name: data for name, (data, _) in tree(folder).items()} == {"a": b"new\n", "b": b"a\n"}


@requirement("NAT-5")
def test_a_moved_file_that_only_its_owner_may_read_stays_so(folder: Path) -> None:
    (folder / "a").chmod(0o600)
    files = Changeset(Disk())
    files.rename(folder / "a", folder / "c")
    files.rename(folder / "b", folder / "d")
    files.commit()
    assert stat.S_IMODE((folder / "c").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "d").stat().st_mode) & 0o400


def test_a_file_that_moved_under_us_is_not_touched_and_a_second_changeset_writes_what_is_left(folder: Path) -> None:
    def compose(disk: Disk) -> Changeset:
        files = Changeset(disk)
        for name in ("a", "b"):
            if (data := files.read(folder / name) or b"").endswith(b"+\n") is False:
                files.write(folder / name, data[:-1] + b"+\n")
        return files

    files = compose(Disk())
    (folder / "b").write_bytes(b"theirs\n")
    with pytest.raises(Changed) as caught:
        files.commit()
    assert caught.value.path == folder / "b"
    again = compose(Disk())
    assert [change.path.name for change in again.commit()] == ["b"]
    assert {name: data for name, (data, _) in tree(folder).items()} == {"a": b"a+\n", "b": b"theirs+\n"}


@requirement("INS-6")
def test_committing_sweeps_the_folders_of_all_files_that_were_looked_at(folder: Path) -> None:
    litter = folder / Staged.new().complete(b"", b"half").name
    litter.write_bytes(b"half")
    files = Changeset(Disk())
    files.read(folder / "a")
    files.changes()
    assert litter.exists()
    files.commit()
    assert not litter.exists()


def test_a_commit_without_a_journal_writes_each_file_whole(folder: Path) -> None:
    files = Changeset(Disk(Meddled(10_000, lambda: None)))
    files.write(folder / "a", b"A\n")
    files.write(folder / "b", b"B\n")
    files.commit()
    assert sorted(path.name for path in folder.iterdir()) == ["a", "b"]


def test_a_diff_shows_each_file_as_it_was_and_will_be() -> None:
    changes = [
        Change(Path("/w/a"), b"one\ntwo\r\nthree", b"one\n2\r\nthree\n"),
        Change(Path("/w/new"), None, b"x\x0cy\xe2\x80\xa8z\n"),
        Change(Path("/w/gone"), b"last\n", None),
        Change(Path("/w/same"), b"same\n", b"same\n"),
    ]
    assert unified_diff(changes, lambda path: path.name) == (
        "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\r\n-three\n\\ No newline at end of file\n+2\r\n+three\n"
        "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\x0cy\u2028z\n"
        "--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-last\n"
    )
