"""Is this release at least what the workspace asks for?"""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.workspace import FRAMEWORK

from .._version import __version__
from ..declaration import FILE, floor_refusal
from ..finding import ERROR, Code, Finding
from ..mode import CORE
from ..probe import Patient, Probe

BELOW = Code(
    "below-floor",
    ERROR,
    "The workspace needs a later release than the one that is running. Commands that write refuse until then.",
    "Upgrade, in the way of the recorded install mode.",
    "this workspace needs vaultspec-core 9.0 or later; this is 1.0.0",
)


def look(patient: Patient) -> Iterable[Finding]:
    if patient.declaration is not None:
        refusal = floor_refusal(patient.declaration, CORE, __version__)
        if refusal is not None:
            yield BELOW.found(refusal.message, f"{FRAMEWORK}/{FILE}", refusal.hint)


PROBE = Probe(25, (BELOW,), look)
