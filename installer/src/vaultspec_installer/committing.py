"""Write what is composed from files as they are; when another program changes one of them meanwhile, compose again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Change, Changed, Disk
from vaultspec_core.report import Refusal

T = TypeVar("T")
RETRY_SECONDS = 30.0


def composed(compose: Callable[[Changeset], T]) -> tuple[T, list[Change]]:
    """What `compose` makes of the files as they are, and the changes that it asks for; nothing is written."""
    files = Changeset(Disk())
    made = compose(files)
    return made, files.changes()


def committed(compose: Callable[[Changeset], T]) -> tuple[T, list[Change]]:
    """The same, written. The caller holds the lock. Raises Refusal `host-file-busy` when a file never keeps still."""

    def attempt() -> tuple[T, list[Change]]:
        files = Changeset(Disk())
        made = compose(files)
        return made, files.commit()

    return until_still(attempt)


def until_still(attempt: Callable[[], T]) -> T:
    """What `attempt` gives, made again from the files as they are each time that another program changes one of them.

    Raises Refusal `host-file-busy` when one has not kept still for RETRY_SECONDS.
    """
    deadline = time.monotonic() + RETRY_SECONDS
    while True:
        try:
            return attempt()
        except Changed as moved:
            if time.monotonic() > deadline:
                raise Refusal(
                    "host-file-busy",
                    f"{moved.path} kept changing for {RETRY_SECONDS:g} s",
                    "Close the program that writes it and run the command again.",
                ) from moved
