"""Write what is composed from files as they are; when another program changes one of them meanwhile, compose again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Change, Changed, Disk
from vaultspec_core.report import Refusal

T = TypeVar("T")
ATTEMPTS = 50


def composed(compose: Callable[[Changeset], T]) -> tuple[T, list[Change]]:
    """What `compose` makes of the files as they are, and the changes that it asks for; nothing is written."""
    files = Changeset(Disk())
    made = compose(files)
    return made, files.changes()


def committed(compose: Callable[[Changeset], T]) -> tuple[T, list[Change]]:
    """The same, written. The caller holds the lock. Raises Refusal `host-file-busy` when a file never keeps still."""
    for _ in range(ATTEMPTS):
        files = Changeset(Disk())
        made = compose(files)
        try:
            return made, files.commit()
        except Changed as moved:
            path = moved.path
    raise Refusal(
        "host-file-busy",
        f"{path} kept changing while it was being written",
        "Close the program that writes it and run the command again.",
    )
