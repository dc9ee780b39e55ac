"""Early releases kept the names that they owned in the host file itself, as a list at its root; they belong into our record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from vaultspec_core.files import Disk
from vaultspec_core.migration import Applied, Migration, Read
from vaultspec_core.report import Refusal
from vaultspec_providers import registry
from vaultspec_providers.contract import HostFileError, Scope, Surroundings
from vaultspec_providers.formats.json_member import JsonMember
from vaultspec_providers.formats.json_root_key import names_at_root, without_root_key

from .. import declaration as declarations
from ..manifest import load_manifest
from ..survey import enrolled, host_fault, load_ownership, usable_home
from ..target import Target, locate

MIGRATION = Migration(
    "managed_key",
    "0.1.48",
    "environment",
    "Move the list of owned names out of host files into the ownership record.",
    f"{__name__}:needed",
    f"{__name__}:run",
)
KEY = "_vaultspecManaged"


def needed(root: Path, environ: Mapping[str, str], read: Read) -> bool:
    """Whether a host file holds the list."""
    return any(True for _ in _holders(root, environ, read))


def run(root: Path, environ: Mapping[str, str], disk: Disk) -> Applied:
    """Names that are present become owned without a fingerprint; then the list goes. A file that cannot be edited is a warning."""
    ownership = load_ownership(root, Scope.PROJECT, environ, disk.read)
    done: list[str] = []
    warnings: list[str] = []
    for target, data in list(_holders(root, environ, disk.read)):
        try:
            present = target.format.read(data).entries
            names = [name for name in names_at_root(data, KEY) or () if name in present]
            after = without_root_key(data, KEY)
        except HostFileError as error:
            warnings.append(host_fault(target, root, error).message)
            continue
        record = ownership.record(target.key, target.provider.name, target.scope.value, target.shown)
        for name in names:
            record.managed.setdefault(name, None)
        text, before = ownership.to_bytes(), disk.read(ownership.path)
        if text is not None and text != before:
            disk.write(ownership.path, text, expected=before, private=True)
        disk.write(target.path, after, expected=data)
        done.append(f"{target.said(root)} ({', '.join(names) or 'none of them present'})")
    return Applied(f"moved out of {', '.join(done)}" if done else "nothing moved", [], warnings)


def _holders(root: Path, environ: Mapping[str, str], read: Read) -> Iterator[tuple[Target, bytes]]:
    """The host files that hold the list; none where enrollment is opted out, or recorded in a way that we cannot keep up."""
    declaration = declarations.load(root, read)
    ownership = load_ownership(root, Scope.PROJECT, environ, read)
    if declaration.newer or not ownership.believed or "mcp" in declaration.opt_out:
        return
    surroundings = Surroundings(root, usable_home(environ), environ)
    for name in enrolled(root, load_manifest(root, read), ownership):
        provider = registry.load(name)
        if provider is None or name in declaration.opt_out or Scope.PROJECT not in provider.locations:
            continue
        try:
            target = locate(provider, Scope.PROJECT, surroundings)
            data = read(target.path)
        except Refusal:
            continue
        if data is not None and isinstance(target.format, JsonMember) and _holds(data):
            yield target, data


def _holds(data: bytes) -> bool:
    try:
        return KEY.encode() in data and names_at_root(data, KEY) is not None
    except HostFileError:
        return False
