"""How the process ends: it lets the calls under way finish or stop at a whole write, and leaves at once, without taking the interpreter down.

A process cannot end otherwise while a call holds the main thread, and taking the interpreter down costs half a second.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from vaultspec_core.mcp_server.calls import InFlight
    from vaultspec_core.mcp_server.wire import Wire

ANSWER_SECONDS = 0.8
"""After EOF, calls may still be answered for this long: a shell pipeline ends its input before it has read."""

STOP_SECONDS = 0.6
"""A cancelled call gets this long to stop between two writes. Both together stay below the two seconds that an end may take."""

_FRAME_SECONDS = 0.1


class Ending:
    """The one way out. The first reason decides the exit code."""

    def __init__(self, in_flight: InFlight, wire: Wire) -> None:
        self._in_flight = in_flight
        self._wire = wire
        self._begun = threading.Lock()

    def input_ended(self) -> None:
        """The client closed its end: answer what is under way, then leave with 0."""
        self._in_flight.idle.wait(ANSWER_SECONDS)
        self.leave(0)

    def leave(self, code: int) -> None:
        """Cancel every call, wait until they have stopped, end the process. Never returns to the first caller."""
        if not self._begun.acquire(blocking=False):
            return
        self._in_flight.cancel_all()
        self._in_flight.idle.wait(STOP_SECONDS)
        self._wire.lock.acquire(timeout=_FRAME_SECONDS)  # no torn frame
        if sys.stderr is not None:
            with suppress(OSError, ValueError):
                sys.stderr.flush()
        os._exit(code)

    def on_signals(self) -> None:
        """End on SIGTERM and SIGINT, with 143 and 130."""
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._signalled)

    def _signalled(self, signum: int, stack: object) -> None:
        # A thread waits, since the main thread may be in the middle of the very write that has to be finished.
        threading.Thread(target=self.leave, args=(128 + signum,), daemon=True).start()
