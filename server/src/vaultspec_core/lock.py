"""One advisory lock per workspace, per vault and per user, on the folder itself, so that no lock file is left anywhere.

The order is workspace, then user; a vault's lock is taken alone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vaultspec_core.report import Refusal

WAIT_SECONDS = 30.0
_PAUSE_SECONDS = 0.01


@contextmanager
def hold(folder: Path, wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the folder's lock. Raises Refusal `busy` when it does not come free in time; the lock ends with the process."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        _acquire(handle, folder, wait_seconds)
        yield
    finally:
        os.close(handle)


def _acquire(handle: int, folder: Path, wait_seconds: float) -> None:
    import fcntl

    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise Refusal(
                    "busy",
                    f"another vaultspec command has been working on {folder} for {wait_seconds:g} s",
                    "Wait until it has ended, then run the command again.",
                ) from None
            time.sleep(_PAUSE_SECONDS)
