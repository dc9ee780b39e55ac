"""Find and run migrations: what is pending in a workspace, what ran, and how far the machine's record may say so.

Whoever converges (`install --upgrade`, `migrations run`, and through `convergence` what writes documents) calls `run`; every
other command only warns. Only what ran, and has nothing left to do, is recorded; the record never passes a pending one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import vaultspec_core.migrations
from vaultspec_core.files import Changed, Disk
from vaultspec_core.load import load
from vaultspec_core.lock import hold
from vaultspec_core.migration import Applied, Migration, Read
from vaultspec_core.report import Refusal
from vaultspec_core.staging import TEMPORARY
from vaultspec_core.workspace import FRAMEWORK, lock_seconds

from . import manifest as manifests
from . import migrations
from ._version import __version__
from .manifest import Manifest
from .table import stems

APPLIED = "migrations"
"""Key of the manifest: name of a migration -> the release that ran it on this machine."""


class Ran(NamedTuple):
    """One migration that was run: what it did, or why it could not."""

    migration: Migration
    applied: Applied | None = None
    refusal: Refusal | None = None


@cache
def registered() -> tuple[Migration, ...]:
    """All migrations, in their order."""
    found: list[Migration] = []
    for package in (vaultspec_core.migrations, migrations):
        found += [load(f"{package.__name__}.{stem}:MIGRATION") for stem in stems(list(package.__path__))]
    return tuple(sorted(found, key=lambda one: (_numbers(one.version), one.name)))


def pending(root: Path, environ: Mapping[str, str], read: Read | None = None) -> list[Migration]:
    """The migrations that have something to do in the workspace (as it is on the disk, unless `read` says otherwise)."""
    read = read or Disk().read
    return [one for one in registered() if _needed(one, root, environ, read)]


def run(root: Path, environ: Mapping[str, str], disk: Disk, among: Iterable[Migration] | None = None) -> list[Ran]:
    """Run what is pending (of `among`, by default of all) and record it; nothing is written when nothing is to do.

    One that cannot be done leaves the others their turn, unless it decides where documents go. Raises Refusal when the
    workspace is busy or its manifest cannot be used: then nothing was run.
    """
    chosen = registered() if among is None else tuple(among)
    waiting = any(_needed(one, root, environ, disk.read) for one in chosen)
    if not waiting and _settled(manifests.load_manifest(root, disk.read)) and not _littered(root):
        return []
    with hold(root / FRAMEWORK, lock_seconds(environ)):
        disk.sweep(root / FRAMEWORK)
        manifest = manifests.load_manifest(root, disk.read)
        ran: list[Ran] = []
        for one in chosen:
            if _needed(one, root, environ, disk.read):
                ran.append(_run(one, root, environ, disk))
                if ran[-1].refusal is not None and one.reach == "placement":
                    break
        if manifest.present:
            _record(root, environ, disk, ran)
    return ran


def _littered(root: Path) -> bool:
    """Whether a kill left something beside the records."""
    try:
        return any(name.startswith(TEMPORARY) for name in os.listdir(root / FRAMEWORK))
    except OSError:
        return False


def _run(one: Migration, root: Path, environ: Mapping[str, str], disk: Disk) -> Ran:
    try:
        return Ran(one, load(one.run)(root, environ, disk))
    except Refusal as refusal:
        return Ran(one, refusal=refusal)
    except Changed as moved:
        return Ran(one, refusal=_busy(moved))


def _busy(moved: Changed) -> Refusal:
    return Refusal("busy", f"{moved.path} was being changed by another program", "vaultspec-core migrations run")


def _needed(one: Migration, root: Path, environ: Mapping[str, str], read: Read) -> bool:
    """What cannot be judged is left as it is; the commands about it say what is wrong with it."""
    try:
        return bool(load(one.needed)(root, environ, read))
    except Refusal:
        return False


def _record(root: Path, environ: Mapping[str, str], disk: Disk, ran: list[Ran]) -> None:
    manifest = manifests.load_manifest(root, disk.read)
    left = pending(root, environ, disk.read)
    done = {one.migration.name: __version__ for one in ran if one.refusal is None and one.migration not in left}
    if left and not done:
        return
    said = manifest.said.get(APPLIED)
    marked = manifest
    if done:
        marked = marked.with_value(APPLIED, {**(said if isinstance(said, dict) else {}), **done})
    marked = marked.with_value("vaultspec_version", reached(manifest.version, left))
    if marked.said != manifest.said:
        from datetime import UTC, datetime

        path = manifests.path_of(root)
        try:
            disk.write(path, marked.to_bytes(datetime.now(UTC).isoformat()), expected=disk.read(path))
        except Changed as moved:
            raise _busy(moved) from moved


def reached(version: str, left: list[Migration]) -> str:
    """How far the manifest may say that migrations ran: this release when none is left, else at most the last before the first that is."""
    if not left:
        return max(version, __version__, key=_numbers)
    bound = _numbers(left[0].version)
    passed = [one.version for one in registered() if _numbers(one.version) < bound and one not in left]
    return max([version, *passed], key=_numbers)


def _settled(manifest: Manifest) -> bool:
    return not manifest.present or _numbers(manifest.version) >= _numbers(__version__)


def _numbers(version: str) -> tuple[int, ...]:
    """The release numbers of a version, enough to order our own; empty for none."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, match.group().split("."))) if match else ()
