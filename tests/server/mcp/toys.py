"""Tools to test engines with: they say back what they got, report progress, refuse and break."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from vaultspec_core.mcp_server.table import ToolTable
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Progress, Tool

Answer = tuple[dict[str, Any], str]
Arguments = Mapping[str, Any]

ANYTHING = {"type": "object", "properties": {}}
ECHO = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "Said back."},
        "times": {"type": "integer", "minimum": 1, "maximum": 3, "default": 1},
        "note": {"type": ["string", "null"], "default": None},
    },
    "required": ["text"],
    "additionalProperties": False,
}


def echo(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    return {"said": arguments["text"] * arguments["times"], "note": arguments["note"], "vault": vault}, "1 echo"


def steps(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    progress(1, 2, "half")
    progress(2, 2, "")
    return {"steps": 2}, "2 steps"


def refuse(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    raise Refusal("out-of-cheese", "there is no cheese", "Buy cheese.", data={"shop": "closed"})


def fail(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    raise ValueError("the secret of the house")


def leave(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    raise SystemExit(5)


def unwritable(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    return {"value": object()}, "no JSON"


def chatter(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    """Prints where it should not, itself and through a child."""
    import os
    import subprocess
    import sys

    print("printed")
    os.write(1, b"written\n")
    child = "import sys; print('child'); sys.stdout.write(repr(sys.stdin.read()))"
    subprocess.run([sys.executable, "-c", child], check=True)
    return {"read": sys.stdin.read()}, "chatted"


def wait(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    """Works until it is cancelled, and is slow about everything."""
    done = 0
    while True:
        progress(done, 0, "working")
        done += 1
        time.sleep(0.01)


def match(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    """A regular expression that does not come to an end and never gives the interpreter away."""
    import re

    re.match(r"(a+)+$", "a" * 64 + "b")
    raise AssertionError("unreachable")


def spin(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    while True:
        pass


def slow_write(vault: Any, arguments: Arguments, progress: Progress) -> Answer:
    """Writes `begun`, works for a while without looking up, then writes `ended`."""
    from pathlib import Path

    Path("begun").touch()
    time.sleep(0.3)
    Path("ended").touch()
    progress(1, 2, "written")
    Path("too-much").touch()
    return {}, "written"


def _tool(name: str, arguments: Mapping[str, Any] = ANYTHING, **options: Any) -> Tool:
    return Tool(name, f"Toy {name}.", arguments, ANYTHING, f"{__name__}:{name}", **options)


NARROW = {**ECHO, "properties": {name: ECHO["properties"][name] for name in ("text", "times")}}  # type: ignore[index]
TOYS = [
    _tool("echo", ECHO, reads=True, read_only_arguments=NARROW),
    _tool("steps", reads=True),
    _tool("refuse", destructive=True),
    *map(_tool, ("fail", "leave", "unwritable", "chatter", "wait", "match", "spin", "slow_write")),
    Tool("elsewhere", "Toy wait beside others.", ANYTHING, ANYTHING, f"{__name__}:wait", elsewhere=True),
]


def table(read_only: bool = False) -> ToolTable:
    return ToolTable(TOYS, read_only, lambda: "a vault")
