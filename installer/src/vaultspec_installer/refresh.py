"""Refresh the launches that are provably as we left them, and tell each: what a converging command does to clients' files.

Apart from the question whether there is anything to refresh, which every command asks and which must cost little.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vaultspec_core.files import Disk
from vaultspec_core.migration import Applied
from vaultspec_providers.contract import Scope

from .decide import Wish, is_refresh
from .enrollment import carry_out
from .narrate import item_data, warnings
from .reconcile import Action, Command
from .target import ALL


def refresh(root: Path, environ: Mapping[str, str], disk: Disk) -> Applied:
    """Refresh them at project scope. A host file that cannot be read or written is a warning; the others are refreshed."""
    result = carry_out(root, environ, Scope.PROJECT, ALL, Wish(Command.CONVERGE), disk)
    rows = [item_data(decision, root) for decision in result.decisions if is_refresh(decision)]
    refreshed = [{key: value for key, value in row.items() if key != "outcome"} for row in rows]
    faults = [fault.message for _, fault in result.faults]
    left = len(faults) + sum(decision.action is Action.SKIP for decision in result.decisions)
    told = [*faults, *warnings(result)]
    return Applied(f"refreshed {len(refreshed)}, left {left} as they were", refreshed, told)
