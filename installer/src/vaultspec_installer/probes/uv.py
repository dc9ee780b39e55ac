"""Will clients find `uv` and `uvx`, which every launch of ours starts with?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from ..finding import WARNING, Code, Finding
from ..launched import launched
from ..probe import Patient, Probe

MISSING = Code(
    "uv-missing",
    WARNING,
    "The launches of this workspace start with `uv` or `uvx`, and there is none on this machine.",
    "Install uv; https://docs.astral.sh/uv/getting-started/installation/ says how.",
    "client.json: vaultspec-core is launched by uvx, which is not on PATH",
)
OFF_PATH = Code(
    "uv-not-on-path",
    WARNING,
    "uv is installed in a folder that is not on PATH. A client that is started from a desktop, not from your shell, will not find it.",
    "Put the folder on PATH for good and restart the client. Committed files are never given an absolute path of one machine.",
    "client.json: vaultspec-core is launched by uvx, which is not on PATH; it is /home/me/.local/bin/uvx",
)
FOLDERS = (".local/bin", ".cargo/bin")
"""Where its installers put uv, below the home folder."""


def look(patient: Patient) -> Iterable[Finding]:
    told: set[str] = set()
    for entry in launched(patient):
        command = entry.launch.command
        if command not in ("uv", "uvx") or command in told or shutil.which(command, path=patient.environ.get("PATH")):
            continue
        told.add(command)
        said = f"{entry.file}: {entry.name} is launched by {command}, which is not on PATH"
        place = _off_path(patient, command)
        if place is None:
            yield MISSING.found(said, entry.file, "curl -LsSf https://astral.sh/uv/install.sh | sh")
        else:
            yield OFF_PATH.found(f"{said}; it is {place}", entry.file, f"{place.parent / 'uv'} tool update-shell")


def _off_path(patient: Patient, command: str) -> Path | None:
    home = patient.environ.get("HOME") or patient.environ.get("USERPROFILE") or ""
    folders = os.pathsep.join(str(Path(home) / folder) for folder in FOLDERS) if home else ""
    found = shutil.which(command, path=folders) if folders else None
    return Path(found) if found else None


PROBE = Probe(90, (MISSING, OFF_PATH), look)
