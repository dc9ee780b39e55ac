"""Lets the other threads in while one holds the interpreter for long, as a regular expression does.

A matching regular expression looks for signals but never gives the interpreter away. So a timer interrupts the main thread while it runs a
tool, and its handler sleeps for an instant: the reader answers pings, the watchdog and the end of the input are seen.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EVERY_SECONDS = 0.1
_FOR_SECONDS = 0.001


@contextmanager
def kept() -> Iterator[None]:
    """Within it, the main thread breathes. Elsewhere, and where there is no such timer, it changes nothing."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGALRM, _breathe)
    signal.setitimer(signal.ITIMER_REAL, _EVERY_SECONDS, _EVERY_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _breathe(signum: int, stack: object) -> None:
    time.sleep(_FOR_SECONDS)
