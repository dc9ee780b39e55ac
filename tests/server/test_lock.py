"""The lock: whom it keeps out, whom it lets in, and what it says."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.requirements import requirement
from vaultspec_core import lock
from vaultspec_core.lock import hold
from vaultspec_core.report import Refusal

HOLDER = """
import sys
from pathlib import Path
from vaultspec_core.lock import hold
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds the folder's lock until its stdin ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def said(folder: Path, wait_seconds: float = 0) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught, hold(folder, wait_seconds):
        pass
    return caught.value.code, caught.value.message


@requirement("INS-6")
def test_a_lock_leaves_nothing_behind(tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*")), tmp_path.stat().st_mtime_ns
    with hold(tmp_path):
        assert (sorted(tmp_path.rglob("*")), tmp_path.stat().st_mtime_ns) == before
    assert (sorted(tmp_path.rglob("*")), tmp_path.stat().st_mtime_ns) == before


def test_another_process_is_kept_out_until_the_holder_ends(tmp_path: Path) -> None:
    process = holder(tmp_path)
    assert said(tmp_path) == ("busy", f"another vaultspec command has been working on {tmp_path} for 0 s")
    process.communicate()
    with hold(tmp_path, 0):
        pass


def test_a_lock_ends_with_a_killed_process(tmp_path: Path) -> None:
    process = holder(tmp_path)
    process.kill()
    process.communicate()
    with hold(tmp_path, 0):
        pass


def test_the_lock_does_not_depend_on_how_the_folder_is_called_or_on_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, alias = tmp_path / "folder", tmp_path / "alias"
    folder.mkdir()
    alias.symlink_to(folder)
    process = holder(folder)
    for name in ("HOME", "XDG_STATE_HOME", "VAULTSPEC_STATE_DIR", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    assert said(alias)[0] == "busy"
    process.communicate()


def test_folders_have_locks_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    process = holder(tmp_path)
    with hold(tmp_path / "other", 0):
        pass
    process.communicate()


def test_a_thread_may_take_its_lock_again_and_others_stay_out(tmp_path: Path) -> None:
    refused: list[str] = []

    def other() -> None:
        refused.append(said(tmp_path)[0])

    with hold(tmp_path, 0):
        with hold(tmp_path, 0):
            pass
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    with hold(tmp_path, 0):
        pass
    assert refused == ["busy"]


def test_a_lock_is_given_up_after_an_exception(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), hold(tmp_path, 0):
        raise ZeroDivisionError
    holder(tmp_path).communicate()


def test_a_folder_that_was_made_anew_while_we_waited_is_the_one_that_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    real, locked = fcntl.flock, []

    def flock(handle: int, how: int) -> None:
        real(handle, how)
        locked.append(os.fstat(handle).st_ino)
        if len(locked) == 1:
            folder.rename(tmp_path / "deleted")
            folder.mkdir()

    monkeypatch.setattr(fcntl, "flock", flock)
    with hold(folder, 0):
        assert locked == [(tmp_path / "deleted").stat().st_ino, folder.stat().st_ino]


def test_a_folder_that_went_while_we_waited_cannot_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.setattr(fcntl, "flock", lambda handle, how: shutil.rmtree(folder))
    assert said(folder) == ("unlockable", f"{folder} cannot be locked: No such file or directory")


def test_a_folder_that_is_not_there_or_no_folder_cannot_be_locked(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for name, why in {"absent": "No such file or directory", "file": "Not a directory"}.items():
        assert said(tmp_path / name) == ("unlockable", f"{tmp_path / name} cannot be locked: {why}")


def test_a_folder_that_may_only_be_read_can_be_locked(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    with hold(folder, 0):
        pass


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF, errno.EINVAL])
def test_a_file_system_without_locks_is_said_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def flock(handle: int, how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(Refusal) as caught, hold(tmp_path):
        pass
    assert caught.value.code == "unlockable"
    assert caught.value.message == f"{tmp_path} cannot be locked: {os.strerror(number)}"
    assert caught.value.hint == "Make the folder readable, or work on a file system that has locks (a local disk)."


def test_on_windows_a_file_outside_the_workspace_stands_for_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only with a stand-in for the system's own module."""
    calls: list[tuple[str, int]] = []

    def locking(handle: int, how: int, count: int) -> None:
        calls.append((os.readlink(f"/proc/self/fd/{handle}"), count))
        if len(calls) > 1:
            raise PermissionError(errno.EACCES, "locked")

    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.setattr(lock, "WINDOWS", True)
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    with hold(folder, 0):
        pass
    assert said(folder)[0] == "busy"
    assert said(tmp_path / "absent")[0] == "unlockable"
    (name,) = {name for name, _ in calls}
    assert Path(name).parent == tmp_path / "local" / "vaultspec" / "locks"
    assert list(folder.iterdir()) == []
