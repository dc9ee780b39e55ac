"""Provision a workspace: every file as it will be, composed and judged before the first is written."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Disk, real_target
from vaultspec_core.report import USAGE, Refusal
from vaultspec_core.workspace import FRAMEWORK, VAULT, make_folder
from vaultspec_providers import registry
from vaultspec_providers.contract import Launch, Scope

from . import declaration as declarations
from . import manifest as manifests
from ._version import __version__
from .blocks import PARTS as BLOCKS
from .blocks import converge_parts
from .companion import describe
from .decide import Edit, Wish, decide, edits
from .declaration import Declaration, PackageRecord, floor_refusal
from .definition import BUILT_IN_SUFFIX, folder_of
from .framework import FileRow, place, templates
from .manifest import Manifest
from .migrating import pending, reached
from .mode import CORE, ModeChoice, canonical, choose_mode, infer_on_upgrade
from .precommit import hook_lines
from .reconcile import Command
from .seeds import seed_text
from .survey import Survey, survey, usable_home
from .target import ALL, in_order, provider_named

PARTS = ("core", "mcp", "hooks", *BLOCKS)
VAULT_FOLDERS = ("adr", "audit", "exec", "index", "plan", "reference", "research")


class Request(NamedTuple):
    """What `install` was asked for. `provider`: a name, `all` or `core`; None when it was not said."""

    provider: str | None = None
    mode: str | None = None
    package: str = CORE
    module: str | None = None
    requirement: str | None = None
    skip: tuple[str, ...] = ()
    no_skip: tuple[str, ...] = ()
    upgrade: bool = False
    force: bool = False
    strict_secrets: bool = False


class Provision(NamedTuple):
    """A workspace as it will be: files in the changeset, host files in the edits."""

    files: Changeset
    mode: ModeChoice
    found: Survey
    wish: Wish
    edits: list[Edit]
    rows: list[FileRow]
    warnings: list[str]


def compose(root: Path, environ: Mapping[str, str], request: Request, disk: Disk) -> Provision:
    """Compose everything and judge every host file. Raises Refusal when one of them cannot be edited, with nothing written (D-2)."""
    if "core" in request.skip and not (root / FRAMEWORK).is_dir():
        hint = "Run vaultspec-core install without --skip core first."
        raise Refusal("no-framework", "--skip core leaves the framework out, and there is none yet", hint)
    files = Changeset(disk)
    before = declarations.load(root, files.read)
    refusal = floor_refusal(before, CORE, __version__)
    if refusal is not None:
        raise refusal
    manifest = manifests.load_manifest(root, files.read)
    declaration, named = _opt_outs(before, request)
    mode = _mode(root, environ, declaration, manifest, request, files)
    record = declaration.package(request.package)
    declaration = declaration.with_package(
        request.package,
        PackageRecord(
            mode.value,
            record.minimum_version if record else None,
            launchable(request.requirement) or (record.tool_requirement if record else None),
        ),
    )
    text = declaration.to_bytes()
    rows = [_set(files, root, declarations.path_of(root), text)] if text is not None else []
    manifest, placed = place(files, root, manifest, _wanted(files, root, request, declaration), upgrade=request.upgrade)
    rows += placed
    rows += converge_parts(files, root, declaration)
    now = datetime.now(UTC).isoformat()
    manifest = _manifest(manifest, _providers(request, manifest, named, declaration), now)
    if not manifest.present:
        manifest = manifest.with_value("vaultspec_version", reached("", pending(root, environ, files.read)))
    previous = files.read(manifests.path_of(root))
    if previous is None or manifest.said != manifests.load_manifest(root, files.read).said:
        files.write(manifests.path_of(root), manifest.to_bytes(now))
    unwritten = [change.path for change in files.changes() if change.path.parent == folder_of(root)]
    chosen = named if named is not None and named not in declaration.opt_out else ALL
    found = survey(root, environ, Scope.PROJECT, chosen, files.read, pending=unwritten)
    # An upgrade converges what stands there; what somebody took out comes back by an explicit sync only (D-21).
    wanted_anew = named is not None or request.no_skip or canonical(request.package) != CORE
    adding = bool(wanted_anew) or not (request.upgrade and previous is not None)
    wish = Wish(Command.SYNC, request.force, strict_secrets=request.strict_secrets, adding=adding)
    made = edits(found, decide(found, wish))
    for path in (*(change.path for change in files.changes()), root / VAULT / VAULT_FOLDERS[0] / "new"):
        disk.demand_writable(path)
    for edit in made:
        if edit.fault is None and edit.change is not None:
            try:
                disk.demand_writable(edit.change.path)
            except Refusal as refusal:
                edit.fault = refusal
        if edit.fault is not None:
            skip = f"Mend the file, or run the command again with --skip {edit.surveyed.target.provider.name}."
            raise Refusal(edit.fault.code, edit.fault.message, skip, data=edit.fault.data)
    return Provision(files, mode, found, wish, made, rows, list(mode.warnings))


def _opt_outs(declaration: Declaration, request: Request) -> tuple[Declaration, str | None]:
    """The declaration with --skip and --no-skip recorded, and the one provider that was named, if any."""
    for part in (*request.skip, *request.no_skip):
        if part not in (*PARTS, *registry.names()):
            hint = f"Parts are {', '.join((*PARTS, *registry.names()))}; repeat the option for several."
            raise Refusal("usage", f"there is no part {part!r} to skip", hint, exit_code=USAGE)
    named = None
    if request.provider not in (None, ALL, "core"):
        named = provider_named(request.provider or "").name
    out = [part for part in request.skip if part != "core"]
    if out:
        declaration = declaration.with_opt_out(out)
    back = [*request.no_skip, *([named] if named and named in declaration.opt_out and named not in out else [])]
    if back:
        declaration = declaration.with_opt_out(back, out=False)
    return declaration, named


def _mode(
    root: Path,
    environ: Mapping[str, str],
    declaration: Declaration,
    manifest: Manifest,
    request: Request,
    files: Changeset,
) -> ModeChoice:
    pyproject = files.read(root / "pyproject.toml")
    recorded = declaration.mode(request.package)
    if request.mode is None and recorded is None and request.upgrade and manifest.present:
        return infer_on_upgrade(
            _owned_launches(root, environ, files), hook_lines(root, files.read), request.package, pyproject
        )
    return choose_mode(request.mode, recorded, request.package, pyproject)


def _owned_launches(root: Path, environ: Mapping[str, str], files: Changeset) -> list[Launch]:
    """The launches that stand in host files under names that we own, before anything is repaired."""
    found = survey(root, environ, Scope.PROJECT, ALL, files.read)
    return [
        item.actual_launch
        for surveyed in found.targets
        for item in surveyed.items
        if item.name in surveyed.record.managed and item.actual_launch is not None
    ]


def _wanted(files: Changeset, root: Path, request: Request, declaration: Declaration) -> dict[str, bytes]:
    """The framework's files by relative path; none of them under `--skip core`."""
    if "core" in request.skip:
        return {}
    wanted = bundled(declaration)
    if canonical(request.package) != CORE:
        path = folder_of(root) / f"{canonical(request.package)}{BUILT_IN_SUFFIX}"
        companion = describe(request.package, request.module, request.requirement, files.read(path))
        seed = seed_text(companion.name, companion.module, companion.requirement)
        wanted[f"{FRAMEWORK}/mcps/{companion.name}{BUILT_IN_SUFFIX}"] = seed.encode()
    return wanted


def bundled(declaration: Declaration) -> dict[str, bytes]:
    """The files that this release ships into a workspace, by relative path."""
    seeds = {f"{FRAMEWORK}/mcps/{CORE}.builtin.json": seed_text(CORE, None, None).encode()}
    return {**(seeds if declaration.package(CORE) else {}), **templates()}


def _providers(request: Request, manifest: Manifest, named: str | None, declaration: Declaration) -> list[str]:
    """Provider names that the machine has afterwards: what it has, and what was asked for; a first `install` means the shipped
    ones, a later one without a name keeps to what is there."""
    have = set(manifest.installed) | {name for name in request.no_skip if name not in PARTS}
    if named is not None:
        return in_order(have | {named})
    if request.provider == "core" or (request.provider is None and manifest.present):
        return in_order(have)
    shipped = {name for name in registry.built_in_names() if (found := registry.load(name)) and found.by_default}
    return in_order(have | (shipped - set(declaration.opt_out)))


def _manifest(manifest: Manifest, names: list[str], now: str) -> Manifest:
    if set(names) != set(manifest.installed):
        manifest = manifest.with_providers(names, now, set(names) - set(registry.built_in_names()))
    return manifest


def _set(files: Changeset, root: Path, path: Path, data: bytes) -> FileRow:
    before = files.read(path)
    shown = path.relative_to(root).as_posix()
    if before == data:
        return FileRow(shown, "unchanged")
    files.write(path, data)
    return FileRow(shown, "created" if before is None else "updated")


def launchable(said: str | None) -> str | None:
    """The requirement of `--from` as it is recorded: a path made absolute, anything else as it was said.

    Raises Refusal `usage` for what no launch line could use: a client starts it from a folder of its own.
    """
    if said is None:
        return None
    text = said.strip()
    if os.path.exists(text):
        return os.path.abspath(text)
    from packaging.requirements import InvalidRequirement, Requirement

    plain_url = "://" in text and not re.search(r"\s", text)
    try:
        if not plain_url:
            Requirement(text)
    except InvalidRequirement as error:
        hint = "Give a requirement such as vaultspec-core==1.0.0, a URL, or the path of a wheel or checkout."
        raise Refusal(
            "usage", f"--from is no requirement and no path that exists: {said!r}", hint, exit_code=USAGE
        ) from error
    return text


def require_folder(root: Path, environ: Mapping[str, str]) -> None:
    """Raises Refusal unless a workspace can be made there: `no-folder`, `not-a-folder`, `home-is-state`, `link-outside`."""
    if not root.is_dir():
        raise Refusal("no-folder", f"{root} does not exist", f"mkdir -p {root}", exit_code=USAGE)
    home = usable_home(environ)
    if home is not None and home.resolve() == root:
        hint = "Install in a project's folder; vaultspec-core spec mcps sync --scope user reaches every project."
        raise Refusal("home-is-state", f"{root} is your home folder, whose {FRAMEWORK} is vaultspec's own state", hint)
    for name in (FRAMEWORK, f"{FRAMEWORK}/mcps", f"{FRAMEWORK}/templates", VAULT):
        folder = root / name
        real_target(folder, (root,))
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise Refusal("not-a-folder", f"{folder} is no folder", "Move it away and run the command again.")


def make_vault(root: Path) -> None:
    """The vault's folders; nothing that exists is touched."""
    for name in VAULT_FOLDERS:
        make_folder(root / VAULT / name)
