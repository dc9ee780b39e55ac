"""How a run ends: at its deadline, when it is cancelled, and with everything that it started."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.server.gateway.conftest import Invoke
from vaultspec_core.mcp_server.calls import Call
from vaultspec_core.mcp_server.gateway_process import run
from vaultspec_core.mcp_server.table import open_table
from vaultspec_core.report import Refusal

pytestmark = [
    pytest.mark.usefixtures("demo"),
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-in forks and holds a FIFO"),
]
PATIENCE_SECONDS = 60


@pytest.fixture
def fifo(tmp_path: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """A FIFO that processes hold open as long as they live, and what reads one piece from it: nothing once they all are gone."""
    path = str(tmp_path / "alive")
    os.mkfifo(path)
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read() -> bytes:
        ready, _, _ = select.select([handle], [], [], PATIENCE_SECONDS)
        assert ready, "something is still alive"
        return os.read(handle, 1000)

    yield path, read
    os.close(handle)


def rest(read: Callable[[], bytes]) -> bytes:
    said = b""
    while part := read():
        said += part
    return said


@requirement("GTW-4")
def test_the_whole_group_ends_at_the_timeout(call: Invoke, fifo: Any) -> None:
    path, read = fifo
    result = call("demo hang", {"fifo": path}, timeout=2)
    assert set(rest(read).split()) <= {b"descendant", b"verb"}
    assert (result["ok"], result["exit_code"], result["data"], result["stdout"]) == (False, -1, None, None)
    assert result["error"] == {
        "kind": "timeout",
        "exit_code": -1,
        "stderr": "",
        "message": "verb timed out after 2 seconds",
    }


def alive(read: Callable[[], bytes]) -> bool:
    """Wait until both processes have said that they live."""
    said = b""
    while said.count(b"\n") < 2:
        said += read()
    return sorted(said.split()) == [b"descendant", b"verb"]


@requirement("GTW-4")
def test_the_whole_group_ends_when_the_call_is_cancelled(workspace: Path, fifo: Any) -> None:
    path, read = fifo
    call = Call(1, "invoke", {"verb": "demo hang", "arguments": {"fifo": path}}, "token", structured=True)
    said: list[Any] = [None]

    def perform() -> None:
        said[0] = open_table(str(workspace), False).perform(call, said.append, lambda result: result)

    lane = threading.Thread(target=perform)
    lane.start()
    assert alive(read)
    call.cancelled = True
    lane.join(PATIENCE_SECONDS)
    assert said == [None], "neither an answer nor progress"
    assert rest(read) == b""


@requirement("GTW-4", "LIF-1")
@pytest.mark.parametrize("signalled", [False, True])
def test_the_whole_group_ends_with_the_server(workspace: Path, fifo: Any, signalled: bool) -> None:
    path, read = fifo
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    asked = {"name": "invoke", "arguments": {"verb": "demo hang", "arguments": {"fifo": path}}}
    words = [sys.executable, "-m", "vaultspec_core.mcp_server.app"]
    with subprocess.Popen(words, cwd=workspace, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin
        for id, method, params in ((1, "initialize", hello), (2, "tools/call", asked)):
            message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
            server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        assert alive(read)
        if signalled:
            server.terminate()
        else:
            server.stdin.close()
        assert rest(read) == b""
        assert server.wait(PATIENCE_SECONDS) == (143 if signalled else 0)


@requirement("GTW-4")
def test_nothing_that_a_verb_started_lives_on_behind_its_answer(call: Invoke, fifo: Any) -> None:
    path, read = fifo
    result = call("demo leave", {"fifo": path})
    assert (result["ok"], result["data"]) == (True, {})
    assert rest(read).endswith(b"\n")


def test_a_verb_that_closes_its_output_is_still_ended_in_time(call: Invoke) -> None:
    assert call("demo closed", timeout=0.5)["error"]["kind"] == "timeout"


def test_a_command_line_that_no_system_takes_is_refused(workspace: Path) -> None:
    with pytest.raises(Refusal) as refused:
        run(["x" * 3_000_000], workspace, PATIENCE_SECONDS, lambda: None)
    assert refused.value.message == "the values together are longer than a command line may be"
