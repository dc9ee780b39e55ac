"""Are our blocks in `.gitignore` and `.gitattributes` whole?"""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Disk

from ..blocks import LINES, converge_part
from ..finding import WARNING, Code, Finding
from ..probe import Patient, Probe

INCOMPLETE = Code(
    "block-incomplete",
    WARNING,
    "A marked block of vaultspec's is missing, or lacks lines: records of this machine could be committed, or ledgers not merged.",
    "Enable the block again; lines of yours stay as they are. To do without it, disable it.",
    ".gitignore: the block of vaultspec is missing or incomplete",
)
KEPT = Code(
    "block-kept",
    WARNING,
    "The file cannot be given the block, and so it is left as it is.",
    "Mend what the message names; or disable the block.",
    "/home/me/project/.gitignore is a folder, not a file",
)


def look(patient: Patient) -> Iterable[Finding]:
    if patient.declaration is None:
        return
    for part in LINES:
        if patient.opted_out(part):
            continue
        row = converge_part(Changeset(Disk()), patient.root, part, patient.declaration)
        if row.outcome == "kept":
            yield KEPT.found(row.reason, row.path, f"vaultspec-core spec {part} disable")
        elif row.outcome != "unchanged":
            said = f"{row.path}: the block of vaultspec is missing or incomplete"
            yield INCOMPLETE.found(said, row.path, f"vaultspec-core spec {part} enable")


PROBE = Probe(70, (INCOMPLETE, KEPT), look)
