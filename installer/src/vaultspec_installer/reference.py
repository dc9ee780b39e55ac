"""The parts of the documentation that are written from the product itself, each a piece of Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from vaultspec_core.mcp_server.table import ToolTable, registry
from vaultspec_core.verb import Verb
from vaultspec_providers.registry import built_in_names
from vaultspec_providers.registry import load as load_provider

from .environment import VARIABLES
from .help import EXIT_CODES, PROGRAM, explained, flag_words, usage
from .probe import all_codes
from .table import all_verbs, find_verb


def verbs() -> str:
    """Every verb with its usage, options, example and document."""
    return "\n".join(_verb(verb) for verb in all_verbs() if not verb.hidden)


def _verb(verb: Verb) -> str:
    options = [(flag_words(flag), explained(flag)) for flag in verb.flags]
    operands = [(operand.name.upper(), explained(operand)) for operand in verb.operands]
    notes = [
        f"JSON: `{verb.document}`" if verb.json else "No JSON",
        f"the gateway does not run it: {verb.denied}" if verb.denied else "",
        *(f"exit {code}: {meaning}" for code, meaning in verb.exits),
    ]
    parts = [
        f"### {verb.name}",
        verb.summary,
        f"Deprecated: {verb.deprecated}." if verb.deprecated else "",
        f"```\n{usage(verb)}\n```",
        _table(("Word", "Meaning"), ((f"`{left}`", right) for left, right in [*operands, *options])).rstrip(),
        f"Example: `{verb.example}`",
        f"{'; '.join(filter(None, notes))}.",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def exit_codes() -> str:
    """What each exit code means; a verb's own are said with the verb."""
    return _table(("Code", "Meaning"), ((str(code), meaning) for code, meaning in EXIT_CODES))


def environment() -> str:
    """The variables that are read."""
    return _table(("Variable", "Default", "Controls"), ((f"`{row[0]}`", *row[1:]) for row in VARIABLES))


def schemas() -> str:
    """The names of the published schemas."""
    verb = find_verb(["spec", "reference", "schema"])
    names = verb.operands[0].choices if verb else ()
    return _table(("Schema", "Print it"), ((name, f"`{PROGRAM} spec reference schema {name}`") for name in names))


def clients() -> str:
    """The clients that come with the product."""
    found = [provider for name in built_in_names() if (provider := load_provider(name))]
    return _table(
        ("Client", "Name", "Scopes", "Checked against"),
        (
            (f"[{one.title}]({one.source})", f"`{one.name}`", ", ".join(one.locations), one.checked_against)
            for one in found
        ),
    )


def tools() -> str:
    """The tools that the server lists, with their hints."""
    listing = _listing()
    rows = ((f"`{tool['name']}`", tool["description"], _hints(tool["annotations"])) for tool in listing)
    return f"The server exposes {len(listing)} tools.\n\n" + _table(("Tool", "Purpose", "Annotations"), rows)


def provenance() -> str:
    """Which of the tools the published release has."""
    published = json.loads((Path(__file__).parent / "published.json").read_text(encoding="utf-8"))
    newer = [tool["name"] for tool in _listing() if tool["name"] not in published["tools"]]
    lacks = f"it does not have {', '.join(f'`{name}`' for name in newer)}" if newer else "every tool above is in it"
    return f"The latest published release is {published['release']}, and {lacks}.\n"


def findings() -> str:
    """Every kind of finding of the doctor: what it means, what mends it, and how it reads."""
    return "\n".join(
        f"### {code.name}\n\n{code.severity.capitalize()}{'' if code.fails else ', which leaves the exit code alone'}. "
        f"{code.meaning}\n\n{code.mend}\n\n```text\n{code.example}\n```\n"
        for code in all_codes()
    )


def _listing() -> list[dict[str, Any]]:
    return ToolTable(registry(), False, lambda: None).listing()


def _hints(annotations: Mapping[str, bool]) -> str:
    if annotations["readOnlyHint"]:
        writes = "read-only"
    else:
        writes = "destructive" if annotations.get("destructiveHint", True) else "non-destructive"
    return f"{writes}, {'idempotent' if annotations['idempotentHint'] else 'not idempotent'}"


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    cells = [tuple(cell.replace("|", "\\|") for cell in row) for row in rows]
    if not cells:
        return ""
    return "".join(f"| {' | '.join(row)} |\n" for row in (columns, ("---",) * len(columns), *cells))


SECTIONS: Mapping[str, Callable[[], str]] = {
    "verbs": verbs,
    "exit-codes": exit_codes,
    "environment": environment,
    "schemas": schemas,
    "clients": clients,
    "tools": tools,
    "provenance": provenance,
    "findings": findings,
}
"""What may stand between markers, by name."""
