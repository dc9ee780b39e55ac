"""Is one name reachable through several scopes or files with different launches, so that another server may win?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultspec_core.report import Refusal
from vaultspec_providers.contract import HostFileError, Scope, Surroundings

from ..finding import WARNING, Code, Finding
from ..launch import same_launch
from ..probe import Patient, Probe
from ..shadowing import shadowed
from ..survey import Survey, TargetSurvey
from ..target import locate

SCOPES = Code(
    "launch-shadowed",
    WARNING,
    "A client finds the name at two scopes, with different launches, and takes one of them.",
    "Take out the one that you do not mean, or make both say the same.",
    "vaultspec-core: /home/me/client.json (user scope) launches something else under the same name",
)
ABOVE = Code(
    "launch-shadowed-above",
    WARNING,
    "A project file in a folder above holds the name with another launch. A client that is started there, or that looks in parents, takes that one.",
    "Take the entry out of that file, or make both say the same.",
    "vaultspec-core: /home/me/client.json, above this workspace, launches something else under the same name",
)


def look(patient: Patient) -> Iterable[Finding]:
    found = patient.scopes[Scope.PROJECT]
    if isinstance(found, Refusal):
        return
    for row in shadowed(found, patient.environ, patient.read):
        scope = row["scopes"][1]
        yield SCOPES.found(row["message"], row["file"], f"vaultspec-core spec mcps diff --scope {scope} --force")
    for surveyed in found.targets:
        yield from _above(patient, found, surveyed)


def _above(patient: Patient, found: Survey, surveyed: TargetSurvey) -> Iterator[Finding]:
    """The client's project file of every folder above the workspace."""
    provider = surveyed.target.provider
    here = {
        item.name: item.actual_launch
        for item in surveyed.items
        if item.name in found.definitions.valid and item.actual_launch is not None
    }
    for folder in patient.root.parents if here else ():
        try:
            there = locate(provider, Scope.PROJECT, Surroundings(folder, found.home, patient.environ))
            data = patient.read(there.path)
            entries = there.format.read(data).entries if data is not None else {}
        except (Refusal, HostFileError):
            continue
        for name, launch in here.items():
            other = provider.launch(entries.get(name))
            if name in entries and (other is None or not same_launch(other, launch)):
                yield ABOVE.found(
                    f"{name}: {there.shown}, above this workspace, launches something else under the same name",
                    str(there.shown),
                )


PROBE = Probe(130, (SCOPES, ABOVE), look)
