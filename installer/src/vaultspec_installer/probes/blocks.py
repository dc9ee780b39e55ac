"""Are our blocks in `.gitignore` and `.gitattributes` whole?"""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Disk
from vaultspec_core.report import Refusal

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
UNREADABLE = Code(
    "block-unreadable",
    WARNING,
    "The file that a marked block belongs into cannot be read.",
    "Make it a regular file that you may read.",
    ".gitignore is not a regular file",
)


def look(patient: Patient) -> Iterable[Finding]:
    if patient.declaration is None:
        return
    for part in LINES:
        if patient.opted_out(part):
            continue
        command = f"vaultspec-core spec {part} enable"
        try:
            row = converge_part(Changeset(Disk()), patient.root, part, patient.declaration)
        except Refusal as refusal:
            yield UNREADABLE.found(refusal.message, f".{part}", f"ls -l .{part}")
            continue
        if row.outcome != "unchanged":
            yield INCOMPLETE.found(f"{row.path}: the block of vaultspec is missing or incomplete", row.path, command)


PROBE = Probe(70, (INCOMPLETE, UNREADABLE), look)
