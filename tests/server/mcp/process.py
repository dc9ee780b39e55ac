"""A server as a client starts it: a process, two pipes and its stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tests.conftest import Sandbox
from tests.server.mcp.engines import PATIENCE_SECONDS, Frame, initialize, lines_of

MODULE = "vaultspec_core.mcp_server.app"
PLAIN = [sys.executable, "-m", MODULE]

WITH_TOYS = """
import sys
from vaultspec_core.mcp_server import app, table, watchdog
from tests.server.mcp import toys
watchdog.LOOK_SECONDS = 0.05
table.open_table = lambda root, read_only: toys.table(read_only)
app.main(sys.argv[1:])
"""
"""The same process with the toys for its tools and a watchdog that looks often."""

TOYS = [sys.executable, "-c", WITH_TOYS]


class Server:
    """`process` and its pipes; `read` waits for one frame, not for ever."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout
        self.stderr: IO[bytes] = process.stderr
        self._lines = lines_of(self.stdout.fileno())

    def write(self, *lines: bytes) -> None:
        self.stdin.write(b"".join(line + b"\n" for line in lines))
        self.stdin.flush()

    def read(self) -> Frame:
        frame: Frame = json.loads(next(self._lines))
        return frame

    def open(self) -> None:
        """The handshake."""
        self.write(initialize())
        assert self.read()["id"] == "init"

    def ended(self) -> tuple[int, str]:
        """Its exit code and stderr, once it has ended."""
        code = self.process.wait(PATIENCE_SECONDS)
        return code, self.stderr.read().decode()


def workspace(sandbox: Sandbox) -> Path:
    for name in (".vaultspec", ".vault"):
        (sandbox.root / name).mkdir(exist_ok=True)
    return sandbox.root


@contextmanager
def started(
    sandbox: Sandbox, command: Sequence[str] = TOYS, environ: dict[str, str] | None = None, **options: Any
) -> Iterator[Server]:
    """A server in the sandbox's workspace; killed when the test is done with it."""
    root = Path(__file__).resolve().parents[3]
    path = os.pathsep.join([str(root), sandbox.environ["PYTHONPATH"]])
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=workspace(sandbox),
        env={**sandbox.environ, "PYTHONPATH": path, **(environ or {})},
        **options,
    )
    server = Server(process)
    try:
        yield server
    finally:
        process.kill()
        process.wait()
        for stream in (server.stdin, server.stdout, server.stderr):
            stream.close()
