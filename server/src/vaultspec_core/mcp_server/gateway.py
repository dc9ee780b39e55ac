"""`discover` and `invoke`: the way to the verbs that have no tool of their own, through the command line that runs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vaultspec_core.mcp_server.gateway_arguments import argument_words, operand_words
from vaultspec_core.mcp_server.gateway_catalogue import BLOCKED, Entry, catalogue, permitted
from vaultspec_core.mcp_server.gateway_process import run
from vaultspec_core.mcp_server.gateway_ranking import rank
from vaultspec_core.mcp_server.gateway_result import structured
from vaultspec_core.tool import Progress
from vaultspec_core.vault.vault import Vault

PROGRAM = "vaultspec-core"


def discover(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The tool. Raises Refusal `gateway-unavailable`."""
    offered = [entry for entry in catalogue(vault.root) if entry.denied is None and entry.deprecated is None]
    ranked = rank(arguments["query"], offered)[: arguments["limit"]]
    found = [_schema(entry, score) for score, entry in ranked]
    noun = "verb" if len(found) == 1 else "verbs"
    return {"query": arguments["query"], "count": len(found), "verbs": found}, f"{len(found)} {noun}"


def invoke(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The tool. Before a process starts it raises Refusal `gateway-unavailable`, `unknown-verb`, `verb-denied` or `invalid-argument`."""
    entries = catalogue(vault.root)
    entry = permitted(entries, arguments["verb"])
    words = ["--target", str(vault.root), *entry.verb.split()]
    words += operand_words(entry, arguments["positionals"] or [], vault.root)
    words += argument_words(entry, arguments["arguments"] or {}, vault.root)
    words += ["--json"] if entry.supports_json else []
    ran = run(words, vault.root, arguments["timeout"], lambda: progress(0, 0, ""))
    result = structured(entry, ran, [PROGRAM, *words], arguments["timeout"])
    outcome = "ok" if result["ok"] else f"failed ({result['error']['kind']})"
    return result, f"{entry.verb}: {outcome}"


def _schema(entry: Entry, score: float) -> dict[str, Any]:
    return {
        "verb": entry.verb,
        "description": entry.description,
        "score": score,
        "supports_json": entry.supports_json,
        "flags": [
            {"name": flag.name, "takes_value": flag.takes_value, "help": flag.help}
            for flag in entry.flags
            if flag.name not in BLOCKED
        ],
        "arguments": [
            {"name": operand.name, "required": operand.required, "variadic": operand.variadic}
            for operand in entry.arguments
        ],
    }
