"""Canonical definitions: `.vaultspec/mcps/*.json`, one server each, in no client's dialect.

`NAME.json` shadows `NAME.builtin.json` wholly, so that a shadowed file is not even judged. A definition either says a launch outright, or
leaves it to the install mode by two tokens; the `_vaultspec_mode_*` keys are for that and never reach a host file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.report import Refusal
from vaultspec_core.workspace import FRAMEWORK

from .definition_faults import FIELDS, NAME_RULE, TOKEN, Fault, explain, fault, name_fault, printable
from .json_text import Malformed, parse_object, text_of

FOLDER = "mcps"
SUFFIX, BUILT_IN_SUFFIX = ".json", ".builtin.json"
COMMAND_TOKEN = "@@VAULTSPEC_INSTALL_MODE_COMMAND@@"
ARGS_TOKEN = "@@VAULTSPEC_INSTALL_MODE_ARGS@@"
PACKAGE, MODULE, REQUIREMENT = "_vaultspec_mode_package", "_vaultspec_mode_module", "_vaultspec_mode_tool_spec"
BUILT_IN, CUSTOM, SHADOWING = "Built-in", "Custom", "Custom (shadows Built-in)"
MAX_BYTES = 128 * 1024
_KNOWN = frozenset({*FIELDS, PACKAGE, MODULE, REQUIREMENT})

Read = Callable[[Path], bytes | None]


class Definition(NamedTuple):
    """One server. `package` None: core's. `requirement`: what `uvx --from` gets. `templated`: the install mode says the launch."""

    name: str
    path: Path
    source: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    package: str | None = None
    module: str | None = None
    requirement: str | None = None
    templated: bool = False


class InvalidDefinition(NamedTuple):
    """A server whose file cannot be rendered, with every reason."""

    name: str
    path: Path
    source: str
    faults: tuple[Fault, ...]


class Definitions(NamedTuple):
    """Every definition of a workspace by name, in the order of the names."""

    valid: Mapping[str, Definition]
    invalid: Mapping[str, InvalidDefinition]


def folder_of(workspace: Path) -> Path:
    return workspace / FRAMEWORK / FOLDER


def load_definitions(workspace: Path, read: Read, pending: Iterable[Path] = ()) -> Definitions:
    """Read and judge every definition. `pending`: files that a changeset is about to create, which no folder lists yet.

    A file that is bad in any way is an invalid definition and hides no other. Raises Refusal only when the folder cannot be listed.
    """
    folder = folder_of(workspace)
    files = {path.name: path for path in pending if path.parent == folder}
    files |= {name: folder / name for name in _listed(folder)}
    valid: dict[str, Definition] = {}
    invalid: dict[str, InvalidDefinition] = {}
    sources = _sources(name for name in files if name.endswith(SUFFIX))
    spellings: dict[str, list[str]] = {}
    for name in sources:
        spellings.setdefault(name.lower(), []).append(name)
    for name in sorted(sources):
        for file_name, source in sources[name]:
            data = _read(files[file_name], read)
            if data is None:
                continue
            found = judge(name, files[file_name], source, data)
            rivals = [other for other in spellings[name.lower()] if other != name]
            if rivals:
                found = _collided(found, rivals)
            if isinstance(found, Definition):
                valid[name] = found
            else:
                invalid[found.name] = found
            break
    return Definitions(valid, invalid)


def judge(
    name: str, path: Path, source: str, data: bytes | Refusal, shown: str | None = None
) -> Definition | InvalidDefinition:
    """What the bytes of one definition file are. `data`: a Refusal when it could not be read. `shown`: what messages call it."""
    shown = shown or f"{FRAMEWORK}/{FOLDER}/{path.name}"
    faults: list[Fault] = []
    if reason := name_fault(name):
        faults.append(fault(shown, "", None, f"called after {reason}", NAME_RULE))
    document: dict[str, Any] = {}
    if isinstance(data, Refusal):
        reason = data.message.rpartition(": ")[2]
        found = "no regular file" if data.code == "not-a-file" else f"unreadable ({reason})"
        faults.append(fault(shown, "", None, found, "a file that can be read"))
    elif len(data) > MAX_BYTES:
        faults.append(fault(shown, "", None, f"{len(data)} bytes long", f"at most {MAX_BYTES} bytes"))
    else:
        try:
            document = parse_object(data)
        except Malformed as error:
            faults.append(fault(shown, error.pointer, error.line, error.found, error.allowed))
        else:
            if not _fits(document):
                faults += explain(document, shown, text_of(data))
    if faults:
        return InvalidDefinition(name if not name_fault(name) else printable(name), path, source, tuple(faults))
    return _definition(name, path, source, document)


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Refusal(
            "definitions-unreadable",
            f"{folder} cannot be listed: {error.strerror}",
            "It must be a folder that can be read; mend that and run the command again.",
        ) from error


def _sources(names: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """File names and sources by server name, the one that counts first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names):
        if name.endswith(BUILT_IN_SUFFIX):
            found.setdefault(name.removesuffix(BUILT_IN_SUFFIX), []).append((name, BUILT_IN))
        else:
            files = found.setdefault(name.removesuffix(SUFFIX), [])
            files.insert(0, (name, SHADOWING if files else CUSTOM))
    return found


def _read(path: Path, read: Read) -> bytes | Refusal | None:
    try:
        return read(path)
    except Refusal as refusal:
        return refusal


def _collided(found: Definition | InvalidDefinition, rivals: list[str]) -> InvalidDefinition:
    shown = f"{FRAMEWORK}/{FOLDER}/{found.path.name}"
    names = " and ".join(map(printable, rivals))
    collision = fault(
        shown, "", None, f"named like {names} but for the case of letters", "names that differ in more than case"
    )
    faults = found.faults if isinstance(found, InvalidDefinition) else ()
    return InvalidDefinition(found.name, found.path, found.source, (collision, *faults))


def _fits(document: Mapping[str, Any]) -> bool:
    """The quick check: exactly what `schemas/definition.json` takes."""
    if not document.keys() <= _KNOWN:
        return False
    command, args, env = document.get("command"), document.get("args", []), document.get("env", {})
    if not isinstance(command, str) or not isinstance(args, list) or not isinstance(env, dict):
        return False
    words = [document[key] for key in (PACKAGE, MODULE, REQUIREMENT) if key in document]
    texts = [command, *args, *env.values(), *words]
    if not all(isinstance(text, str) for text in texts) or not all(text.strip() for text in (command, *words)):
        return False
    try:
        "".join([*texts, *env]).encode()
    except UnicodeEncodeError:
        return False
    if (command == COMMAND_TOKEN) != (args == [ARGS_TOKEN]):
        return False
    free = list(env.values()) if command == COMMAND_TOKEN else [command, *args, *env.values()]
    return not any("@@" in text and re.search(TOKEN, text) for text in free)


def _definition(name: str, path: Path, source: str, document: Mapping[str, Any]) -> Definition:
    return Definition(
        name,
        path,
        source,
        document["command"],
        tuple(document.get("args", ())),
        document.get("env", {}),
        document.get(PACKAGE),
        document.get(MODULE),
        document.get(REQUIREMENT),
        document["command"] == COMMAND_TOKEN,
    )
