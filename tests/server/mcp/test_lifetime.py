"""When the server ends, and what it finishes first: real processes, and every wait is for the end of one."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox
from tests.requirements import requirement
from tests.server.mcp.engines import PATIENCE_SECONDS, initialize, notification, request
from tests.server.mcp.process import TOYS, WITH_TOYS, started, workspace

SDK = [*TOYS, "--engine", "sdk"]


def engines(*tools: str, through_sdk: str) -> pytest.MarkDecorator:
    """Every tool through the loop; one through the SDK, whose start costs more than a second."""
    pairs = [*((TOYS, tool) for tool in tools), (SDK, through_sdk)]
    names = [*(f"stdio-{tool or 'idle'}" for tool in tools), f"sdk-{through_sdk or 'idle'}"]
    return pytest.mark.parametrize(("command", "tool"), pairs, ids=names)


pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX processes")

CLIENT = """
import os, subprocess, sys
source, sink, err = map(int, sys.argv[1:4])
os.environ["STARTER"] = str(os.getpid())
server = subprocess.Popen(sys.argv[4:], stdin=source, stdout=sink, stderr=err)
print(server.pid, flush=True)
if os.environ.get("LEAVES"):
    os._exit(0)
sys.stdin.read()
"""
"""A client that starts the server on descriptors of the test and then holds still, or leaves at once."""

REAPER = """
import ctypes, os, subprocess, sys
set_name, become_reaper = 15, 36
ctypes.CDLL(None).prctl(set_name, b"tini", 0, 0, 0)
ctypes.CDLL(None).prctl(become_reaper, 1, 0, 0, 0)
subprocess.run(sys.argv[1:], close_fds=False)
os.closerange(3, 256)
os.wait()
"""
"""Adopts what its children leave behind, under the name of a program that does just that."""

ADOPTION = "import os\nwhile os.getppid() == int(os.environ['STARTER']): pass\n"
"""Waits until the process has a new parent."""


class Orphanage:
    """A client in between: the test holds the server's stdin, reads its stdout, and sees its end as the end of its stderr."""

    def __init__(self, sandbox: Sandbox, command: list[str], under: tuple[str, ...] = (), **environ: str) -> None:
        source, self.feed = os.pipe()
        self.out, sink = os.pipe()
        self.err, errors = os.pipe()
        root = Path(__file__).resolve().parents[3]
        path = os.pathsep.join([str(root), sandbox.environ["PYTHONPATH"]])
        handles = (source, sink, errors)
        self.client = subprocess.Popen(
            [*under, sys.executable, "-c", CLIENT, *map(str, handles), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=handles,
            cwd=workspace(sandbox),
            env={**sandbox.environ, "PYTHONPATH": path, **environ},
        )
        for handle in handles:
            os.close(handle)
        assert self.client.stdout
        self.pid = int(self.client.stdout.readline())

    def kill_client(self) -> None:
        self.client.kill()
        self.client.wait()

    def events(self) -> list[dict[str, Any]]:
        """What the server said on stderr, once it has ended."""
        said = b""
        while True:
            ready, _, _ = select.select([self.err], [], [], PATIENCE_SECONDS)
            assert ready, f"the server is still there: {said!r}"
            part = os.read(self.err, 1 << 16)
            if not part:
                return [json.loads(line) for line in said.splitlines()]
            said += part

    def close(self) -> None:
        for handle in (self.feed, self.out, self.err):
            os.close(handle)
        assert self.client.stdin
        assert self.client.stdout
        self.client.stdin.close()
        self.client.stdout.close()
        self.client.wait()


@requirement("LIF-1")
@pytest.mark.smoke
def test_the_end_of_the_input_ends_the_server(sandbox: Sandbox) -> None:
    with started(sandbox) as server:
        server.open()
        server.stdin.close()
        assert server.ended() == (0, "")


@requirement("LIF-1")
def test_an_input_that_ends_before_the_first_request_ends_the_server(sandbox: Sandbox) -> None:
    with started(sandbox) as server:
        server.stdin.close()
        assert server.ended() == (0, "")


@requirement("LIF-1", "LIF-3")
@engines("wait", "elsewhere", "spin", "match", through_sdk="match")
def test_the_end_of_the_input_ends_a_busy_server(sandbox: Sandbox, command: list[str], tool: str) -> None:
    with started(sandbox, command) as server:
        server.open()
        server.write(request(1, "tools/call", {"name": tool}))
        server.stdin.close()
        assert server.ended() == (0, "")


@requirement("LIF-1", "LIF-3")
def test_the_end_of_the_input_ends_a_server_that_was_given_work_before_any_request_was_answered(
    sandbox: Sandbox,
) -> None:
    with started(sandbox) as server:
        server.write(initialize(), *[request(number, "tools/call", {"name": "match"}) for number in range(20)])
        server.stdin.close()
        assert server.ended() == (0, "")


@requirement("LIF-1")
def test_a_write_under_way_is_finished_and_answered_after_the_end_of_the_input(sandbox: Sandbox) -> None:
    with started(sandbox) as server:
        server.open()
        server.write(request(1, "tools/call", {"name": "slow_write"}))
        server.stdin.close()
        assert server.read()["id"] == 1
        assert server.ended() == (0, "")
    assert (sandbox.root / "ended").exists()


@requirement("D-19", "LIF-3")
@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
@engines("", "wait", "elsewhere", "spin", "match", through_sdk="match")
def test_a_signal_ends_the_server_idle_or_busy(
    sandbox: Sandbox, command: list[str], tool: str, signum: signal.Signals
) -> None:
    with started(sandbox, command) as server:
        server.open()
        if tool:
            server.write(request(1, "tools/call", {"name": tool}), request(2, "ping"))
            assert server.read()["id"] == 2
        server.process.send_signal(signum)
        assert server.ended() == (128 + signum, "")


@requirement("D-19")
def test_a_signal_lets_the_write_under_way_finish_and_the_next_not_begin(sandbox: Sandbox) -> None:
    with started(sandbox) as server:
        server.open()
        server.write(request(1, "tools/call", {"name": "slow_write"}))
        while not (sandbox.root / "begun").exists():
            assert server.process.poll() is None
        server.process.terminate()
        assert server.ended() == (143, "")
    assert (sandbox.root / "ended").exists()
    assert not (sandbox.root / "too-much").exists()


@requirement("LIF-1")
def test_a_client_that_is_killed_ends_the_server(sandbox: Sandbox) -> None:
    family = Orphanage(sandbox, TOYS)
    os.write(family.feed, initialize() + b"\n")
    assert b'"init"' in os.read(family.out, 1 << 16)
    family.kill_client()
    assert [(event["event"], event["reason"]) for event in family.events()] == [
        ("stdio_watchdog_exit", "watched_process_exit")
    ]
    family.close()


@requirement("LIF-1", "LIF-3")
@engines("", "spin", "match", through_sdk="match")
def test_a_server_whose_client_died_ends_though_another_process_holds_its_input_open(
    sandbox: Sandbox, command: list[str], tool: str
) -> None:
    family = Orphanage(sandbox, command)
    os.write(family.feed, initialize() + b"\n")
    assert b'"init"' in os.read(family.out, 1 << 16)
    if tool:
        os.write(family.feed, request(1, "tools/call", {"name": tool}) + b"\n")
    client = family.client.pid
    family.kill_client()
    assert family.events() == [
        {
            "event": "stdio_watchdog_exit",
            "shim_pid": family.pid,
            "dead_ancestor_pid": client,
            "dead_ancestor_exe": "parent",
            "reason": "watched_process_exit",
        }
    ]
    family.close()


@requirement("LIF-1")
@pytest.mark.skipif(sys.platform != "linux", reason="names its own reaper")
def test_a_server_whose_client_died_before_it_looked_ends_as_an_orphan(sandbox: Sandbox) -> None:
    adopted = [sys.executable, "-c", ADOPTION + WITH_TOYS]
    family = Orphanage(sandbox, adopted, under=(sys.executable, "-c", REAPER), LEAVES="1")
    orphan = {"shim_pid": family.pid, "reason": "unanchored_orphan"}
    assert family.events() == [
        {"event": "stdio_watchdog_disarmed", **orphan},
        {"event": "stdio_watchdog_exit", **orphan, "dead_ancestor_pid": None, "dead_ancestor_exe": None},
    ]
    family.close()


@requirement("LIF-1")
@pytest.mark.parametrize("when", ["later", "before"])
def test_the_process_that_the_command_line_names_is_watched_too(sandbox: Sandbox, when: str) -> None:
    named = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    if when == "before":
        named.kill()
        named.wait()
    with started(sandbox, [*TOYS, "--parent-pid", str(named.pid)]) as server:
        if when == "later":
            server.open()
            named.kill()
            named.wait()
        code, err = server.ended()
    assert (code, json.loads(err)) == (
        0,
        {
            "event": "stdio_watchdog_exit",
            "shim_pid": server.process.pid,
            "dead_ancestor_pid": named.pid,
            "dead_ancestor_exe": "explicit-client",
            "reason": "watched_process_exit",
        },
    )
    assert named.stdin
    named.stdin.close()
    named.wait()


@requirement("SRV-6", "LIF-3")
@engines("wait", "elsewhere", "spin", "match", through_sdk="match")
def test_a_busy_server_answers_pings(sandbox: Sandbox, command: list[str], tool: str) -> None:
    with started(sandbox, command) as server:
        server.open()
        server.write(request(1, "tools/call", {"name": tool}), request(2, "ping"), request(3, "tools/list"))
        assert [server.read()["id"], server.read()["id"]] == [2, 3]


@requirement("SRV-6")
@engines("wait", "elsewhere", through_sdk="wait")
def test_a_call_reports_progress_until_it_is_cancelled_and_is_never_answered(
    sandbox: Sandbox, command: list[str], tool: str
) -> None:
    with started(sandbox, command) as server:
        server.open()
        server.write(request(1, "tools/call", {"name": tool, "_meta": {"progressToken": "t"}}))
        first = server.read()
        assert first["params"] == {"progressToken": "t", "progress": 0, "total": 0, "message": "working"}
        server.write(notification("notifications/cancelled", {"requestId": 1}))
        server.write(request(2, "tools/call", {"name": "echo", "arguments": {"text": "x"}}))
        while "id" not in (answer := server.read()):
            assert answer["params"]["progressToken"] == "t"
        assert answer["id"] == 2
        server.stdin.close()
        assert server.ended() == (0, "")
        assert server.stdout.read() == b""


@requirement("SRV-6")
def test_a_call_that_waits_for_another_process_holds_up_no_other(sandbox: Sandbox) -> None:
    with started(sandbox) as server:
        server.open()
        server.write(request(1, "tools/call", {"name": "elsewhere"}))
        server.write(request(2, "tools/call", {"name": "echo", "arguments": {"text": "x"}}))
        assert server.read()["id"] == 2


@requirement("SRV-6")
def test_a_call_that_was_cancelled_before_its_turn_never_runs(sandbox: Sandbox) -> None:
    with started(sandbox) as server:
        server.open()
        server.write(
            request(1, "tools/call", {"name": "wait"}),
            request(2, "tools/call", {"name": "slow_write"}),
            notification("notifications/cancelled", {"requestId": 2}),
            notification("notifications/cancelled", {"requestId": 1}),
            request(3, "tools/call", {"name": "echo", "arguments": {"text": "x"}}),
        )
        assert server.read()["id"] == 3
    assert not (sandbox.root / "begun").exists()
