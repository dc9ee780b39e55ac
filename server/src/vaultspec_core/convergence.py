"""The hook by which a command that writes documents lets the rest of the product converge first.

Whoever installs the product registers a function in the entry point group `vaultspec.convergence`; it is looked up only here,
when a converging command runs, so that the server needs no import of the installer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.files import Disk

GROUP = "vaultspec.convergence"


class Converged(NamedTuple):
    """`schema_error`: why documents cannot be placed now; None when they can. `converged`: what was refreshed, one row each
    (name, file, from, to, reason). `warnings`: host files that could not be."""

    schema_error: str | None = None
    converged: list[dict[str, Any]] = []
    warnings: list[str] = []


Hook = Callable[[Path, Disk], Converged]
"""Takes the workspace and the disk to write through: that of a dry run only remembers."""


@cache
def _hooks() -> tuple[Hook, ...]:
    from importlib.metadata import entry_points

    return tuple(point.load() for point in entry_points(group=GROUP))


def converge(root: Path, disk: Disk) -> Converged:
    """Run every registered hook on the workspace; the first schema error ends it."""
    rows: list[dict[str, Any]] = []
    warnings: list[str] = []
    for hook in _hooks():
        said = hook(root, disk)
        if said.schema_error is not None:
            return said
        rows += said.converged
        warnings += said.warnings
    return Converged(None, rows, warnings)
