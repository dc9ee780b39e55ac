"""Who counts as the client, when it counts as gone, and that nothing else ends the server. The Windows rules are tried with fakes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import product
from typing import Any

import psutil
import pytest

from tests.requirements import requirement
from vaultspec_core.mcp_server import posix_probe, watchdog, windows_probe
from vaultspec_core.mcp_server.named_process import NamedProcess
from vaultspec_core.mcp_server.posix_probe import PosixProbe
from vaultspec_core.mcp_server.watchdog import LOST_LOOKS, OFF, SWITCH, Sighting, decide
from vaultspec_core.mcp_server.windows_probe import GRACE_LOOKS, WindowsProbe, choose

ALIVE, DEAD, UNKNOWN = (Sighting(7, "x", state) for state in ("alive", "dead", "unknown"))


@pytest.fixture
def other() -> Iterator[subprocess.Popen[bytes]]:
    """A process that lives until its input ends."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    assert process.stdin
    process.stdin.close()


def verdict(explicit: Sighting | None, client: Sighting | None, lost_looks: int) -> str | None:
    reap = decide(explicit, client, lost_looks)
    return None if reap is None else reap.reason


@requirement("LIF-2")
@pytest.mark.parametrize("lost_looks", [0, LOST_LOOKS, LOST_LOOKS * 99])
def test_whoever_cannot_be_judged_is_alive(lost_looks: int) -> None:
    for explicit, client in product((None, ALIVE, UNKNOWN), (ALIVE, UNKNOWN)):
        assert verdict(explicit, client, lost_looks) is None


@requirement("LIF-1", "LIF-2")
def test_a_confirmed_death_of_either_ends_the_server() -> None:
    for other in (None, ALIVE, UNKNOWN, DEAD):
        assert verdict(DEAD, other, 0) == "watched_process_exit"
        assert verdict(other, DEAD, 0) == "watched_process_exit"


@requirement("LIF-1", "LIF-2")
def test_nobody_found_ends_the_server_only_when_many_looks_agree_and_nobody_was_named() -> None:
    assert [verdict(None, None, looks) for looks in (1, LOST_LOOKS - 1)] == [None, None]
    assert verdict(None, None, LOST_LOOKS) == "unanchored_orphan"
    assert [verdict(named, None, LOST_LOOKS * 9) for named in (ALIVE, UNKNOWN)] == [None, None]


class Looks:
    """A probe that plays looks back; each is (explicit, client)."""

    def __init__(self, *looks: tuple[Sighting | None, Sighting | None]) -> None:
        self.looks = list(looks)
        self.paused = 0

    def explicit(self) -> Sighting | None:
        return self.looks[0][0]

    def client(self) -> Sighting | None:
        return self.looks.pop(0)[1]

    def pause(self, seconds: float) -> None:
        self.paused += 1


def watched(*looks: tuple[Sighting | None, Sighting | None]) -> tuple[list[dict[str, Any]], list[int]]:
    said: list[dict[str, Any]] = []
    left: list[int] = []
    probe = Looks(*looks)
    watchdog.watch(probe, left.append, said.append)
    assert probe.looks == []
    assert probe.paused == len(looks) - 1
    return said, left


@requirement("LIF-1")
def test_the_event_line_says_who_died() -> None:
    said, left = watched((None, ALIVE), (None, UNKNOWN), (None, DEAD))
    assert (said, left) == (
        [
            {
                "event": "stdio_watchdog_exit",
                "shim_pid": os.getpid(),
                "dead_ancestor_pid": 7,
                "dead_ancestor_exe": "x",
                "reason": "watched_process_exit",
            }
        ],
        [0],
    )


@requirement("LIF-2")
def test_one_living_sight_begins_the_count_anew() -> None:
    lost = [(None, None)] * (LOST_LOOKS - 1)
    said, left = watched(*lost, (None, ALIVE), *lost, (None, None))
    assert [event["event"] for event in said] == ["stdio_watchdog_disarmed", "stdio_watchdog_exit"]
    assert left == [0]


@requirement("LIF-1")
@pytest.mark.parametrize("word", [*sorted(OFF), "OFF", " No "])
def test_the_variable_turns_it_off(word: str) -> None:
    before = threading.enumerate()
    watchdog.start({SWITCH: word}, os.getppid(), None, 0, sys.exit)
    assert threading.enumerate() == before


@requirement("LIF-2")
def test_a_watchdog_that_cannot_start_is_one_line_and_no_more(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    watchdog.start({}, os.getppid(), None, 0, sys.exit)
    assert capfd.readouterr() == (
        "",
        "vaultspec-core-mcp: the lifetime watchdog cannot start (can't start new thread); the server ends with its input\n",
    )


@requirement("LIF-1", "LIF-2")
def test_a_named_process_is_alive_until_it_ends_even_uncollected(other: subprocess.Popen[bytes]) -> None:
    named = NamedProcess(other.pid, "explicit-client")
    assert named.sight().state == "alive"
    other.kill()
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
    assert named.sight().state == "dead"
    other.wait()
    assert named.sight().state == "dead"
    assert NamedProcess(other.pid, "explicit-client").sight().state == "dead"


@requirement("LIF-1")
def test_waiting_for_a_process_returns_when_it_ends(other: subprocess.Popen[bytes]) -> None:
    named = NamedProcess(other.pid, "client")
    named.wait(0.01)
    assert named.sight().state == "alive"
    other.kill()
    named.wait(60)
    assert named.sight().state == "dead"


@requirement("LIF-2")
def test_a_number_that_another_process_has_now_is_a_dead_process(
    other: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = NamedProcess(other.pid, "client")
    assert named._process is not None
    monkeypatch.setattr(psutil.Process, "is_running", lambda process: False)
    assert named.sight().state == "dead"


@requirement("LIF-2")
def test_a_system_that_does_not_tell_leaves_the_process_alive(
    other: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*words: object) -> None:
        raise psutil.AccessDenied

    named = NamedProcess(other.pid, "client")
    monkeypatch.setattr(psutil.Process, "status", deny)
    assert named.sight().state == "unknown"
    monkeypatch.setattr(psutil, "Process", deny)
    hidden = NamedProcess(other.pid, "client")
    hidden.wait(0)
    assert hidden.sight().state == "unknown"


@requirement("LIF-2")
def test_a_parent_is_the_client_while_it_is_the_parent() -> None:
    source, sink = os.pipe()
    seen = PosixProbe(os.getppid(), None, source).client()
    assert seen is not None
    assert (seen.pid, seen.state) == (os.getppid(), "alive")
    gone = PosixProbe(os.getpid(), None, source).client()
    assert gone is not None
    assert (gone.pid, gone.name, gone.state) == (os.getpid(), "parent", "dead")
    os.close(source)
    os.close(sink)


@requirement("LIF-2")
@pytest.mark.parametrize(
    ("pid", "name", "holds", "adopts"),
    [
        (99, "node", None, False),  # an ordinary parent is never doubted
        (99, "node", False, False),
        (1, "node", None, False),  # the first process of a container that hides its files
        (1, "node", True, False),  # a client that is the first process itself
        (1, "node", False, True),
        (1, "systemd", None, True),
        (1, "launchd", None, True),
        (1, "tini", True, False),
        (99, "systemd", None, True),  # a user's own service manager adopts too
        (99, "systemd", True, False),
    ],
)
def test_only_a_parent_that_adopts_and_does_not_hold_the_pipe_is_nobody(
    monkeypatch: pytest.MonkeyPatch, pid: int, name: str, holds: bool | None, adopts: bool
) -> None:
    monkeypatch.setattr(posix_probe, "_name", lambda pid: name)
    monkeypatch.setattr(posix_probe, "_holds", lambda pid, inode: holds)
    source, sink = os.pipe()
    assert posix_probe._adopts(pid, source) is adopts
    with open(os.devnull, "rb") as null:
        assert posix_probe._adopts(pid, null.fileno()) is False
    os.close(source)
    os.close(sink)


@requirement("LIF-2")
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_that_holds_the_pipe_is_told_from_one_that_does_not(other: subprocess.Popen[bytes]) -> None:
    source, sink = os.pipe()
    inode = os.fstat(source).st_ino
    assert posix_probe._holds(os.getpid(), inode) is True
    assert posix_probe._holds(other.pid, inode) is False
    assert posix_probe._name(os.getpid()) == psutil.Process().name()[:15]
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert (posix_probe._holds(gone.pid, inode), posix_probe._name(gone.pid)) == (None, "")
    os.close(source)
    os.close(sink)


def program(pid: int, name: str, state: Any = "alive") -> Sighting:
    return Sighting(pid, name, state)


CHAIN = [program(5, "uv"), program(4, "cmd"), program(3, "agent"), program(2, "explorer")]


@requirement("LIF-1", "LIF-2")
@pytest.mark.parametrize(
    ("creator", "ancestors", "looks", "client"),
    [
        (program(9, "pipe-creator"), CHAIN, 0, 9),
        (program(9, "pipe-creator", "unknown"), CHAIN, 99, 9),
        (program(9, "pipe-creator", "dead"), CHAIN, 99, 9),  # watched, and found dead at once
        (None, CHAIN, 0, None),  # launchers may still be about to end
        (None, CHAIN, GRACE_LOOKS - 1, None),
        (None, CHAIN, GRACE_LOOKS, 3),
        (None, CHAIN[:2], GRACE_LOOKS, None),
        (None, [program(3, "agent", "dead"), program(2, "explorer")], GRACE_LOOKS, 2),
        (None, [program(3, "agent", "unknown")], GRACE_LOOKS, None),
        (None, [], 99, None),
    ],
)
def test_windows_takes_the_pipe_s_creator_or_the_nearest_ancestor_that_is_no_launcher(
    creator: Sighting | None, ancestors: list[Sighting], looks: int, client: int | None
) -> None:
    chosen = choose(creator, ancestors, looks)
    assert (chosen and chosen.pid) == client


@requirement("LIF-2")
def test_windows_watches_the_one_it_chose_whatever_appears_later(
    other: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    chain: list[Sighting] = []
    monkeypatch.setattr(windows_probe, "_pipe_creator", lambda source: None)
    monkeypatch.setattr(windows_probe, "_ancestors", lambda: chain)
    probe = WindowsProbe(1, os.getpid(), 0)
    assert [probe.client() for _ in range(GRACE_LOOKS + 3)] == [None] * (GRACE_LOOKS + 3)
    probe.pause(0)
    chain.append(program(other.pid, "agent"))
    assert (seen := probe.client()) is not None
    assert (seen.pid, seen.name, seen.state) == (other.pid, "agent", "alive")
    chain[:] = [program(os.getpid(), "nearer")]
    other.kill()
    probe.pause(60)
    assert (seen := probe.client()) is not None
    assert (seen.pid, seen.state) == (other.pid, "dead")
    assert (named := probe.explicit()) is not None
    assert (named.pid, named.state) == (os.getpid(), "alive")


@requirement("LIF-2")
def test_ancestors_are_named_by_their_program_and_a_system_that_does_not_tell_gives_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def deny(process: psutil.Process) -> None:
        raise psutil.AccessDenied

    found = windows_probe._ancestors()
    assert found[0].pid == os.getppid()
    assert found[0].state == "alive"
    monkeypatch.setattr(psutil.Process, "parents", deny)
    assert windows_probe._ancestors() == []
