"""Our part of `vaultspec_core.convergence`: what writes documents runs the pending migrations first.

Registered in the entry point group that the server reads; it is the only way from there to here.
"""

from __future__ import annotations

import os
from pathlib import Path

from vaultspec_core.convergence import Converged
from vaultspec_core.files import Disk
from vaultspec_core.report import Refusal

from .migrating import pending, run


def converge(root: Path, disk: Disk) -> Converged:
    """Run them. What decides where documents go and fails is a `schema_error`; whatever else fails is a warning."""
    try:
        ran = run(root, os.environ, disk)
    except Refusal as refusal:
        blocked = any(one.reach == "placement" for one in pending(root, os.environ, disk.read))
        return Converged(refusal.message) if blocked else Converged(warnings=[refusal.message])
    told = Converged(None, [], [])
    for one in ran:
        if one.refusal is not None and one.migration.reach == "placement":
            return told._replace(schema_error=one.refusal.message)
        if one.refusal is not None:
            told.warnings.append(f"{one.migration.name}: {one.refusal.message}")
        if one.applied is not None:
            told.converged.extend(one.applied.refreshed)
            told.warnings.extend(one.applied.warnings)
    return told
