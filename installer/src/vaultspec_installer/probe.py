"""What a probe is, and what it may look at. A probe writes nothing and answers with findings alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

from vaultspec_core.files import Disk
from vaultspec_core.load import load
from vaultspec_core.report import Refusal
from vaultspec_providers.contract import Scope

from . import declaration as declarations
from . import manifest as manifests
from . import probes
from .declaration import Declaration
from .definition import Definitions, load_definitions
from .finding import ERROR, Code, Finding
from .manifest import Manifest
from .survey import Survey, TargetSurvey, survey

Value = TypeVar("Value")

NO_WORKSPACE = Code(
    "no-workspace",
    ERROR,
    "There is no workspace here, and nothing else was looked at.",
    "Install one, or name the folder that has it with `--target`.",
    "no workspace in /home/me/project or above it",
)


class Patient:
    """One workspace as the probes see it. Whatever several of them ask for is read once; what cannot be read is None, and
    the finding of the one probe that is about it.

    `windows`: the platform that launches are judged for.
    """

    def __init__(self, root: Path, environ: Mapping[str, str], *, windows: bool = sys.platform == "win32") -> None:
        self.root = root
        self.environ = environ
        self.windows = windows
        self.read = Disk().read

    @cached_property
    def declaration(self) -> Declaration | None:
        return _readable(lambda: declarations.load(self.root, self.read))

    @cached_property
    def manifest(self) -> Manifest | None:
        return _readable(lambda: manifests.load_manifest(self.root, self.read))

    @cached_property
    def definitions(self) -> Definitions | None:
        return _readable(lambda: load_definitions(self.root, self.read))

    @cached_property
    def scopes(self) -> Mapping[Scope, Survey | Refusal]:
        """The workspace at each scope, or why it cannot be judged there."""
        found: dict[Scope, Survey | Refusal] = {}
        for scope in Scope:
            try:
                found[scope] = survey(self.root, self.environ, scope, "all", self.read)
            except Refusal as refusal:
                found[scope] = refusal
        return found

    @cached_property
    def targets(self) -> tuple[tuple[Survey, TargetSurvey], ...]:
        """Every host file that this workspace has to do with: all at project scope, elsewhere those with entries of ours."""
        return tuple(
            (found, surveyed)
            for scope, found in self.scopes.items()
            if not isinstance(found, Refusal)
            for surveyed in found.targets
            if scope is Scope.PROJECT or self._owns(surveyed)
        )

    def _owns(self, surveyed: TargetSurvey) -> bool:
        record = surveyed.record
        if surveyed.target.scope is Scope.USER:
            return str(self.root) in record.owners.values()
        return bool(record.managed)

    def opted_out(self, part: str) -> bool:
        return self.declaration is not None and part in self.declaration.opt_out

    def said(self, path: Path) -> str:
        """A file as findings name it."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


def _readable(read: Callable[[], Value]) -> Value | None:
    try:
        return read()
    except Refusal:
        return None


class Probe(NamedTuple):
    """One question. `order`: its place in the answer. `codes`: every kind of finding that it can have."""

    order: int
    codes: tuple[Code, ...]
    look: Callable[[Patient], Iterable[Finding]]


def all_probes() -> tuple[Probe, ...]:
    """Every probe of the folder, in their order."""
    folder = os.path.dirname(probes.__file__)
    stems = sorted(name[:-3] for name in os.listdir(folder) if name.endswith(".py") and not name.startswith("_"))
    return tuple(sorted((load(f"{probes.__name__}.{stem}:PROBE") for stem in stems), key=lambda one: one.order))


def all_codes() -> tuple[Code, ...]:
    """Every kind of finding that there is, in the order of the probes."""
    return (NO_WORKSPACE, *(code for probe in all_probes() for code in probe.codes))


def examine(patient: Patient) -> list[Finding]:
    """Every finding of every probe."""
    return [finding for probe in all_probes() for finding in probe.look(patient)]
