"""The protocol stream: the process's own stdin and stdout, taken away from everybody else.

After `claim`, descriptor 0 is the null device and descriptor 1 is stderr, so that nothing that a tool, a library or a child prints can stand
between two frames, and no child reads the client's requests.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_BYTES = 64 << 20
"""The longest line that is read; a longer one is skipped up to its end and refused as a whole."""

_CHUNK_BYTES = 1 << 16


class TooLong(Exception):
    """The client sent a line above LINE_BYTES."""


class Wire:
    """`source`, `sink`: descriptors of the protocol stream."""

    def __init__(self, source: int, sink: int, line_bytes: int = LINE_BYTES) -> None:
        self.source = source
        self.sink = sink
        self.lock = threading.Lock()
        self._line_bytes = line_bytes
        self._read = bytearray()

    @property
    def unread(self) -> bytes:
        """What was read and not yet given out as a line."""
        return bytes(self._read)

    def lines(self) -> Iterator[bytes | TooLong]:
        """Lines without their end, as they come; the last one may lack it. Ends at EOF, or when the client's end is broken."""
        start = 0
        skipping = False
        while True:
            end = self._read.find(b"\n", start)
            if end >= 0:
                line = bytes(self._read[:end])
                del self._read[: end + 1]
                start = 0
                if not skipping:
                    yield line
                skipping = False
                continue
            if len(self._read) > self._line_bytes:
                if not skipping:
                    yield TooLong()
                skipping = True
                self._read.clear()
            start = len(self._read)
            try:
                chunk = os.read(self.source, _CHUNK_BYTES)
            except OSError:
                chunk = b""
            if not chunk:
                break
            self._read += chunk
        if self._read and not skipping:
            yield bytes(self._read)
            self._read.clear()

    def send(self, frame: bytes) -> None:
        """Write a whole frame; frames of several threads never mix. A client that reads no more is no fault: EOF will follow."""
        with self.lock:
            rest = memoryview(frame)
            try:
                while rest:
                    rest = rest[os.write(self.sink, rest) :]
            except OSError:
                return


def claim() -> Wire:
    """Take the protocol stream over. Raises OSError when there are no descriptors to be had."""
    for standard in range(3):
        try:
            os.fstat(standard)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        for handle in (source, sink):
            msvcrt.setmode(handle, os.O_BINARY)
    return Wire(source, sink)


def note(text: str) -> None:
    """One line of log on stderr, if there is one."""
    with suppress(OSError):
        os.write(2, f"vaultspec-core-mcp: {text}\n".encode("utf-8", "replace"))
