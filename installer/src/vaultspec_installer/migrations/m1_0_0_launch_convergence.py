"""Entries that we wrote and nobody edited get the launch of this release.

The verdicts are those of every other command; what convergence does about them is a column of the same table. It adds
nothing, and a workspace without recorded enrollment, or one that is opted out, has nothing that it could refresh.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vaultspec_core.migration import Migration, Read
from vaultspec_providers.contract import Scope

from ..reconcile import Action, Command, action
from ..survey import ownership_path, survey
from ..target import ALL

MIGRATION = Migration(
    "launch_convergence",
    "1.0.0",
    "environment",
    "Refresh the launches of owned entries that nobody has edited.",
    f"{__name__}:needed",
    "vaultspec_installer.refresh:refresh",
)


def needed(root: Path, environ: Mapping[str, str], read: Read) -> bool:
    """Whether an owned, untouched entry differs from what this release would write. False in a workspace of a later release."""
    if read(ownership_path(root, Scope.PROJECT, environ)) is None:
        return False
    found = survey(root, environ, Scope.PROJECT, ALL, read)
    return not found.declaration.newer and any(
        action(item.side, Command.CONVERGE, force=False) is Action.WRITE
        for surveyed in found.targets
        for item in surveyed.items
    )
