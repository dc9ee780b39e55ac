"""What a provider (one MCP client) tells the product: where its host files lie and how an entry is spelled in them.

Everything here is bytes in, bytes out: nothing in this distribution opens a file for writing, takes a lock, or knows
who owns an entry. A client is added by one file in `clients/` that exports `PROVIDER`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

Entry = Mapping[str, Any]
"""One server as a host file says it: the parsed JSON object or TOML table."""


class Scope(StrEnum):
    """How far an enrollment reaches: the repository, this user in this repository, or this user everywhere."""

    PROJECT = "project"
    LOCAL = "local"
    USER = "user"


class HostFileError(Exception):
    """A host file that cannot be read or edited safely. `line` and `column` count from 1; None when there is no place."""

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


class LocationError(Exception):
    """The place of a host file cannot be told from this environment (HOME or an override is unusable)."""


class Launch(NamedTuple):
    """A neutral launch: what every host file says in its own dialect. Compared by value."""

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = {}


class Note(NamedTuple):
    """Something about a host file that its own client may not like, though we read and keep it.

    `code` is one of `comments`, `trailing-commas`, `bom`, `duplicate-key`; `line` counts from 1.
    """

    code: str
    line: int


class Reading(NamedTuple):
    """What a host file says about servers.

    `entries`: every server by name, in file order, values as parsed (a value need not be an object).
    `region`: names that stand inside our marked region; None for formats without markers.
    `displaced`: a marked region that is lost, half, doubled or displaced and can be restored from `owned`.
    """

    entries: Mapping[str, Any]
    region: frozenset[str] | None = None
    displaced: bool = False
    notes: tuple[Note, ...] = ()


class Format(Protocol):
    """How one kind of host file holds its servers, already pointed at the place inside the file.

    `data` is the whole file, or None when there is none. `owned` are the names that the ownership record gives us in
    this file: a format with markers needs them to tell what is ours when the markers do not.
    """

    def read(self, data: bytes | None, owned: Collection[str] = ()) -> Reading:
        """Parse the file. An empty or blank file is an empty object. Raises HostFileError."""
        ...

    def apply(
        self, data: bytes | None, changes: Mapping[str, Entry | None], owned: Collection[str] = ()
    ) -> bytes | None:
        """The file with each name of `changes` set to its entry, or removed where that is None.

        Every byte outside the named entries (and our region) stays as it was; a name whose parsed value is equal already is
        left alone unless it must move into the region. Raises HostFileError when that cannot be done or proved.
        None: nothing of anybody is left, so that the file should go.
        """
        ...


class Surroundings(NamedTuple):
    """What a location depends on: the workspace's real path, the user's home (None: it has none that can be used) and
    the environment's variables."""

    workspace: Path
    home: Path | None
    environ: Mapping[str, str]


class Location(NamedTuple):
    """One host file and the way servers stand in it."""

    path: Path
    format: Format


class Hook(NamedTuple):
    """A command that a client is to run at one of `HOOK_EVENTS`. `command`: one line for a shell; `matcher`: which tools or
    sources it is about, in the client's own words, empty for all; `timeout` in seconds, None for the client's own."""

    event: str
    command: str
    matcher: str = ""
    timeout: int | None = None


HOOK_EVENTS = (
    *("session-start", "session-end", "prompt", "before-tool", "after-tool"),
    *("before-compact", "notification", "subagent-stop", "stop"),
)
"""When a client can run a command, in neutral words. A client need not know all of them."""


class HookFormat(Protocol):
    """How one kind of host file holds hooks. An entry is a hook together with its event, as the file says it."""

    def entry(self, hook: Hook) -> Entry | None:
        """The hook in the client's dialect; None when it has no such event."""
        ...

    def read(self, data: bytes | None) -> list[Entry]:
        """Every hook of the file, foreign ones too, in its order. Raises HostFileError."""
        ...

    def apply(self, data: bytes | None, remove: Sequence[Entry], add: Sequence[Entry]) -> bytes | None:
        """The file without the one entries (each once, the last that is equal) and with the others, every other byte as it was.
        No entry is among both.

        Raises HostFileError when that cannot be done or proved. None: nothing of anybody is left.
        """
        ...


class HookLocation(NamedTuple):
    """The file in which a client looks for hooks, and the way they stand in it."""

    path: Path
    format: HookFormat


def plain_entry(launch: Launch) -> dict[str, Any]:
    """The dialect that most clients share: `command`, `args`, and `env` where there is one."""
    entry: dict[str, Any] = {"command": launch.command}
    if launch.args:
        entry["args"] = list(launch.args)
    if launch.env:
        entry["env"] = dict(launch.env)
    return entry


def plain_launch(entry: object) -> Launch | None:
    """The launch that an entry of the shared dialect means, or None when it says more or something else.

    Taken out as the clients' own defaults: an empty `args` or `env`, and `type: "stdio"`.
    """
    if not isinstance(entry, dict):
        return None
    if not set(entry) <= {"command", "args", "env", "type"} or entry.get("type", "stdio") != "stdio":
        return None
    command, args, env = entry.get("command"), entry.get("args", []), entry.get("env", {})
    if not isinstance(command, str) or not isinstance(args, list) or not isinstance(env, dict):
        return None
    if not all(isinstance(arg, str) for arg in args) or not all(isinstance(value, str) for value in env.values()):
        return None
    return Launch(command, tuple(args), dict(env))


class Provider(NamedTuple):
    """One MCP client.

    `locations`: for each supported scope, where the host file lies (raises LocationError).
    `entry` and `launch` translate between the neutral launch and the client's dialect; `launch` gives None for an entry
    that no launch of ours could have become by the client's own rewriting.
    `refuses`: codes of Note that the client is known or suspected to choke on.
    `by_default`: `install` without a name enrolls it.
    `next_step`: what the user does for the client to see a change, one sentence.
    `hooks`: where the client looks for hooks of a repository; None when it has no place for them.
    """

    name: str
    title: str
    locations: Mapping[Scope, Callable[[Surroundings], Location]]
    next_step: str
    source: str
    checked_against: str
    entry: Callable[[Launch], dict[str, Any]] = plain_entry
    launch: Callable[[object], Launch | None] = plain_launch
    refuses: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    by_default: bool = False
    hooks: Callable[[Surroundings], HookLocation] | None = None


def configured_folder(surroundings: Surroundings, variable: str, default: str) -> Path:
    """The folder that an environment variable names, or `default` below the user's home; blank counts as unset.

    Raises LocationError for a relative path, which would land somewhere else in each working directory, and without a home.
    """
    value = surroundings.environ.get(variable, "").strip()
    in_home = value[2:] if value.startswith("~/") else ("" if value == "~" else default)
    if not value or value == "~" or value.startswith("~/"):
        if surroundings.home is None:
            raise LocationError("HOME is not set to an existing folder")
        return surroundings.home / in_home
    if not Path(value).is_absolute():
        raise LocationError(f"{variable} is a relative path: {value!r}")
    return Path(value)
