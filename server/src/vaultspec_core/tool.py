"""The tool table: what an engine needs to list and call a tool. Neither engine nor protocol is known here.

A file in `tools/` exports `TOOL` and imports nothing but this module; the function that does the work is named, not imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Progress = Callable[[int, int, str], None]
"""Report `done`, `total`, `message`; a no-op when the caller asked for none, or there is neither total nor message. Raises Cancelled when the call was cancelled."""


def unreported(done: int, total: int, message: str) -> None:
    """The progress of work that nobody follows."""


class Cancelled(Exception):
    """The client cancelled the call; nothing more is written and nothing is answered."""


class Tool(NamedTuple):
    """One MCP tool.

    `arguments` and `result` are JSON Schemas (draft 2020-12) of the call's arguments and of `structuredContent`.
    `run`: `module:function` taking (vault, arguments with defaults filled in, progress) and giving (structured result, one-line summary);
    a failure of the whole call is a Refusal. `reads`: also on the read-only surface, with `read_only_arguments` if those differ.
    `destructive` None: the hint is not sent. `elsewhere`: another process does the work, so that such calls run one after the other beside
    those that use the vault.
    """

    name: str
    purpose: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]
    run: str
    reads: bool = False
    destructive: bool | None = False
    idempotent: bool = False
    read_only_arguments: Mapping[str, Any] | None = None
    elsewhere: bool = False
