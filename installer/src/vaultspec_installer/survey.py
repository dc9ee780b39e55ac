"""Gather everything that the verdicts need, write nothing: definitions, declaration, manifest, ownership and host files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.report import Refusal
from vaultspec_core.tracked import is_tracked
from vaultspec_core.workspace import FRAMEWORK, home_folder
from vaultspec_providers import registry
from vaultspec_providers.contract import HostFileError, Launch, Provider, Reading, Scope, Surroundings

from . import declaration as declarations
from . import manifest as manifests
from . import ownership as owning
from .declaration import Declaration
from .definition import Definition, Definitions, load_definitions
from .launch import former_launches, normal, render, same_launch
from .manifest import Manifest
from .mode import CORE, Mode
from .ownership import Ownership, Record, fingerprint
from .reconcile import Actual, Desired, Recorded, Side, Verdict, judge
from .target import ALL, Target, followed, in_order, provider_named, spot, supporting

Read = Callable[[Path], bytes | None]


class Item(NamedTuple):
    """One name at one target. `launch` and `entry`: what we would write. `actual` and `actual_launch`: what the host file says. `owner`: the workspace that owns it at user scope, if another.
    `bundled`: its launch is the product's, not the user's own."""

    name: str
    side: Side
    verdict: Verdict
    launch: Launch | None = None
    entry: Mapping[str, Any] | None = None
    actual: Any = None
    actual_launch: Launch | None = None
    owner: str | None = None
    bundled: bool = False


class TargetSurvey:
    """One host file: its bytes, what they say, and each name's verdict; or why it cannot be read."""

    def __init__(self, target: Target, record: Record) -> None:
        self.target = target
        self.record = record
        self.data: bytes | None = None
        self.reading: Reading | None = None
        self.fault: Refusal | None = None
        self.items: list[Item] = []


class Survey:
    """One workspace at one scope. `providers`: names of those that the workspace has. `notes`: what a person should know.
    `left`: places that belong to a folder which this workspace was moved away from; nothing is wanted there."""

    def __init__(
        self,
        root: Path,
        home: Path | None,
        scope: Scope,
        declaration: Declaration,
        definitions: Definitions,
        manifest: Manifest,
        ownership: Ownership,
        providers: list[str],
        adopting: bool,
    ) -> None:
        self.root = root
        self.home = home
        self.scope = scope
        self.declaration = declaration
        self.definitions = definitions
        self.manifest = manifest
        self.ownership = ownership
        self.providers = providers
        self.adopting = adopting
        self.targets: list[TargetSurvey] = []
        self.left: list[TargetSurvey] = []
        self.notes: list[str] = []
        self.opted_out: list[str] = []

    def named(self, verdict: Verdict) -> list[str]:
        """Names that have the verdict at any target."""
        return sorted({item.name for target in self.targets for item in target.items if item.verdict is verdict})


def usable_home(environ: Mapping[str, str]) -> Path | None:
    """The user's home, or None when the environment names none that can be used."""
    try:
        return home_folder(environ)
    except Refusal:
        return None


def ownership_path(root: Path, scope: Scope, environ: Mapping[str, str]) -> Path:
    """The file that records the scope: the workspace's own, or the user's. Raises Refusal `home-unusable`."""
    folder = root if scope is not Scope.USER else home_folder(environ)
    return folder / FRAMEWORK / owning.FILE


def load_ownership(root: Path, scope: Scope, environ: Mapping[str, str], read: Read) -> Ownership:
    """The scope's ownership record. One that git tracks is not believed (OWN-7). Raises Refusal `bad-ownership`."""
    path = ownership_path(root, scope, environ)
    data = read(path)
    ownership = owning.parse(path, data)
    if data is not None and scope is not Scope.USER and is_tracked(path, environ):
        return Ownership(path, believed=False)
    return ownership


def survey(
    root: Path,
    environ: Mapping[str, str],
    scope: Scope,
    chosen: str,
    read: Read,
    *,
    adopting: bool = False,
    pending: Iterable[Path] = (),
    skip: Iterable[str] = (),
    opted_out_too: bool = False,
) -> Survey:
    """Judge every name at every target that `chosen` (a provider or `all`) means at the scope.

    `skip`: parts left out beside what is opted out. `opted_out_too`: what is opted out is looked at all the same, to take it away. `pending`: definition files that `read` knows and the folder does not show yet. `adopting`: a lost record is being rebuilt, so that what equals our rendering is ours at any scope. Raises Refusal
    when the request or a record of ours cannot be used; a host file that cannot be read is the fault of its own target alone.
    """
    home = home_folder(environ) if scope is not Scope.PROJECT else usable_home(environ)
    declaration = declarations.load(root, read)
    ownership = load_ownership(root, scope, environ, read)
    manifest = manifests.load_manifest(root, read)
    found = Survey(
        root,
        home,
        scope,
        declaration,
        load_definitions(root, read, pending),
        manifest,
        ownership,
        enrolled(root, manifest, ownership),
        adopting,
    )
    if not ownership.believed:
        found.notes.append(
            f"{owning.FILE} is tracked by git and was not believed; run `git rm --cached {FRAMEWORK}/{owning.FILE}`"
        )
    surroundings = Surroundings(root, home, environ)
    out = set(skip) if opted_out_too else set(skip) | declaration.opt_out
    for provider in _chosen(found, chosen, surroundings, out):
        if scope is Scope.LOCAL:
            found.left += _left_behind(found, provider, surroundings, read)
        found.targets.append(_read_target(found, spot(provider, scope, surroundings), read))
    mode_of = _mode_rule(found)
    for target in [*found.targets, *found.left]:
        if target.reading is not None:
            target.items = _judge_target(found, target, target.reading, mode_of)
    return found


def enrolled(root: Path, manifest: Manifest, ownership: Ownership) -> list[str]:
    """Providers that this workspace has: as installed on this machine, and those that own entries.

    A fresh clone has no manifest: then the clients whose project file is there.
    """
    names = set(manifest.installed) | {record.provider for record in ownership.records.values() if record.managed}
    if not manifest.present:
        surroundings = Surroundings(root, None, {})
        for name in registry.built_in_names():
            provider = registry.load(name)
            place = provider.locations.get(Scope.PROJECT) if provider else None
            if place is not None and place(surroundings).path.exists():
                names.add(name)
    plugins = {name for name, state in manifest.states.items() if isinstance(state, dict) and state.get("plugin")}
    known = {*registry.built_in_names(), *(name for name in plugins if registry.load(name) is not None)}
    return in_order(names & known)


def _chosen(found: Survey, chosen: str, surroundings: Surroundings, out: set[str]) -> list[Provider]:
    found.opted_out = sorted(found.declaration.opt_out & {"mcp", *found.providers})
    if chosen != ALL:
        provider = provider_named(chosen)
        spot(provider, found.scope, surroundings)
        if provider.name not in found.providers:
            raise Refusal(
                "not-installed",
                f"{provider.title} is not installed in this workspace",
                f"vaultspec-core install {provider.name}",
            )
        return [] if {"mcp", provider.name} & out else [provider]
    if "mcp" in out:
        return []
    providers, notes = supporting((name for name in found.providers if name not in out), found.scope)
    found.notes += notes
    if notes and not providers:
        raise Refusal(
            "unsupported-scope",
            f"no installed provider has a {found.scope.value} scope",
            "vaultspec-core spec mcps status --scope project",
            data={"scope": found.scope.value},
        )
    return providers


def _left_behind(found: Survey, provider: Provider, surroundings: Surroundings, read: Read) -> list[TargetSurvey]:
    """What was enrolled at local scope before this workspace was moved, where the folder that it came from is gone.

    Such a record gets the key of the place that it is about, for the one that it had is the present folder's; when the
    workspace comes back, its record does too.
    """
    left: list[TargetSurvey] = []
    records = found.ownership.records
    for key, record in sorted(records.items()):
        folder = Path(next(iter(record.owners.values()), str(found.root)))
        here = folder == found.root
        if (record.provider, record.scope) != (provider.name, Scope.LOCAL.value) or (
            os.path.exists(folder) and not here
        ):
            continue
        there = spot(provider, Scope.LOCAL, surroundings._replace(workspace=folder))
        target = there._replace(left_by="" if here else str(folder))
        records[target.key] = records.pop(key)
        if not here:
            left.append(_read_target(found, target, read))
    return [surveyed for surveyed in left if surveyed.fault is None]


def _read_target(found: Survey, target: Target, read: Read) -> TargetSurvey:
    record = _believed(found, target)
    surveyed = TargetSurvey(target, record)
    try:
        surveyed.target = target = followed(target, found.root, found.home)
        surveyed.data = read(target.path)
        surveyed.reading = target.format.read(surveyed.data, [*record.managed, *record.pending])
    except HostFileError as error:
        surveyed.fault = host_fault(target, found.root, error)
    except Refusal as refusal:
        about = {"file": target.said(found.root), "provider": target.provider.name}
        surveyed.fault = Refusal(refusal.code, refusal.message, refusal.hint, data={**about, **refusal.data})
    return surveyed


def _believed(found: Survey, target: Target) -> Record:
    """The target's record as far as it is about this host file and this workspace (OWN-7)."""
    record = found.ownership.records.get(target.key)
    fresh = Record(target.provider.name, target.scope.value, str(target.shown))
    if record is None:
        return fresh
    if target.scope is not Scope.USER and record.path != str(target.shown):
        return fresh
    if target.scope is Scope.LOCAL and set(record.owners.values()) - {target.left_by or str(found.root)}:
        return fresh
    return record


def host_fault(target: Target, root: Path, error: HostFileError) -> Refusal:
    """A host file that cannot be read or edited, as a refusal that says where."""
    place = target.said(root)
    if error.line is not None:
        place += f":{error.line}" + (f":{error.column}" if error.column is not None else "")
    return Refusal(
        "host-file",
        f"{place}: {error.reason}",
        f"Mend the file, or leave this client out with --skip {target.provider.name}.",
        data={"file": target.said(root), "line": error.line, "column": error.column, "provider": target.provider.name},
    )


def _mode_rule(found: Survey) -> Callable[[Definition], Mode]:
    """The mode in which a definition is rendered: at user scope always tool; else as recorded; else in the shape of
    the entries that we own already (D-5), without any as dependency."""

    @cache
    def owned(name: str) -> str | None:
        for target in found.targets:
            if target.reading and name in target.reading.entries and name in target.record.managed:
                launch = target.target.provider.launch(target.reading.entries[name])
                if launch is not None:
                    return launch.command
        return None

    def mode(definition: Definition) -> Mode:
        if found.scope is Scope.USER:
            return Mode.TOOL
        package = definition.package or CORE
        recorded = found.declaration.mode(package)
        return recorded or (Mode.TOOL if owned(definition.name) == "uvx" else Mode.DEPENDENCY)

    return mode


def _judge_target(
    found: Survey, surveyed: TargetSurvey, reading: Reading, mode_of: Callable[[Definition], Mode]
) -> list[Item]:
    definitions = Definitions({}, {}) if surveyed.target.left_by else found.definitions
    names: Iterable[str] = dict.fromkeys(
        [*definitions.valid, *definitions.invalid, *reading.entries, *surveyed.record.managed]
    )
    return [_judge_name(found, definitions, surveyed, reading, name, mode_of) for name in names]


def _judge_name(
    found: Survey,
    definitions: Definitions,
    surveyed: TargetSurvey,
    reading: Reading,
    name: str,
    mode_of: Callable[[Definition], Mode],
) -> Item:
    provider = surveyed.target.provider
    definition = definitions.valid.get(name)
    present = name in reading.entries
    actual = reading.entries.get(name)
    said = provider.launch(actual) if present else None
    launch = render(definition, mode_of(definition), found.declaration) if definition else None
    desired = Desired.YES if definition else Desired.INVALID if name in definitions.invalid else Desired.NO
    owner = surveyed.record.owners.get(name) if found.scope is Scope.USER else None
    others = owner is not None and owner != str(found.root)
    side = Side(
        desired,
        Recorded.OTHERS if others else _recorded(surveyed, name, actual, present, said),
        _compared(definition, launch, said, present),
        adoptable=_adoptable(found, definition),
    )
    entry = provider.entry(launch) if launch else None
    bundled = definition is not None and definition.templated
    return Item(name, side, judge(side), launch, entry, actual, said, owner if others else None, bundled)


def _compared(definition: Definition | None, launch: Launch | None, said: Launch | None, present: bool) -> Actual:
    if not present:
        return Actual.ABSENT
    if launch is None or said is None or definition is None:
        return Actual.DIFFERS
    if same_launch(said, launch):
        return Actual.EQUAL
    if any(same_launch(said, former) for former in former_launches(definition)):
        return Actual.FORMER
    return Actual.DIFFERS


def _recorded(surveyed: TargetSurvey, name: str, actual: Any, present: bool, said: Launch | None) -> Recorded:
    """Raw and normalised fingerprints count: a client that adds its own defaults does not orphan us (NAT-7)."""
    record = surveyed.record
    accepted = record.accepts(name)
    if present and accepted and any(fingerprint(form) in accepted for form in _forms(surveyed, actual, said)):
        return Recorded.MATCHES
    if name not in record.managed:
        return Recorded.NO
    return Recorded.BARE if record.managed[name] is None else Recorded.DIFFERS


def _forms(surveyed: TargetSurvey, actual: Any, said: Launch | None) -> Iterator[Any]:
    yield actual
    if said is not None:
        yield surveyed.target.provider.entry(said)
        yield surveyed.target.provider.entry(normal(said))


def _adoptable(found: Survey, definition: Definition | None) -> bool:
    if definition is None:
        return False
    if found.adopting:
        return True
    return found.scope is Scope.PROJECT and found.declaration.mode(definition.package or CORE) is not None
