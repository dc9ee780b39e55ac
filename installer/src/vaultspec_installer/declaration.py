"""The workspace's committed record `.vaultspec/workspace.json`: each package's mode, floor and requirement, and what is opted out.

Schema "2.2", shared with earlier releases, whose 1.0, 2.0 and 2.1 are read too. We add `tool_requirement` to a package and
`opt_out` to the root. Keys that we do not know are kept at every level; what git and hooks are spared keeps its older place
(`blocks`, `hooks`), so that there is one truth for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.report import Refusal
from vaultspec_core.workspace import FRAMEWORK

from .json_text import Malformed, kind, line_of, parse_object, pointer, text_of
from .mode import CORE, Mode, canonical

FILE = "workspace.json"
SCHEMA = "2.2"
_FLAGS = {
    "gitattributes": ("blocks", "gitattributes"),
    "gitignore": ("blocks", "gitignore"),
    "precommit": ("hooks", "pre_commit"),
}
"""Opt-outs that the schema has always held as a flag, true unless written."""


class PackageRecord(NamedTuple):
    """One provisioned package. `minimum_version`: the floor (PEP 440). `tool_requirement`: what `uvx --from` gets, if not its own name."""

    mode: Mode
    minimum_version: str | None = None
    tool_requirement: str | None = None


class Declaration(NamedTuple):
    """What workspace.json says, and the document it says it in. `data`: the file's bytes, None without a file.

    `newer`: the file follows a later schema, so that it is read as far as it goes and never written.
    """

    path: Path
    data: bytes | None = None
    document: Mapping[str, Any] = {}
    packages: Mapping[str, PackageRecord] = {}
    opt_out: frozenset[str] = frozenset()
    newer: bool = False

    def package(self, name: str) -> PackageRecord | None:
        """The package's record; None when the workspace records none."""
        return self.packages.get(canonical(name))

    def mode(self, package: str) -> Mode | None:
        """The recorded mode of a package."""
        record = self.package(package)
        return record.mode if record else None

    def with_package(self, name: str, record: PackageRecord) -> Declaration:
        """The same with this package recorded so; keys of its entry that we do not know stay. Raises Refusal `workspace-newer`."""
        document = self._writable()
        packages = document.setdefault("packages", {})
        key = next((said for said in packages if canonical(said) == canonical(name)), None)
        entry = packages.pop(key, {}) if key else {}
        entry["install_mode"] = record.mode.value
        _set(entry, "minimum_version", record.minimum_version)
        _set(entry, "tool_requirement", record.tool_requirement)
        packages[canonical(name)] = entry
        return self._saying(document)

    def without_package(self, name: str) -> Declaration:
        """The same without a record of this package. Raises Refusal `workspace-newer`."""
        document = self._writable()
        packages = document.get("packages", {})
        for key in [said for said in packages if canonical(said) == canonical(name)]:
            del packages[key]
        return self._saying(document)

    def with_opt_out(self, names: Iterable[str], *, out: bool = True) -> Declaration:
        """The same with the names (of `--skip`) opted out, or in again. Raises Refusal `workspace-newer`."""
        document = self._writable()
        others = set(document.get("opt_out", ()))
        for name in names:
            if name in _FLAGS:
                group, flag = _FLAGS[name]
                _set_flag(document, group, flag, not out)
            elif out:
                others.add(name)
            else:
                others.discard(name)
        _set(document, "opt_out", sorted(others) or None)
        return self._saying(document)

    def to_bytes(self) -> bytes | None:
        """The file's text: the bytes that were read while nothing changed; None when there is no file and nothing to say."""
        if self.data is not None and (self.newer or parse_object(self.data) == self.document):
            return self.data
        if self.data is None and not self.document:
            return None
        return (json.dumps(self.document, indent=2, sort_keys=True) + "\n").encode()

    def _writable(self) -> dict[str, Any]:
        """A copy of the document in the current schema."""
        if self.newer:
            raise Refusal(
                "workspace-newer",
                f"{FRAMEWORK}/{FILE} has schema_version {self.document['schema_version']}, newer than {SCHEMA}, and is left as it is",
                "uvx vaultspec-core@latest install --upgrade",
            )
        document: dict[str, Any] = json.loads(json.dumps(self.document))
        if "packages" not in document and "install_mode" in document:
            entry = {"install_mode": document["install_mode"]}
            _set(entry, "minimum_version", document.get("minimum_vaultspec_version"))
            document["packages"] = {CORE: entry}
            del document["install_mode"]
            document.pop("minimum_vaultspec_version", None)
        document["schema_version"] = SCHEMA
        return document

    def _saying(self, document: dict[str, Any]) -> Declaration:
        """The declaration of a document of ours, which keeps the bytes of the file that it will replace."""
        return _read(self.path, document, "")._replace(data=self.data)


def path_of(workspace: Path) -> Path:
    return workspace / FRAMEWORK / FILE


def load(workspace: Path, read: Callable[[Path], bytes | None]) -> Declaration:
    """What the workspace declares; nothing without a file. Raises Refusal `bad-workspace-record` with the file, line and key."""
    path = path_of(workspace)
    data = read(path)
    if data is None:
        return Declaration(path)
    try:
        document = parse_object(data)
    except Malformed as error:
        raise _bad(path, error.line, error.pointer, error.found, error.allowed) from error
    return _read(path, document, text_of(data))._replace(data=data)


def _read(path: Path, document: dict[str, Any], text: str) -> Declaration:
    reader = _Reader(path, text)
    newer = reader.newer(document)
    legacy = "packages" not in document and "install_mode" in document
    entries = reader.objects(document, ("packages",))
    packages = {}
    for name, entry in entries.items():
        if canonical(name) in packages:
            raise reader.bad(("packages", name), "a package that stands there in another spelling", "each package once")
        packages[canonical(name)] = reader.package(entry, ("packages", name), "minimum_version")
    if legacy:
        packages[CORE] = reader.package(document, (), "minimum_vaultspec_version")
    return Declaration(path, None, document, packages, frozenset(reader.opt_out(document)), newer)


class _Reader:
    """Takes typed values out of the document; a wrong type is a Refusal that names the key."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text

    def bad(self, keys: tuple[str, ...], found: str, allowed: str) -> Refusal:
        place = pointer(keys)
        return _bad(self.path, line_of(self.text, place), place, found, allowed)

    def newer(self, document: Mapping[str, Any]) -> bool:
        said = document.get("schema_version", SCHEMA)
        parts = said.split(".") if isinstance(said, str) else []
        if not parts or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
            raise self.bad(("schema_version",), _said(said), f'a version in a string, as "{SCHEMA}"')
        return tuple(map(int, parts)) > tuple(map(int, SCHEMA.split(".")))

    def objects(self, document: Mapping[str, Any], keys: tuple[str, ...]) -> Mapping[str, Any]:
        value = document.get(keys[-1], {})
        if not isinstance(value, dict):
            raise self.bad(keys, kind(value), "an object")
        return value

    def text_at(self, entry: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
        value = entry.get(keys[-1])
        if value is None or (isinstance(value, str) and value.strip()):
            return value
        raise self.bad(keys, kind(value), "a string that says something")

    def package(self, entry: object, keys: tuple[str, ...], floor: str) -> PackageRecord:
        if not isinstance(entry, dict):
            raise self.bad(keys, kind(entry), "an object")
        said = entry.get("install_mode")
        try:
            mode = Mode(said.strip().lower() if isinstance(said, str) else "")
        except ValueError:
            found = _said(said) if "install_mode" in entry else "missing"
            raise self.bad((*keys, "install_mode"), found, '"tool", "dependency" or "dev"') from None
        minimum = self.text_at(entry, (*keys, floor))
        return PackageRecord(mode, minimum, self.text_at(entry, (*keys, "tool_requirement")))

    def opt_out(self, document: Mapping[str, Any]) -> set[str]:
        names = document.get("opt_out", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise self.bad(("opt_out",), kind(names), "an array of names")
        found = set(names)
        for name, (group, flag) in _FLAGS.items():
            value = self.objects(document, (group,)).get(flag, True)
            if not isinstance(value, bool):
                raise self.bad((group, flag), kind(value), "true or false")
            if not value:
                found.add(name)
        return found


def _said(value: object) -> str:
    """A value as a message may repeat it: a short text as it is, else its kind."""
    return json.dumps(value) if isinstance(value, str) and len(value) <= 40 else kind(value)


def _bad(path: Path, line: int | None, place: str, found: str, allowed: str) -> Refusal:
    where = f"{FRAMEWORK}/{FILE}" + (f":{line}" if line else "")
    subject = f"{place} is" if place else "the file is"
    return Refusal(
        "bad-workspace-record",
        f"{where}: {subject} {found}; allowed: {allowed}",
        f"Correct it by hand; or move {path} away and run: vaultspec-core install --mode tool",
        data={"file": f"{FRAMEWORK}/{FILE}", "line": line, "pointer": place, "found": found, "allowed": allowed},
    )


def _set(entry: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        entry.pop(key, None)
    else:
        entry[key] = value


def _set_flag(document: dict[str, Any], group: str, flag: str, value: bool) -> None:
    """Write a flag that differs from its default, true, and drop one that does not."""
    flags = document.get(group, {})
    _set(flags, flag, None if value else False)
    _set(document, group, flags or None)


def floor_refusal(declaration: Declaration, package: str, running: str) -> Refusal | None:
    """Why the running version may not change this workspace; None when it is not below the package's floor, or there is none."""
    record = declaration.package(package)
    if record is None or record.minimum_version is None:
        return None
    from packaging.version import Version

    try:
        floor = Version(record.minimum_version)
    except ValueError:
        reader = _Reader(declaration.path, text_of(declaration.data) if declaration.data else "")
        keys = ("packages", package, "minimum_version")
        return reader.bad(keys, _said(record.minimum_version), "a version as PEP 440 writes it")
    if Version(running) >= floor:
        return None
    return Refusal(
        "below-floor",
        f"this workspace needs {package} {record.minimum_version} or later; this is {running}",
        upgrade_command(package, record),
        data={"package": package, "minimum_version": record.minimum_version, "running": running},
    )


def upgrade_command(package: str, record: PackageRecord) -> str:
    """The command that brings the package to its floor in the recorded mode."""
    requirement = f"{package}>={record.minimum_version}" if record.minimum_version else package
    match record.mode:
        case Mode.TOOL:
            return f"uvx --refresh --from '{requirement}' {package} install --upgrade"
        case Mode.DEPENDENCY:
            return f"uv add '{requirement}'"
        case Mode.DEV:
            return f"uv add --dev '{requirement}'"
