"""Companion packages: how another distribution provisions its server beside core, from its own installer.

A companion describes itself once and calls `provision`:

    from vaultspec_installer.companion import Companion, provision

    COMPANION = Companion("vaultspec-rag", module="vaultspec_rag.server", requirement="vaultspec-rag[mcp]")

    provision(workspace, COMPANION)

It then runs `vaultspec-core spec mcps sync`, or leaves that to the user. When it also declares the entry point below,
`vaultspec-core install --package vaultspec-rag` needs no `--module` and no `--from`:

    [project.entry-points."vaultspec.packages"]
    vaultspec-rag = "vaultspec_rag.enrollment:COMPANION"
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Disk
from vaultspec_core.lock import hold
from vaultspec_core.report import Refusal
from vaultspec_core.workspace import FRAMEWORK

from . import declaration as declarations
from .committing import committed
from .declaration import PackageRecord
from .definition import BUILT_IN, BUILT_IN_SUFFIX, SUFFIX, Definition, folder_of, judge
from .definition_faults import NAME_RULE, name_fault
from .json_text import parse_object
from .mode import ModeChoice, canonical, choose_mode
from .seeds import seed_text

GROUP = "vaultspec.packages"


class Companion(NamedTuple):
    """A package whose server is launched beside core's.

    `name`: the distribution, and the name of its server. `module`: what is run with `-m`; by default the import package of that name.
    `requirement`: what `uvx --from` gets in tool mode; by default the name. `minimum_version`: the floor to record (PEP 440).
    """

    name: str
    module: str | None = None
    requirement: str | None = None
    minimum_version: str | None = None


class Provisioned(NamedTuple):
    """What `provision` left: the mode with its source, and the files that it wrote, relative to the workspace."""

    mode: ModeChoice
    written: tuple[str, ...]


def provision(workspace: Path, companion: Companion, mode: str | None = None) -> Provisioned:
    """Write the companion's bundled definition and its record in workspace.json; a second run changes nothing.

    `mode`: tool, dependency or dev; by default what is recorded, else what pyproject.toml says, else tool. No client's file is touched.
    Raises Refusal: no workspace, a record of ours that cannot be used, a mode that the project cannot have.
    """
    root = workspace.resolve()
    if not (root / FRAMEWORK).is_dir():
        raise Refusal("no-workspace", f"{root} holds no workspace", f"vaultspec-core install --target {root}")
    with hold(root / FRAMEWORK):
        Disk().sweep(root / FRAMEWORK, folder_of(root))
        choice, changes = committed(lambda files: compose(files, root, companion, mode))
    return Provisioned(choice, tuple(change.path.relative_to(root).as_posix() for change in changes))


def compose(files: Changeset, root: Path, companion: Companion, mode: str | None) -> ModeChoice:
    """Put the definition and the record into the changeset, and say which mode it is. Raises Refusal."""
    if fault := name_fault(companion.name):
        raise Refusal("bad-name", f"{fault} cannot be used; allowed: {NAME_RULE}", "Name the distribution.")
    declaration = declarations.load(root, files.read)
    choice = choose_mode(mode, declaration.mode(companion.name), companion.name, files.read(root / "pyproject.toml"))
    old = declaration.package(companion.name)
    record = PackageRecord(
        choice.value,
        companion.minimum_version or (old.minimum_version if old else None),
        old.tool_requirement if old else None,
    )
    text = declaration.with_package(companion.name, record).to_bytes()
    if text is not None:
        files.write(declarations.path_of(root), text)
    _place_seed(files, root, companion)
    return choice


def _place_seed(files: Changeset, root: Path, companion: Companion) -> None:
    """Write the bundled definition. Variables that somebody added to the one that stands there move to `NAME.json`, which wins over it."""
    seed = seed_text(companion.name, companion.module, companion.requirement).encode()
    path = folder_of(root) / f"{companion.name}{BUILT_IN_SUFFIX}"
    own = folder_of(root) / f"{companion.name}{SUFFIX}"
    before = files.read(path)
    if before is not None and before != seed and files.read(own) is None:
        judged = judge(companion.name, path, BUILT_IN, before)
        if isinstance(judged, Definition) and judged.env:
            kept = {**parse_object(seed), "env": dict(judged.env)}
            files.write(own, (json.dumps(kept, indent=2) + "\n").encode())
    files.write(path, seed)


def describe(
    name: str, module: str | None = None, requirement: str | None = None, standing: bytes | None = None
) -> Companion:
    """The companion to provision by name.

    What is not said here is as its own entry point says, else as the bundled definition that stands there already (`standing`).
    Raises Refusal `bad-name` or `bad-companion`.
    """
    if fault := name_fault(name):
        raise Refusal("bad-name", f"{fault} cannot be used; allowed: {NAME_RULE}", "Name the distribution.")
    known = companion_named(name) if module is None else None
    if known is None:
        known = _standing(canonical(name), standing)
    return known._replace(module=module or known.module, requirement=requirement or known.requirement)


def _standing(name: str, data: bytes | None) -> Companion:
    """What a bundled definition says of its companion; nothing but the name when there is none that leaves its launch to the mode."""
    judged = judge(name, Path(f"{name}{BUILT_IN_SUFFIX}"), BUILT_IN, data) if data is not None else None
    if isinstance(judged, Definition) and judged.templated:
        return Companion(name, judged.module, judged.requirement)
    return Companion(name)


def companion_named(name: str) -> Companion | None:
    """What an installed distribution says of the companion by its entry point; None when none does. Raises Refusal `bad-companion`."""
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        if canonical(point.name) != canonical(name):
            continue
        found = _loaded(point.load, point.value)
        if not isinstance(found, Companion):
            raise Refusal(
                "bad-companion",
                f"the entry point {GROUP}:{point.name} ({point.value}) is no vaultspec_installer.companion.Companion",
                f"vaultspec-core install --package {name} --module MODULE",
            )
        return found
    return None


def _loaded(load: Callable[[], object], value: str) -> object:
    try:
        return load()
    except (ImportError, AttributeError) as error:
        raise Refusal(
            "bad-companion",
            f"the entry point {value} of group {GROUP} cannot be loaded: {error}",
            "Reinstall that package, or name its module with --module.",
        ) from error
