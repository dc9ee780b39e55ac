"""The catalogue of verbs, learned from the command line that will run them, so that `discover` and `invoke` cannot disagree with it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.mcp_server.arguments import near
from vaultspec_core.mcp_server.gateway_process import run
from vaultspec_core.report import Refusal

BLOCKED = {
    "--editor": "it names a program to start, and no terminal is attached",
    "--body-stdin": "a tool call has no standard input",
}
"""Options that no verb gets from a tool call, whichever verb declares them, and why."""

RESERVED = ("--target", "--json", "--help")
"""Options that the server sets itself."""

LISTING = ("spec", "reference", "verbs", "--json")
_SECONDS = 60.0


class FlagEntry(NamedTuple):
    """An option, as the verb table declares it."""

    name: str
    takes_value: bool
    help: str
    repeatable: bool
    negatable: bool
    number: bool
    path: bool


class OperandEntry(NamedTuple):
    """An operand, as the verb table declares it."""

    name: str
    required: bool
    variadic: bool
    help: str
    path: bool


class Entry(NamedTuple):
    """A verb. `denied`: why the gateway never runs it. `deprecated`: what to use instead; it runs, but is not offered."""

    verb: str
    description: str
    supports_json: bool
    denied: str | None
    deprecated: str | None
    flags: tuple[FlagEntry, ...]
    arguments: tuple[OperandEntry, ...]


@cache
def catalogue(root: Path) -> tuple[Entry, ...]:
    """Every verb, asked for once per process. Raises Refusal `gateway-unavailable`."""
    ran = run(LISTING, root, _SECONDS, lambda: None)
    if ran.exit_code != 0:
        raise _unavailable(ran.stderr)
    import json

    try:
        rows = json.loads(ran.stdout)["data"]["verbs"]
        return tuple(_entry(row) for row in rows)
    except (ValueError, KeyError, TypeError) as error:
        raise _unavailable(f"its list of verbs is not one that this server knows: {error!r}") from error


def _entry(row: Mapping[str, Any]) -> Entry:
    flags = tuple(FlagEntry(*(flag[field] for field in FlagEntry._fields)) for flag in row["flags"])
    operands = tuple(OperandEntry(*(operand[field] for field in OperandEntry._fields)) for operand in row["arguments"])
    plain = {field: row[field] for field in ("verb", "description", "supports_json", "denied", "deprecated")}
    return Entry(**plain, flags=flags, arguments=operands)


def _unavailable(said: str) -> Refusal:
    if "No module named vaultspec_installer" in said:
        return Refusal(
            "gateway-unavailable",
            f"the command line is not installed beside this server ({sys.executable}), so there is no verb to search or run",
            "Install `vaultspec-core` into the environment that the server runs in.",
        )
    reason = next(iter(reversed(said.strip().splitlines())), "it ended without a word")
    return Refusal(
        "gateway-unavailable", f"the command line gives no list of its verbs: {reason}", "vaultspec-core doctor"
    )


def permitted(entries: Sequence[Entry], verb: str) -> Entry:
    """The verb with these words. Raises Refusal `unknown-verb` or `verb-denied`."""
    words = " ".join(verb.split())
    entry = next((entry for entry in entries if entry.verb == words), None)
    if entry is None:
        meant = near(words, [entry.verb for entry in entries if entry.denied is None])
        raise Refusal(
            "unknown-verb", f"there is no verb `{words}`{meant}", "`discover` finds verbs.", data={"verb": words}
        )
    if entry.denied is not None:
        raise Refusal(
            "verb-denied",
            f"`{words}` is on the gateway's denylist: {entry.denied}",
            f"Run `vaultspec-core {words}` at a terminal.",
            data={"verb": words},
        )
    return entry
