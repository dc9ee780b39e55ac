"""Is workspace.json readable, of a schema that is known, and does it record how core is run?"""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.report import Refusal
from vaultspec_core.workspace import FRAMEWORK

from .. import declaration as declarations
from ..finding import ERROR, WARNING, Code, Finding
from ..mode import CORE
from ..probe import Patient, Probe

FILE = f"{FRAMEWORK}/{declarations.FILE}"

BAD = Code(
    "bad-workspace-record",
    ERROR,
    "The committed record of the workspace cannot be read, so that nothing that depends on it can be judged.",
    "Correct the key at the line that the message names.",
    '.vaultspec/workspace.json:4: /packages/vaultspec-core/install_mode is "toll"; allowed: "tool", "dependency" or "dev"',
)
NEWER = Code(
    "workspace-newer",
    WARNING,
    "The record follows a later schema than this release knows. It is read as far as it goes and never written.",
    "Use the release that wrote it, or a later one.",
    ".vaultspec/workspace.json has schema_version 3.0, newer than 2.2",
)
UNRECORDED = Code(
    "mode-unrecorded",
    WARNING,
    "The workspace was set up before install modes existed: how its server is launched is inferred, not recorded.",
    "Upgrade once; the mode is inferred from how the workspace runs already, and recorded.",
    ".vaultspec/workspace.json records no install mode of vaultspec-core",
)


def look(patient: Patient) -> Iterable[Finding]:
    try:
        declaration = declarations.load(patient.root, patient.read)
    except Refusal as refusal:
        yield BAD.found(refusal.message, FILE, refusal.hint, refusal.data.get("line"))
        return
    if declaration.newer:
        said = declaration.document["schema_version"]
        yield NEWER.found(
            f"{FILE} has schema_version {said}, newer than {declarations.SCHEMA}",
            FILE,
            "uvx vaultspec-core@latest spec doctor",
        )
    if declaration.package(CORE) is None:
        yield UNRECORDED.found(f"{FILE} records no install mode of {CORE}", FILE, "vaultspec-core install --upgrade")


PROBE = Probe(20, (BAD, NEWER, UNRECORDED), look)
