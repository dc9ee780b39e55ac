"""The journal of changes that touch several documents of a vault, and finishing one that was cut short before anything else is written there."""

from __future__ import annotations

from pathlib import Path

from vaultspec_core.transaction import recover
from vaultspec_core.vault import names
from vaultspec_core.vault.vault import Vault


def journal(vault: Vault) -> Path:
    """Where a change of several documents is written down while it is made."""
    return vault.path(f"{names.VAULT}/data/records.json")


def settle(vault: Vault) -> None:
    """Finish what was left half done. The caller holds the vault's lock and refreshes afterwards. Raises Refusal `bad-journal`, `half-done`."""
    recover(vault.disk, journal(vault))
