"""Are the files there that vaultspec put into the workspace, and does this machine know what is installed?"""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.report import Refusal
from vaultspec_core.workspace import FRAMEWORK, VAULT

from .. import manifest as manifests
from ..definition import BUILT_IN_SUFFIX
from ..digest import digest
from ..finding import ERROR, INFO, WARNING, Code, Finding
from ..framework import recorded
from ..probe import Patient, Probe

FILE = f"{FRAMEWORK}/{manifests.FILE}"

NO_VAULT = Code(
    "no-vault",
    WARNING,
    "The workspace has no vault, so that no tool of the server has anything to work on.",
    "Install again; that makes the folders of the vault and changes no document.",
    "there is no .vault in this workspace",
)
BAD_MANIFEST = Code(
    "bad-manifest",
    ERROR,
    "This machine's record of what is installed cannot be read.",
    "Delete it and let an upgrade write it anew.",
    "/home/me/project/.vaultspec/providers.json is not JSON",
)
NOT_HERE = Code(
    "not-installed-here",
    INFO,
    "The workspace came from a clone and was never installed on this machine. Clients are told from their project files.",
    "Install it, so that your own clients are enrolled.",
    "this machine has no record of an installation",
)
BUNDLED_MISSING = Code(
    "bundled-file-missing",
    WARNING,
    "A file that vaultspec brought is gone.",
    "Upgrade; missing files are written again.",
    ".vaultspec/templates/adr.md was written by vaultspec and is gone",
)
BUNDLED_CHANGED = Code(
    "bundled-file-changed",
    INFO,
    "A bundled definition was edited. An upgrade will move your version to the name without `.builtin`, which wins over it.",
    "Nothing must be done; to have the move now, upgrade.",
    ".vaultspec/mcps/vaultspec-core.builtin.json differs from what vaultspec wrote",
)
UPGRADE = "vaultspec-core install --upgrade"


def look(patient: Patient) -> Iterable[Finding]:
    if not (patient.root / VAULT).is_dir() and not patient.opted_out("core"):
        yield NO_VAULT.found(f"there is no {VAULT} in this workspace", VAULT, UPGRADE)
    try:
        manifest = manifests.load_manifest(patient.root, patient.read)
    except Refusal as refusal:
        yield BAD_MANIFEST.found(refusal.message, FILE, f"rm {FILE} && {UPGRADE}")
        return
    if not manifest.present:
        yield NOT_HERE.found("this machine has no record of an installation", FILE, "vaultspec-core install")
    for name, mark in recorded(manifest).items():
        try:
            data = patient.read(patient.root / name)
        except Refusal:
            continue
        if data is None:
            yield BUNDLED_MISSING.found(f"{name} was written by vaultspec and is gone", name, UPGRADE)
        elif name.endswith(BUILT_IN_SUFFIX) and digest(data) != mark:
            yield BUNDLED_CHANGED.found(f"{name} differs from what vaultspec wrote", name, UPGRADE)


PROBE = Probe(10, (NO_VAULT, BAD_MANIFEST, NOT_HERE, BUNDLED_MISSING, BUNDLED_CHANGED), look)
