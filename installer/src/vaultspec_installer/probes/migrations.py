"""Does anything stand here that an earlier release left and a migration would bring up to date?"""

from __future__ import annotations

from collections.abc import Iterable

from ..finding import WARNING, Code, Finding
from ..migrating import pending
from ..probe import Patient, Probe

PENDING = Code(
    "pending-migration",
    WARNING,
    "An earlier release left something that this one would write otherwise.",
    "Run the migrations.",
    "launch_convergence is pending: entries of earlier releases get today's launch",
)


def look(patient: Patient) -> Iterable[Finding]:
    for migration in pending(patient.root, patient.environ):
        yield PENDING.found(
            f"{migration.name} is pending: {migration.summary}", command="vaultspec-core migrations run"
        )


PROBE = Probe(60, (PENDING,), look)
