"""How far a run of the suite is: rounds whose number nobody knows beforehand, told now and then."""

from __future__ import annotations

from vaultspec_core.tool import Progress

EVERY = 50
"""So many steps are told as one; between them the run can still be cancelled."""


class Pace:
    """What was done never falls; the total grows with each round. `progress` may raise Cancelled at any step."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._done = 0
        self._total = 0

    def begin(self, steps: int) -> None:
        """So many steps follow."""
        self._total += steps

    def step(self, message: str) -> None:
        """One of them is about to be done."""
        self._done += 1
        if self._done % EVERY == 0 or self._done == self._total:
            self._progress(self._done, self._total, message)
        else:
            self._progress(0, 0, "")
