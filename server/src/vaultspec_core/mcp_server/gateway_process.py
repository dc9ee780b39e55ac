"""One run of the command line: a process group of its own, no input, bounded output, and an end at its deadline."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from vaultspec_core.mcp_server.gateway_group import apart, end_group
from vaultspec_core.report import Refusal

if TYPE_CHECKING:
    import subprocess

OUTPUT_BYTES = 4 << 20
"""The most of a stream that is kept. The rest is read and thrown away, so that the verb is not held up."""

COMMAND_LINE = ("-P", "-m", "vaultspec_installer")
"""The command line as a module of the server's own interpreter: PATH has no say, nor have modules that lie in the workspace."""

MARKS = {
    "VAULTSPEC_MCP_GATEWAY_INVOCATION": "1",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "PYTHONIOENCODING": "utf-8",
}
EDITORS = frozenset(("VAULTSPEC_EDITOR", "VISUAL", "EDITOR", "GIT_EDITOR", "FORCE_COLOR", "VAULTSPEC_TARGET_DIR"))
"""Variables that a verb run for a program does not get."""

_LOOK_SECONDS = 0.05
_DRAIN_SECONDS = 0.2


class Ran(NamedTuple):
    """`exit_code`: negative for a signal, None when the time was over. `truncated`: a stream held more than OUTPUT_BYTES."""

    exit_code: int | None
    stdout: str
    stderr: str
    truncated: bool


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a verb: the server's, marked as one where nobody answers."""
    return {name: value for name, value in environ.items() if name not in EDITORS} | MARKS


def run(words: Sequence[str], root: Path, seconds: float, still_wanted: Callable[[], None]) -> Ran:
    """Run the command line in `root`. `still_wanted` is called again and again; what it raises ends the process and goes on.

    Raises Refusal `invalid-argument` when the system takes no command line of this length, `gateway-unavailable` when it starts nothing.
    """
    child = _start(words, root)
    streams = [_Drain(child.stdout), _Drain(child.stderr)]
    try:
        code = _wait(child, streams, time.monotonic() + seconds, still_wanted)
    except BaseException:
        end_group(child)
        raise
    if code is None:
        end_group(child)
    if not all(stream.ended(_DRAIN_SECONDS) for stream in streams):
        end_group(child)  # the verb is gone and something that it started holds its output open
    out, err = (stream.text() for stream in streams)
    return Ran(code, out, err, any(stream.truncated for stream in streams))


def _start(words: Sequence[str], root: Path) -> subprocess.Popen[bytes]:
    import errno
    import subprocess

    try:
        return subprocess.Popen(
            [sys.executable, *COMMAND_LINE, *words],
            cwd=root,
            env=environment(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **apart(),
        )
    except OSError as error:
        if error.errno == errno.E2BIG:
            raise Refusal("invalid-argument", "the values together are longer than a command line may be") from error
        reason = error.strerror or str(error)
        raise Refusal("gateway-unavailable", f"{sys.executable} cannot be started in {root}: {reason}") from error


def _wait(
    child: subprocess.Popen[bytes], streams: Sequence[_Drain], deadline: float, still_wanted: Callable[[], None]
) -> int | None:
    """The exit code; None when the deadline came first."""
    from subprocess import TimeoutExpired

    while child.poll() is None:
        still_wanted()
        left = min(_LOOK_SECONDS, deadline - time.monotonic())
        if left <= 0:
            return None
        if all(stream.ended(left / 2) for stream in streams):
            try:
                child.wait(left)
            except TimeoutExpired:
                continue
    return child.returncode


class _Drain:
    """Reads a stream to its end in a thread and keeps its beginning."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        assert stream is not None
        self._stream: Any = stream
        self._kept = bytearray()
        self.truncated = False
        self._thread = threading.Thread(target=self._read, name="verb output", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._stream:
            while part := self._stream.read1(1 << 16):
                room = OUTPUT_BYTES - len(self._kept)
                self._kept += part[:room]
                self.truncated = self.truncated or len(part) > room

    def ended(self, seconds: float) -> bool:
        """Whether the stream is at its end, waiting for it this long."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def text(self) -> str:
        """What was kept."""
        return bytes(self._kept).decode("utf-8", "replace").replace("\r\n", "\n")
