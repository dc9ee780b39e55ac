"""What would the launch line serve: which version of which package, and from where?

Only launches through `uvx` ask a program, and that one answers from its cache alone: nothing is downloaded. What it cannot tell
is said to be unknown.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from typing import NamedTuple

from vaultspec_providers.contract import Launch

from ..finding import ERROR, INFO, Code, Finding
from ..launched import Launched, launched
from ..probe import Patient, Probe
from ..secrets import redact_word

SERVES = Code(
    "launch-serves",
    INFO,
    "What a client would start now.",
    "Nothing must be done.",
    "client.json: vaultspec-core serves vaultspec-core 1.0.0 from /home/me/.cache/uv/archive-v0/a1b2c3/lib/python3.12/site-packages",
)
UNKNOWN = Code(
    "launch-unknown",
    INFO,
    "What a client would start cannot be told without the network: it is in no cache of this machine yet. That is not a sign that all is well.",
    "Start it once, which fetches it.",
    "client.json: what vaultspec-core would serve is unknown",
)
OLD = Code(
    "launch-below-floor",
    ERROR,
    "The launch line would serve an older version than the workspace asks for, mostly from a cache.",
    "Fetch the version anew and restart the client.",
    "client.json: vaultspec-core would serve vaultspec-core 0.9.0, and the workspace needs 1.0.0",
)
SCRIPT = (
    "import importlib.metadata as m, json, sys; d = m.distribution(sys.argv[1]); "
    "print(json.dumps([d.version, str(d.locate_file(''))]))"
)
SECONDS = 15


class Served(NamedTuple):
    """What a launch starts. `place`: the folder that the package is imported from."""

    version: str
    place: str


def look(patient: Patient) -> Iterable[Finding]:
    asked: set[tuple[str, str]] = set()
    for entry in launched(patient):
        requirement = _requirement(entry.launch)
        if entry.package is None or requirement is None:
            continue
        if (requirement, entry.package) in asked:
            continue
        asked.add((requirement, entry.package))
        served = _ask(patient, requirement, entry.package) if _from_an_index(patient, requirement) else None
        if served is None:
            yield UNKNOWN.found(
                f"{entry.file}: what {entry.name} would serve is unknown",
                entry.file,
                f"uvx --from '{redact_word(requirement)}' {entry.package} --version",
            )
        else:
            yield _judged(patient, entry, requirement, served)


def _judged(patient: Patient, entry: Launched, requirement: str, served: Served) -> Finding:
    from packaging.version import InvalidVersion, Version

    record = patient.declaration.package(entry.package or "") if patient.declaration else None
    floor = record.minimum_version if record else None
    try:
        old = floor is not None and Version(served.version) < Version(floor)
    except InvalidVersion:
        old = False
    if old:
        return OLD.found(
            f"{entry.file}: {entry.name} would serve {entry.package} {served.version}, and the workspace needs {floor}",
            entry.file,
            f"uvx --refresh --from '{redact_word(requirement)}' {entry.package} --version",
        )
    said = f"{entry.file}: {entry.name} serves {entry.package} {served.version} from {served.place}"
    return SERVES.found(said, entry.file)


def _requirement(launch: Launch) -> str | None:
    """What a launch gives to `uvx --from`."""
    ours = launch.command == "uvx" and len(launch.args) > 2 and launch.args[0] == "--from"
    return launch.args[1] if ours else None


def _from_an_index(patient: Patient, requirement: str) -> bool:
    """Whether it names a package and no file or address: what the workspace itself brings may run code as soon as Python starts beside it."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        return Requirement(requirement).url is None and not (patient.root / requirement).is_file()
    except (InvalidRequirement, OSError, ValueError):
        return False


def _ask(patient: Patient, requirement: str, package: str) -> Served | None:
    """What the environment of the requirement holds. Nothing is built, Python is isolated and the workspace is not the current folder, so that no code of it runs."""
    import subprocess

    uvx = shutil.which("uvx", path=patient.environ.get("PATH"))
    if uvx is None:
        return None
    options = ["--offline", "--no-build", "--quiet", f"--from={requirement}"]
    command = [uvx, *options, "python", "-I", "-c", SCRIPT, package]
    try:
        answer = subprocess.run(
            command,
            cwd=os.sep,
            env=dict(patient.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        version, place = json.loads(answer.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return Served(version, place)


PROBE = Probe(100, (SERVES, UNKNOWN, OLD), look)
