"""Reading and writing files: what is kept, what is refused, what another program may do in between."""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Sandbox, tree
from tests.faults import Fault, Faulty, Killed, Meddled, Stand, Writer, everywhere, faulty_disk, meddlings, strikes
from tests.requirements import requirement
from vaultspec_core import exchange
from vaultspec_core import system as real
from vaultspec_core.files import TEMPORARY, Changed, Disk, real_target
from vaultspec_core.report import Refusal
from vaultspec_core.staging import Staged

OLD, NEW, THEIRS = b'{"old": 1}\n', b'{"new": 22}\n', b'{"theirs": 333}\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "host.json"
    path.write_bytes(OLD)
    return path


@pytest.fixture
def watching(path: Path) -> None:
    """Skips the test where the kernel cannot say who has a file open."""
    with path.open("rb") as file:
        if real.watch(file.fileno()) is None:
            pytest.skip("no leases here")


def refusal(act: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        act()
    return caught.value.code, caught.value.message


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Reading


def test_a_file_is_read_whole(path: Path) -> None:
    path.write_bytes(data := os.urandom(3_000_000))
    assert Disk().read(path) == data


def test_what_is_not_there_reads_as_none(path: Path) -> None:
    assert Disk().read(path.with_name("absent")) is None
    assert Disk().read(path / "below-a-file") is None


def test_what_is_no_file_is_refused_and_does_not_hang(tmp_path: Path) -> None:
    pipe, sock, folder = tmp_path / "pipe", tmp_path / "s", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    os.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        assert refusal(lambda: Disk().read(pipe)) == ("not-a-file", f"{pipe} is a pipe or device, not a file")
        assert refusal(lambda: Disk().read(sock)) == ("not-a-file", f"{sock} is a socket or device, not a file")
        assert refusal(lambda: Disk().read(folder)) == ("not-a-file", f"{folder} is a folder, not a file")
        assert refusal(lambda: Disk().read(Path("/dev/null")))[0] == "not-a-file"
        for special in (pipe, sock, folder):
            for expected in (None, b"", OLD):
                assert refusal(partial(Disk().write, special, NEW, expected=expected))[0] == "not-a-file"
            assert refusal(partial(Disk().remove, special, expected=OLD))[0] == "not-a-file"
    assert names(tmp_path) == ["folder", "home", "pipe", "project", "s"]


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    for name in ("a\0b", "\ud800", "n" * 300):
        assert refusal(partial(Disk().read, tmp_path / name))[0] == "unreadable"
        assert refusal(partial(Disk().write, tmp_path / name, NEW, expected=None))[0] == "unwritable"


@pytest.mark.usefixtures("watching")
def test_a_file_that_is_being_written_in_place_is_read_when_it_is_complete(path: Path) -> None:
    for begun in (b"", THEIRS[:5]):
        writer = Writer(path, THEIRS)
        writer.start(truncate=True)
        os.pwrite(writer.handle, begun, 0)
        assert Disk(Meddled(6, writer.finish)).read(path) == THEIRS


def test_where_the_kernel_cannot_be_asked_a_file_that_was_just_emptied_is_read_when_it_is_filled(path: Path) -> None:
    class Unasked(Meddled):
        def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
            done = super().before(kind, call, arguments)
            return None if kind == "watch" else done

    path.write_bytes(b"")
    assert Disk(Unasked(6, lambda: _by_rename(path))).read(path) == THEIRS
    path.write_bytes(b"")
    os.utime(path, (0, 0))
    assert Disk(Unasked(0, path.unlink)).read(path) == b""


def test_a_file_that_stays_open_for_writing_is_read_in_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vaultspec_core.files.WRITER_SECONDS", 0.02)
    with path.open("r+b"):
        assert Disk().read(path) == OLD


# Writing


def test_a_file_is_replaced_when_it_is_what_was_expected(path: Path) -> None:
    Disk().write(path, NEW, expected=OLD)
    assert path.read_bytes() == NEW
    assert names(path.parent) == ["home", "host.json", "project"]


def test_a_file_that_is_something_else_is_left_alone(path: Path) -> None:
    before = tree(path.parent)
    for expected in (None, b"", NEW):
        with pytest.raises(Changed):
            Disk().write(path, NEW, expected=expected)
    for expected in (b"", NEW):
        with pytest.raises(Changed):
            Disk().remove(path, expected=expected)
    assert tree(path.parent) == before


def test_a_file_that_is_gone_is_not_made_anew(path: Path) -> None:
    path.unlink()
    with pytest.raises(Changed):
        Disk().write(path, NEW, expected=OLD)
    with pytest.raises(Changed):
        Disk().remove(path, expected=OLD)
    assert not path.exists()


def test_a_removed_file_is_gone_without_a_trace(path: Path) -> None:
    Disk().remove(path, expected=OLD)
    assert names(path.parent) == ["home", "project"]


def test_missing_folders_are_made_and_taken_away_again_when_the_write_fails(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c.json"
    for system in strikes(Fault.DISK_FULL):
        with suppress(Refusal):
            Disk(system).write(path, NEW, expected=None)
        assert names(tmp_path) == (["a", "home", "project"] if path.exists() else ["home", "project"])
        if system.struck:
            shutil.rmtree(tmp_path / "a", ignore_errors=True)
    assert path.read_bytes() == NEW


def test_a_file_in_the_place_of_a_folder_is_refused(path: Path) -> None:
    assert refusal(lambda: Disk().write(path / "x" / "y", NEW, expected=None)) == (
        "unwritable",
        f"{path / 'x' / 'y'} cannot be written: {path} is not a folder",
    )


@requirement("NAT-5")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o755])
def test_mode_bits_are_kept(path: Path, mode: int) -> None:
    path.chmod(mode)
    Disk().write(path, NEW, expected=OLD)
    Disk().write(path, OLD, expected=NEW, private=True)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@requirement("NAT-5")
def test_a_new_file_obeys_the_umask_and_a_private_one_is_its_owners_alone(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        Disk().write(tmp_path / "plain", NEW, expected=None)
        Disk().write(tmp_path / "private", NEW, expected=None, private=True)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "plain").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "private").stat().st_mode) == 0o600
    assert Disk().is_private(tmp_path / "private")
    assert not Disk().is_private(tmp_path / "plain")
    assert not Disk().is_private(tmp_path / "absent")


class _Ownership(Stand):
    """A system in which files belong to 4001:4002, and a group can be refused."""

    def __init__(self, refuse_group: bool) -> None:
        super().__init__()
        self.refuse_group, self.given = refuse_group, []  # type: ignore[var-annotated]
        self.source: int | None = None

    def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        if kind == "fstat":
            found = call(*arguments)
            target = stat.S_IMODE(found.st_mode) == 0o664
            return (
                os.stat_result([*found[:4], *((4001, 4002) if target else (1, 2)), *found[6:10]]) if target else found
            )
        if kind == "fchown":
            self.given.append(arguments[1:])
            if self.refuse_group and arguments[2] != -1:
                raise PermissionError(errno.EPERM, "no")
            return None
        return call(*arguments)


@requirement("NAT-5")
def test_owner_and_group_are_kept_where_possible(path: Path) -> None:
    path.chmod(0o664)
    system = _Ownership(refuse_group=False)
    Disk(system).write(path, NEW, expected=OLD)
    assert system.given == [(4001, -1), (-1, 4002)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o664


def test_a_group_that_cannot_be_kept_leaves_no_more_rights_than_everybody_has(path: Path) -> None:
    path.chmod(0o664)
    Disk(_Ownership(refuse_group=True)).write(path, NEW, expected=OLD)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@requirement("NAT-5")
def test_extended_attributes_are_kept_and_none_is_added(path: Path) -> None:
    # An ACL: owner rw, user 4001 rw, group r, mask rw, others r. A default one on the folder goes to new files.
    entries = [(1, 6, -1), (2, 6, 4001), (4, 4, -1), (16, 6, -1), (32, 4, -1)]
    acl = (2).to_bytes(4, "little") + b"".join(
        tag.to_bytes(2, "little") + perm.to_bytes(2, "little") + (who & 0xFFFFFFFF).to_bytes(4, "little")
        for tag, perm, who in entries
    )
    try:
        os.setxattr(path, "user.note", b"kept")
        os.setxattr(path.parent, "system.posix_acl_default", acl)
    except OSError as error:
        pytest.skip(f"this file system has no such attributes: {error}")
    Disk().write(path, NEW, expected=OLD)
    assert {name: os.getxattr(path, name) for name in os.listxattr(path)} == {"user.note": b"kept"}
    os.setxattr(path, "system.posix_acl_access", acl)
    Disk().write(path, OLD, expected=NEW)
    assert os.getxattr(path, "system.posix_acl_access") == acl


def test_another_hard_link_keeps_the_old_bytes(path: Path) -> None:
    snapshot = path.with_name("snapshot")
    os.link(path, snapshot)
    Disk().write(path, NEW, expected=OLD)
    assert (path.read_bytes(), snapshot.read_bytes()) == (NEW, OLD)


def test_a_link_is_not_replaced_by_a_file(path: Path) -> None:
    link, dangling = path.with_name("link"), path.with_name("dangling")
    link.symlink_to(path)
    dangling.symlink_to(path.with_name("nowhere"))
    message = f"{link} is a symbolic link, not a file"
    assert refusal(lambda: Disk().write(link, NEW, expected=OLD)) == ("not-a-file", message)
    assert refusal(lambda: Disk().remove(link, expected=OLD)) == ("not-a-file", message)
    assert refusal(lambda: Disk().write(dangling, NEW, expected=None))[0] == "not-a-file"
    assert path.read_bytes() == OLD
    assert link.is_symlink()
    assert dangling.is_symlink()


class _Answer(Stand):
    """A system in which one operation always gives the same answer; an OSError is raised."""

    def __init__(self, kind: str, answer: object, name: str = os.name) -> None:
        super().__init__()
        self.kind, self.answer, self.name, self.asked = kind, answer, name, 0

    def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        if kind != self.kind:
            return call(*arguments)
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_a_file_that_is_read_only_is_not_changed_through_its_folder(path: Path) -> None:
    before = tree(path.parent)

    class ReadOnly(_Answer):
        def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
            if kind == "open" and arguments[1] == os.O_WRONLY:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return arguments[1] == os.R_OK if kind == "access" else call(*arguments)

    disk, said = Disk(ReadOnly("access", False)), ("unwritable", f"{path} cannot be written: Permission denied")
    assert refusal(lambda: disk.write(path, NEW, expected=OLD)) == said
    assert refusal(lambda: disk.remove(path, expected=OLD)) == said
    assert tree(path.parent) == before


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EXDEV])
def test_a_mounted_file_is_refused_untouched(path: Path, number: int) -> None:
    before = tree(path.parent)
    for act in (
        lambda: Disk(_Answer("exchange", OSError(number, os.strerror(number)))).write(path, NEW, expected=OLD),
        lambda: Disk(_Answer("rename", OSError(number, os.strerror(number)))).remove(path, expected=OLD),
    ):
        assert refusal(act) == (
            "unwritable",
            f"{path} cannot be written: {os.strerror(number)} (is it a mount of its own?)",
        )
    assert tree(path.parent) == before


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.EOPNOTSUPP])
def test_without_links_and_exchanges_files_are_made_and_replaced_all_the_same(path: Path, number: int) -> None:
    class Poor(_Answer):
        def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
            return super().before("poor" if kind in ("link", "exchange") else kind, call, arguments)

    disk, new = Disk(Poor("poor", OSError(number, os.strerror(number)))), path.with_name("new")
    disk.write(path, NEW, expected=OLD)
    disk.write(new, NEW, expected=None)
    with pytest.raises(Changed):
        disk.write(new, OLD, expected=None)
    assert (path.read_bytes(), new.read_bytes()) == (NEW, NEW)
    assert names(path.parent) == ["home", "host.json", "new", "project"]


def test_without_an_exchange_a_change_before_the_last_look_is_not_lost(path: Path) -> None:
    class Poor(Meddled):
        def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
            if kind == "exchange":
                raise OSError(errno.ENOSYS, "no such call")
            return super().before(kind, call, arguments)

    count = 0
    for n in range(1, 100):
        path.write_bytes(OLD)
        system = Poor(n, lambda: _by_rename(path))
        with suppress(Changed):
            Disk(system).write(path, NEW, expected=OLD)
        assert names(path.parent) == ["home", "host.json", "project"]
        count += path.read_bytes() != THEIRS and system.done
    # Between opening the file for the last look and replacing it.
    assert count <= 6


def test_windows_is_asked_again_while_a_program_has_the_file_open(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Windows(_Answer):
        def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
            if kind == "exchange":
                raise OSError(errno.ENOSYS, "no such call")
            if kind == self.kind and self.asked == 3:
                return call(*arguments)
            return super().before(kind, call, arguments)

    held = PermissionError(errno.EACCES, "used by another process")
    monkeypatch.setattr(exchange, "_PAUSE_SECONDS", 0)
    Disk(Windows("replace", held, "nt")).write(path, NEW, expected=OLD)
    assert path.read_bytes() == NEW
    monkeypatch.setattr(exchange, "WRITER_SECONDS", 0)
    assert refusal(lambda: Disk(Windows("replace", held, "nt")).write(path, OLD, expected=NEW)) == (
        "unwritable",
        f"{path} cannot be written: used by another process",
    )
    assert names(path.parent) == ["home", "host.json", "project"]


# Other programs, which take no lock


def _by_rename(path: Path) -> None:
    other = path.with_name("their-own-temporary")
    other.write_bytes(THEIRS)
    other.replace(path)


def _by_deleting(path: Path) -> None:
    path.unlink(missing_ok=True)


def _by_a_link(path: Path) -> None:
    target = path.with_name("their-target")
    target.write_bytes(THEIRS)
    other = path.with_name("their-own-temporary")
    other.symlink_to(target)
    other.replace(path)


ACTS: dict[str, tuple[Callable[[Disk, Path], object], bytes | None]] = {
    "replace": (lambda disk, path: disk.write(path, NEW, expected=OLD), OLD),
    "create": (lambda disk, path: disk.write(path, NEW, expected=None), None),
    "remove": (lambda disk, path: disk.remove(path, expected=OLD), OLD),
}


def _prepare(path: Path, before: bytes | None) -> None:
    path.unlink(missing_ok=True)
    if before is not None:
        path.write_bytes(before)


@requirement("REL-2")
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("meddle", [_by_rename, _by_a_link])
def test_a_file_that_another_program_renames_into_place_at_any_moment_stays(
    path: Path, act: str, meddle: Callable[[Path], None]
) -> None:
    run, before = ACTS[act]
    after = None if act == "remove" else NEW
    came_last = []

    def come() -> None:
        came_last.append((path.read_bytes() if path.exists() else None) == after)
        meddle(path)

    for system in meddlings(come):
        _prepare(path, before)
        came_last.clear()
        told = True
        with suppress(Changed, Refusal):
            run(Disk(system), path)
            told = False
        if system.done:
            assert path.read_bytes() == THEIRS, system.n
            assert told or came_last == [True], system.n
            assert path.is_symlink() == (meddle is _by_a_link)
        assert not [name for name in names(path.parent) if name.startswith(TEMPORARY)], system.n


@requirement("REL-2")
@pytest.mark.parametrize("act", ["replace", "remove"])
def test_of_two_files_that_are_renamed_into_place_the_last_stays(path: Path, act: str) -> None:
    class Twice(Meddled):
        """One before the target's name changes, the other n operations later."""

        def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
            if kind == ("exchange" if act == "replace" else "rename") and path in arguments and not self.past:
                _by_rename(path)
                self.past.append(kind)
            return super().before(kind, call, arguments) if self.past else call(*arguments)

    def last() -> None:
        other = path.with_name("their-own-temporary")
        other.write_bytes(b"last")
        other.replace(path)

    run, before = ACTS[act]
    for n in range(1, 30):
        _prepare(path, before)
        system = Twice(n, last)
        with pytest.raises(Changed):
            run(Disk(system), path)
        assert path.read_bytes() == (b"last" if system.done else THEIRS), n
        assert names(path.parent) == ["home", "host.json", "project"], n
    assert not system.done


@requirement("REL-2")
def test_a_file_that_another_program_deletes_at_any_moment_is_not_brought_back(path: Path) -> None:
    for system in meddlings(lambda: _by_deleting(path)):
        _prepare(path, OLD)
        with suppress(Changed):
            Disk(system).write(path, NEW, expected=OLD)
        assert path.exists() != system.done, system.n
        assert names(path.parent) == ["home", *(["host.json"] if path.exists() else []), "project"]


@pytest.mark.usefixtures("watching")
@requirement("REL-2")
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("truncate", [True, False])
def test_what_another_program_writes_in_place_at_any_moment_stays(path: Path, act: str, truncate: bool) -> None:
    run, before = ACTS[act]
    writers: list[Writer] = []

    def meddle() -> None:
        writers.append(Writer(path, THEIRS))
        _open_and_write(writers[-1], truncate)

    for system in meddlings(meddle):
        _prepare(path, before)
        with suppress(Changed):
            run(Disk(system), path)
        while writers:
            writers.pop().finish()
        if system.done:
            assert path.read_bytes() == THEIRS, system.n
        assert not [name for name in names(path.parent) if name.startswith(TEMPORARY)], system.n


@pytest.mark.usefixtures("watching")
@requirement("REL-2")
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("truncate", [True, False])
def test_what_another_program_begins_and_ends_to_write_at_any_two_moments_stays(
    path: Path, act: str, truncate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "WRITER_SECONDS", 0.002)
    monkeypatch.setattr(exchange, "_PAUSE_SECONDS", 0)
    run, before = ACTS[act]
    for first in range(1, 45):
        for length in (1, 2, 3, 5, 8, 13, 21, 1000):
            _prepare(path, before)
            writer = Writer(path, THEIRS)
            system = _TwoMoments(first, first + length, writer, truncate)
            with suppress(Changed, Refusal):
                run(Disk(system), path)
            writer.finish()
            if writer.started:
                assert path.read_bytes() == THEIRS, (first, length)
            assert not [name for name in names(path.parent) if name.startswith(TEMPORARY)], (first, length)


@pytest.mark.usefixtures("watching")
@requirement("REL-2")
@pytest.mark.parametrize("act", ["replace", "remove"])
def test_a_program_that_is_just_opening_the_old_file_when_it_is_replaced_writes_into_the_right_one(
    path: Path, act: str
) -> None:
    run, before = ACTS[act]
    held_back = 0
    for n in range(1, 100):
        _prepare(path, before)
        handle = os.open(path, os.O_PATH)
        # The kernel has found the file by its name, and has not opened it yet.
        writer = Writer(f"/proc/self/fd/{handle}", THEIRS)
        system = Meddled(n, partial(_open_and_write, writer))
        with suppress(Changed):
            run(Disk(system), path)
        writer.finish()
        os.close(handle)
        held_back += writer.thread is not None
        assert path.read_bytes() == THEIRS, n
        if "disturbed" in system.past[n - 1 :][:1]:
            # The last look, milliseconds after the exchange: nobody opens a file for that long.
            break
    assert held_back


def _open_and_write(writer: Writer, truncate: bool = True) -> None:
    writer.start(truncate)
    if writer.thread is None:
        writer.finish()


class _TwoMoments(Stand):
    def __init__(self, first: int, second: int, writer: Writer, truncate: bool) -> None:
        super().__init__()
        self.first, self.second, self.writer, self.truncate = first, second, writer, truncate

    def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        self.count += 1
        if self.count == self.first:
            self.writer.start(self.truncate)
        elif self.count == self.second and self.writer.thread is None:
            self.writer.finish()
        return call(*arguments)


@pytest.mark.usefixtures("watching")
def test_a_file_that_another_program_keeps_open_for_writing_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "WRITER_SECONDS", 0.01)
    before = tree(path.parent)
    with path.open("r+b"):
        message = ("in-use", f"{path} is open for writing in another program")
        assert refusal(lambda: Disk().write(path, NEW, expected=OLD)) == message
        assert refusal(lambda: Disk().remove(path, expected=OLD)) == message
    assert tree(path.parent) == before


def test_a_network_file_system_that_grants_no_watch_does_not_count_as_a_writer() -> None:
    mounts = (
        "22 28 0:21 / /proc rw,nosuid shared:5 - proc proc rw\n"
        "40 28 0:45 / /home rw,relatime shared:9 - nfs4 server:/home rw,vers=4.2\n"
        "41 28 0:46 / /mnt/a\\040-\\040b rw - cifs //server/share rw\n"
        "28 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
        "broken\n"
    )
    devices = ("0:45", "0:46", "254:0", "0:21", "9:9")
    assert [real.remote(mounts, device) for device in devices] == [True, True, False, False, False]


# Faults


@requirement("REL-6", "INS-6")
@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("act", ACTS)
def test_whatever_fails_the_file_is_old_or_new_and_the_next_run_leaves_nothing_else(
    path: Path, act: str, fault: Fault
) -> None:
    run, before = ACTS[act]
    after = None if act == "remove" else NEW
    for system in strikes(fault):
        _prepare(path, before)
        done = False
        with suppress(Changed, Refusal, Killed):
            run(Disk(system), path)
            done = True
        now = path.read_bytes() if path.exists() else None
        if fault in (Fault.SHORT_WRITE, Fault.NOT_OFFERED):
            assert done
        if fault is Fault.NOT_OFFERED and now == b"":
            pytest.fail("a name was reserved and left")
        assert now in ((after,) if done else (before, after)), system.n
        assert Disk().sweep(path.parent) == []
        expected = ["home", "project"] if now is None else ["home", "host.json", "project"]
        assert names(path.parent) == expected, system.n


@requirement("REL-6")
@pytest.mark.parametrize("fault", [Fault.DISK_FULL, Fault.READ_ONLY, Fault.DENIED, Fault.IO_ERROR])
def test_a_refused_write_says_which_file_and_why(path: Path, fault: Fault) -> None:
    reasons = {
        Fault.DISK_FULL: "No space left on device",
        Fault.READ_ONLY: "Read-only file system",
        Fault.DENIED: "Permission denied",
        Fault.IO_ERROR: "Input/output error",
    }
    system = Faulty(2 if fault in (Fault.DENIED, Fault.IO_ERROR) else 1, fault)
    assert refusal(lambda: Disk(system).write(path, NEW, expected=OLD)) == (
        "unwritable",
        f"{path} cannot be written: {reasons[fault]}",
    )
    assert path.read_bytes() == OLD


def test_a_fault_can_be_laid_under_every_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere(monkeypatch, Faulty(1, Fault.DISK_FULL))
    assert refusal(lambda: Disk().write(path, NEW, expected=OLD))[0] == "unwritable"
    assert refusal(lambda: faulty_disk(1, Fault.READ_ONLY).write(path, NEW, expected=OLD))[0] == "unwritable"


# Sweeping


@requirement("INS-6")
def test_only_our_own_abandoned_staged_files_are_swept(tmp_path: Path) -> None:
    ours = Staged.new()
    gone = ours._replace(pid=_dead_pid())
    alive = ours._replace(pid=os.getppid())
    swept = [
        ours.name,
        gone.name,
        ours.complete(OLD, NEW).name,
        gone.complete(NEW, OLD).name,
        gone.complete(NEW, None).name,
    ]
    left = [
        alive.name,
        alive.complete(OLD, NEW).name,
        f"{TEMPORARY}mine",
        f"{TEMPORARY}1-2-3",
        f"{TEMPORARY}٣-a",
        "host.json.tmp",
    ]
    for name in swept + left:
        (tmp_path / name).write_bytes(NEW)
    assert Disk().sweep(tmp_path, tmp_path / "absent", tmp_path) == []
    assert names(tmp_path) == sorted([*left, "home", "project"])


def test_a_staged_file_with_the_bytes_of_another_program_stays_and_is_reported(tmp_path: Path) -> None:
    kept = tmp_path / Staged.new()._replace(pid=_dead_pid()).complete(OLD, NEW).name
    kept.write_bytes(THEIRS)
    assert Disk().sweep(tmp_path) == [kept]
    assert kept.read_bytes() == THEIRS


@requirement("REL-1", "REL-2")
@pytest.mark.parametrize("act", ["replace", "remove"])
def test_a_change_of_another_program_outlives_a_kill_at_any_moment(path: Path, act: str) -> None:
    run, _ = ACTS[act]
    for at in ("exchange", "rename"):
        for system in strikes(Fault.KILLED):
            for name in names(path.parent):
                if name.startswith(TEMPORARY):
                    (path.parent / name).unlink()
            _prepare(path, OLD)
            meddler = _MeddleBefore(at, system, path)
            with suppress(Changed, Killed):
                run(Disk(meddler), path)
            kept = Disk().sweep(path.parent)
            if meddler.done:
                found = [file.read_bytes() for file in (path, *kept) if file.exists()]
                assert THEIRS in found, (at, system.n)


class _MeddleBefore(Stand):
    """Another program renames its file into place just before we first change the target's name; then we are killed."""

    def __init__(self, kind: str, system: Faulty, path: Path) -> None:
        super().__init__()
        self.kind, self.system, self.target, self.done = kind, system, path, False

    def before(self, kind: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        if kind == self.kind and not self.done and self.target in arguments:
            self.done = True
            _by_rename(self.target)
        return self.system.before(kind, call, arguments)


def _dead_pid() -> int:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


# Links


@requirement("NAT-5")
def test_a_link_leads_to_its_target_inside_the_workspace_or_home(sandbox: Sandbox) -> None:
    roots = (sandbox.root, sandbox.home)
    dots = sandbox.home / "dots"
    dots.mkdir()
    (sandbox.root / "plain").write_bytes(OLD)
    (sandbox.root / "to-home").symlink_to(dots / "m.json")
    (sandbox.root / "to-to-home").symlink_to("to-home")
    (sandbox.root / "folder").symlink_to(dots)
    for path, target in {
        "plain": sandbox.root / "plain",
        "absent": sandbox.root / "absent",
        "to-home": dots / "m.json",
        "to-to-home": dots / "m.json",
        "folder/x/y.json": dots / "x" / "y.json",
    }.items():
        assert real_target(sandbox.root / path, roots) == target
    Disk().write(real_target(sandbox.root / "to-home", roots), NEW, expected=None)
    assert (sandbox.root / "to-home").is_symlink()
    assert (dots / "m.json").read_bytes() == NEW


@requirement("NAT-5")
def test_a_link_that_leads_elsewhere_or_nowhere_is_refused_in_one_line(sandbox: Sandbox, tmp_path: Path) -> None:
    roots = (sandbox.root, sandbox.home)
    elsewhere = tmp_path / "elsewhere"
    for name, target in {"file": elsewhere / "f", "folder": elsewhere, "loop": sandbox.root / "loop"}.items():
        (sandbox.root / name).symlink_to(target)
    outside = "{} leads out of the workspace and of HOME, to {}"
    loop = "{} is a symbolic link that leads back to itself"
    for path, code, message in (
        ("file", "link-outside", outside.format(sandbox.root / "file", elsewhere / "f")),
        ("folder/x", "link-outside", outside.format(sandbox.root / "folder/x", elsewhere / "x")),
        ("loop", "link-loop", loop.format(sandbox.root / "loop")),
        ("loop/x", "link-loop", loop.format(sandbox.root / "loop/x")),
    ):
        assert refusal(partial(real_target, sandbox.root / path, roots)) == (code, message)
    assert refusal(lambda: real_target(sandbox.root / "a\0", roots))[0] == "unreadable"
    assert not elsewhere.exists()


def test_a_workspace_that_is_reached_through_a_link_is_no_link_that_leads_out(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(sandbox.root)
    assert real_target(tmp_path / "alias" / "x", (tmp_path / "alias",)) == sandbox.root / "x"


# The same with real processes; the long forms are the scripts themselves


@requirement("REL-2")
@pytest.mark.usefixtures("watching")
def test_twelve_writers_and_a_program_without_a_lock_keep_all_their_keys() -> None:
    ended = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "race_files.py"), "--keys", "3", "--pause", "0.02"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr == ""
    assert json.loads(ended.stdout)["ours"] == 36
