"""The launches that clients of this workspace really hold: what the probes about uv, environments and modules look at."""

from __future__ import annotations

from typing import NamedTuple

from vaultspec_providers.contract import Launch

from .definition import Definition
from .launch import CORE_MODULE
from .mode import CORE, canonical
from .probe import Patient


class Launched(NamedTuple):
    """One entry of a definition in a host file. `package` and `module`: what it should start; None for a server of another kind."""

    name: str
    file: str
    launch: Launch
    package: str | None
    module: str | None


def launched(patient: Patient) -> list[Launched]:
    """Every entry with the name of a valid definition, in the order of the host files."""
    found: list[Launched] = []
    for survey, surveyed in patient.targets:
        for item in surveyed.items:
            definition = survey.definitions.valid.get(item.name)
            if definition is not None and item.actual_launch is not None:
                package, module = started(definition)
                found.append(
                    Launched(item.name, surveyed.target.said(patient.root), item.actual_launch, package, module)
                )
    return found


def started(definition: Definition) -> tuple[str | None, str | None]:
    """Package and module of a definition that leaves its launch to the install mode."""
    if not definition.templated:
        return None, None
    return canonical(definition.package or CORE), definition.module or CORE_MODULE
