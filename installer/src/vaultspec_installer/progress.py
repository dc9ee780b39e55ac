"""How far a long run is, on one line of a terminal's stderr; silent anywhere else and for whatever ends soon."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import IO

QUIET_SECONDS = 0.5
_ERASE = "\r\x1b[K"


class Progress:
    """Call it with `done`, `total` and a word on what is being done; a total of 0 is shown as nothing. `clear` takes the line away."""

    def __init__(self, stream: IO[str], environ: Mapping[str, str]) -> None:
        self._stream = stream
        self._drawn = False
        self._last = time.monotonic()
        self._wanted = environ.get("TERM") != "dumb" and stream.isatty()

    def __call__(self, done: int, total: int, message: str) -> None:
        now = time.monotonic()
        if not self._wanted or not total or now - self._last < (0.1 if self._drawn else QUIET_SECONDS):
            return
        self._last, self._drawn = now, True
        self._stream.write(f"{_ERASE}{done}/{total} {message[:60]}")
        self._stream.flush()

    def clear(self) -> None:
        """Leave the terminal as it was."""
        if self._drawn:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._drawn = False
