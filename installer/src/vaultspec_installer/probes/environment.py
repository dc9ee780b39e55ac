"""In dependency and dev mode: is the project's environment prepared, which `uv run --no-sync` needs?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from vaultspec_core.report import Refusal

from ..finding import ERROR, INFO, Code, Finding
from ..launched import Launched, launched
from ..mode import Mode, canonical
from ..probe import Patient, Probe

MISSING = Code(
    "environment-missing",
    ERROR,
    "The server runs in the project's own environment, and there is none. It is started without preparing one, so that a client never waits for that.",
    "Prepare the environment.",
    "client.json: vaultspec-core runs in the project's environment, and there is no .venv",
)
LACKS = Code(
    "environment-lacks-package",
    ERROR,
    "The project's environment does not hold the package of the server.",
    "Add the package to the project; that installs it as well.",
    ".venv does not hold vaultspec-core",
)
OLD = Code(
    "environment-below-floor",
    ERROR,
    "The project's environment holds an older version than the workspace asks for.",
    "Raise the dependency; that installs it as well.",
    ".venv holds vaultspec-core 0.9.0, and the workspace needs 1.0.0",
)
HOLDS = Code(
    "environment-serves",
    INFO,
    "What a client would start now.",
    "Nothing must be done.",
    "client.json: vaultspec-core serves vaultspec-core 1.0.0 from .venv",
)
PYTHON = Code(
    "environment-python-old",
    ERROR,
    "The project's environment has a Python that the server does not run on.",
    "Prepare the environment with a later Python.",
    ".venv has Python 3.10.12; vaultspec-core needs 3.11 or later",
)
OLDEST = (3, 11)


def look(patient: Patient) -> Iterable[Finding]:
    told: set[str] = set()
    for entry in launched(patient):
        if entry.package is None or entry.package in told or entry.launch.command != "uv":
            continue
        told.add(entry.package)
        place = environment_of(patient)
        if not (place / "pyvenv.cfg").is_file():
            yield MISSING.found(
                f"{entry.file}: {entry.name} runs in the project's environment, and there is no {patient.said(place)}",
                patient.said(place),
                "uv sync",
            )
            return
        yield from _python(patient, place)
        yield _package(patient, place, entry, entry.package)


def environment_of(patient: Patient) -> Path:
    """The folder that `uv run` takes: as configured, else `.venv` beside the nearest project file."""
    named = patient.environ.get("UV_PROJECT_ENVIRONMENT")
    if named:
        return patient.root / named
    folders = (patient.root, *patient.root.parents)
    project = next((one for one in folders if (one / "pyproject.toml").is_file()), patient.root)
    home = next((one for one in (project, *project.parents) if (one / ".venv/pyvenv.cfg").is_file()), project)
    return home / ".venv"


def _python(patient: Patient, place: Path) -> Iterable[Finding]:
    try:
        text = (patient.read(place / "pyvenv.cfg") or b"").decode("utf-8", "replace")
    except Refusal:
        return
    match = re.search(r"^version(?:_info)?\s*=\s*((\d+)\.(\d+)\S*)", text, re.MULTILINE)
    if match and (int(match[2]), int(match[3])) < OLDEST:
        yield PYTHON.found(
            f"{patient.said(place)} has Python {match[1]}; vaultspec-core needs 3.11 or later",
            patient.said(place),
            "uv venv --clear --python 3.12 && uv sync",
        )


def _package(patient: Patient, place: Path, entry: Launched, package: str) -> Finding:
    from packaging.version import InvalidVersion, Version

    shown = patient.said(place)
    record = patient.declaration.package(package) if patient.declaration else None
    floor = record.minimum_version if record else None
    add = f"uv add {'--dev ' if record and record.mode is Mode.DEV else ''}'{package}{f'>={floor}' if floor else ''}'"
    version = _version(place, package)
    if version is None:
        return LACKS.found(f"{shown} does not hold {package}", shown, add)
    try:
        old = floor is not None and Version(version) < Version(floor)
    except InvalidVersion:
        old = False
    if old:
        return OLD.found(f"{shown} holds {package} {version}, and the workspace needs {floor}", shown, add)
    return HOLDS.found(f"{entry.file}: {entry.name} serves {package} {version} from {shown}", entry.file)


def _version(place: Path, package: str) -> str | None:
    """The version that is installed, told by the name of its metadata folder."""
    for metadata in [
        *place.glob("lib/python3*/site-packages/*.dist-info"),
        *place.glob("Lib/site-packages/*.dist-info"),
    ]:
        name, _, version = metadata.name.removesuffix(".dist-info").partition("-")
        if canonical(name) == package:
            return version
    return None


PROBE = Probe(110, (MISSING, LACKS, OLD, HOLDS, PYTHON), look)
