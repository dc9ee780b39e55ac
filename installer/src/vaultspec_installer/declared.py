"""Files that declare a command: `.vaultspec/hooks/NAME.json` and `.vaultspec/triggers/NAME.json` (docs/hooks.md is the format).

A file that is wrong in any way declares nothing: it is listed with its faults, and is never approved, rendered or run.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.files import real_target
from vaultspec_core.report import Refusal
from vaultspec_core.vault.names import valid_tag
from vaultspec_core.workspace import FRAMEWORK
from vaultspec_providers.contract import HOOK_EVENTS

from .json_text import Malformed, parse_object
from .trust import Standing, approvals, standing

SUFFIX = ".json"
LONGEST_SECONDS = 3600

Read = Callable[[Path], bytes | None]

EVENTS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "document.created": (("vault", "add"),),
    "document.edited": (("vault", "edit"), ("vault", "set-body"), ("vault", "set-frontmatter")),
    "document.renamed": (("vault", "rename"),),
    "step.checked": (("vault", "plan", "step", "check"),),
    "ledger.logged": (("vault", "exec", "log"),),
    "config.synced": (("sync",), ("spec", "mcps", "sync")),
}
"""The events of triggers, each with the verbs that it follows when they changed something."""


class Kind(NamedTuple):
    """Hooks or triggers. `folder` is also the word in their verbs."""

    folder: str
    noun: str
    events: tuple[str, ...]
    keys: frozenset[str]


_KEYS = frozenset({"event", "command", "timeout", "description"})
HOOKS = Kind("hooks", "hook", HOOK_EVENTS, _KEYS | {"matcher"})
TRIGGERS = Kind("triggers", "trigger", tuple(EVENTS), _KEYS)
KINDS = {kind.folder: kind for kind in (HOOKS, TRIGGERS)}


class Declared(NamedTuple):
    """One file. `faults` make everything that it says void; `standing` is the operator's approval of exactly these bytes."""

    kind: Kind
    name: str
    path: Path
    data: bytes
    said: Mapping[str, Any]
    faults: tuple[str, ...]
    standing: Standing

    @property
    def key(self) -> str:
        return f"{self.kind.folder}/{self.name}"

    @property
    def relative(self) -> str:
        return f"{FRAMEWORK}/{self.key}{SUFFIX}"

    @property
    def trusted(self) -> bool:
        return self.standing == "trusted" and not self.faults

    @property
    def line(self) -> str:
        """The command as one line for a shell."""
        command = self.said["command"]
        return command if isinstance(command, str) else shlex.join(command)


def all_of(root: Path, kind: Kind, environ: Mapping[str, str] | None, read: Read) -> list[Declared]:
    """Every file of the kind, by name; without an environment approvals are not looked up, and there are none.

    Raises Refusal: a folder or a record of ours that cannot be used.
    """
    entries = _entries(root / FRAMEWORK / kind.folder)
    names = [entry.removesuffix(SUFFIX) for entry in entries if entry.endswith(SUFFIX) and entry[0] != "."]
    approved = approvals(root, environ, read) if names and environ is not None else {}
    found = (_declared(root, kind, name, approved, read) for name in names)
    return [one for one in found if one is not None]


def named(root: Path, kind: Kind, name: str, environ: Mapping[str, str], read: Read) -> Declared:
    """The one of that name. Raises Refusal `unknown-hook` or `unknown-trigger`."""
    found = all_of(root, kind, environ, read)
    for one in found:
        if name in (one.name, one.relative, one.name + SUFFIX):
            return one
    from difflib import get_close_matches

    close = get_close_matches(name, [one.name for one in found], 1)
    meant = f"; did you mean {close[0]}?" if close else ""
    raise Refusal(
        f"unknown-{kind.noun}",
        f"there is no {kind.noun} {name!r} in {FRAMEWORK}/{kind.folder}{meant}",
        f"vaultspec-core spec {kind.folder} list",
    )


def unread(root: Path, kind: Kind) -> list[str]:
    """Files of the format that earlier releases used, which declare nothing here; paths from the workspace."""
    names = _entries(root / FRAMEWORK / kind.folder)
    return [f"{FRAMEWORK}/{kind.folder}/{name}" for name in names if name.endswith((".yaml", ".yml"))]


def place(root: Path, kind: Kind, name: str) -> Path:
    """Where a new one of that name goes. Raises Refusal for a name that is not kebab-case."""
    return real_target(root / FRAMEWORK / kind.folder / f"{valid_tag(name, 'name')}{SUFFIX}", (root,))


def _entries(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise Refusal("unreadable", f"{folder} cannot be read: {error.strerror}") from error


def _declared(root: Path, kind: Kind, name: str, approved: Mapping[str, str], read: Read) -> Declared | None:
    path = root / FRAMEWORK / kind.folder / f"{name}{SUFFIX}"
    try:
        path = real_target(path, (root,))
        data = read(path)
    except Refusal as refusal:
        return Declared(kind, name, path, b"", {}, (refusal.message,), "untrusted")
    if data is None:
        return None
    try:
        said = parse_object(data)
    except Malformed as error:
        at = f"line {error.line}: " if error.line else ""
        return Declared(kind, name, path, data, {}, (f"{at}the file is {error.found}",), "untrusted")
    faults = tuple(_faults(kind, said))
    return Declared(kind, name, path, data, said, faults, standing(approved, f"{kind.folder}/{name}", data))


def _faults(kind: Kind, said: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted(said.keys() - kind.keys):
        yield f"{json.dumps(key)} is not a key of a {kind.noun}"
    event = said.get("event")
    if event not in kind.events:
        yield f"`event` must be one of {', '.join(kind.events)}"
    command = said.get("command")
    words: list[Any] = command if isinstance(command, list) else [command]
    if not words or not all(map(_is_text, words)) or not words[0].strip():
        yield "`command` must be a line for a shell or a list of words"
    timeout = said.get("timeout", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, int) or not 1 <= timeout <= LONGEST_SECONDS:
        yield f"`timeout` must be a whole number of seconds from 1 to {LONGEST_SECONDS}"
    for key in ("matcher", "description"):
        if key in said and not _is_text(said[key]):
            yield f"`{key}` must be a text"


def _is_text(value: object) -> bool:
    """Whether it can be an argument of a program and stand in a file: without NUL and halves of surrogate pairs."""
    return isinstance(value, str) and "\0" not in value and not any(0xD800 <= ord(one) <= 0xDFFF for one in value)
