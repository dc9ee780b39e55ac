"""Ends the server when its client is gone though the input never ended, as when another process holds the pipe open.

The rule (`decide`) is pure. What a platform can see is a Probe: `posix_probe`, `windows_probe`. Only a confirmed death counts; whoever cannot
be judged is alive.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import suppress

from vaultspec_core.load import load
from vaultspec_core.mcp_server.wire import note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, Protocol

    State = Literal["alive", "dead", "unknown"]

    class Probe(Protocol):
        """What a platform can see of the client."""

        def explicit(self) -> Sighting | None:
            """The process that `--parent-pid` names; None when none is named."""

        def client(self) -> Sighting | None:
            """The client; None when this look found no process that could be it."""

        def pause(self, seconds: float) -> None:
            """Wait, not longer than until the client ends where the platform can tell at once."""


SWITCH = "VAULTSPEC_STDIO_WATCHDOG"
OFF = frozenset({"0", "false", "off", "no"})

LOOK_SECONDS = 2.0
LOST_LOOKS = 15
"""So many looks in a row must have found nobody before the server takes itself for an orphan."""


class Sighting:
    """A process at one moment. `name`: what the event line calls it."""

    __slots__ = ("name", "pid", "state")

    def __init__(self, pid: int, name: str, state: State) -> None:
        self.pid = pid
        self.name = name
        self.state = state


class Reap:
    """The decision to end, and why. `dead` None: nobody was ever found."""

    __slots__ = ("dead", "reason")

    def __init__(self, reason: Literal["watched_process_exit", "unanchored_orphan"], dead: Sighting | None) -> None:
        self.reason = reason
        self.dead = dead


def decide(explicit: Sighting | None, client: Sighting | None, lost_looks: int) -> Reap | None:
    """What the looks so far mean; None: go on serving. `lost_looks`: how many in a row, this one included, found no client."""
    for seen in (explicit, client):
        if seen is not None and seen.state == "dead":
            return Reap("watched_process_exit", seen)
    if client is None and explicit is None and lost_looks >= LOST_LOOKS:
        return Reap("unanchored_orphan", None)
    return None


def start(
    environ: Mapping[str, str], started_by: int, parent_pid: int | None, source: int, leave: Callable[[int], None]
) -> None:
    """Watch from a thread of its own, unless it is switched off. `started_by`: the parent when the process began; `source`: the
    descriptor of the client's pipe; `leave` ends the process. A watchdog that cannot start is a line on stderr."""
    if environ.get(SWITCH, "").strip().lower() in OFF:
        return
    try:
        threading.Thread(
            target=_watch, args=(started_by, parent_pid, source, leave), name="watchdog", daemon=True
        ).start()
    except RuntimeError as error:
        note(f"the lifetime watchdog cannot start ({error}); the server ends with its input")


def _watch(started_by: int, parent_pid: int | None, source: int, leave: Callable[[int], None]) -> None:
    time.sleep(LOOK_SECONDS)  # the client's first answer comes before the probe is loaded
    system = "windows" if sys.platform == "win32" else "posix"
    probe = load(f"vaultspec_core.mcp_server.{system}_probe:probe")(started_by, parent_pid, source)
    watch(probe, leave, _say)


def watch(probe: Probe, leave: Callable[[int], None], say: Callable[[dict[str, Any]], None]) -> None:
    """Look until the client is gone, then say so and leave with 0."""
    lost_looks = 0
    while True:
        explicit, client = probe.explicit(), probe.client()
        lost_looks = 0 if client is not None else lost_looks + 1
        reap = decide(explicit, client, lost_looks)
        if reap is not None:
            break
        probe.pause(LOOK_SECONDS)
    if reap.reason == "unanchored_orphan":
        say({"event": "stdio_watchdog_disarmed", "shim_pid": os.getpid(), "reason": reap.reason})
    say(
        {
            "event": "stdio_watchdog_exit",
            "shim_pid": os.getpid(),
            "dead_ancestor_pid": reap.dead and reap.dead.pid,
            "dead_ancestor_exe": reap.dead and reap.dead.name,
            "reason": reap.reason,
        }
    )
    leave(0)


def _say(event: dict[str, Any]) -> None:
    with suppress(OSError):  # stderr may have gone with the client
        os.write(2, json.dumps(event).encode() + b"\n")
