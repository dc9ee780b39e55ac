"""How healthy is the vault? The findings themselves are those of `vault check all`."""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.checks.contract import ERROR as FAULT
from vaultspec_core.checks.contract import WARNING as REMARK
from vaultspec_core.checks.registry import suite
from vaultspec_core.checks.run import examined
from vaultspec_core.report import Refusal
from vaultspec_core.vault.snapshot import Snapshot
from vaultspec_core.vault.vault import Vault
from vaultspec_core.workspace import VAULT

from ..finding import INFO, WARNING, Code, Finding
from ..probe import Patient, Probe

FAULTS = Code(
    "vault-unhealthy",
    WARNING,
    "The check of the vault has errors.",
    "Let it repair what it can, and see what is left.",
    "the vault has 2 errors and 1 warning",
)
REMARKS = Code(
    "vault-remarks",
    INFO,
    "The check of the vault has warnings and no errors.",
    "See what they are.",
    "the vault has 3 warnings",
)
UNUSABLE = Code(
    "vault-unusable",
    WARNING,
    "The vault cannot be opened.",
    "Mend what the message names.",
    "/home/me/project/.vault is a link that leaves the workspace",
)


def look(patient: Patient) -> Iterable[Finding]:
    if not (patient.root / VAULT).is_dir():
        return
    try:
        vault = Vault.open(patient.root, snapshot=Snapshot(patient.root, patient.environ))
        rows = examined(vault, suite())
    except Refusal as refusal:
        yield UNUSABLE.found(refusal.message, VAULT, refusal.hint)
        return
    faults, remarks = (sum(row.count(severity) for row in rows) for severity in (FAULT, REMARK))
    if faults:
        more = f" and {_counted(remarks, 'warning')}" if remarks else ""
        yield FAULTS.found(
            f"the vault has {_counted(faults, 'error')}{more}", VAULT, "vaultspec-core vault check all --fix"
        )
    elif remarks:
        yield REMARKS.found(f"the vault has {_counted(remarks, 'warning')}", VAULT, "vaultspec-core vault check all")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


PROBE = Probe(150, (FAULTS, REMARKS, UNUSABLE), look)
