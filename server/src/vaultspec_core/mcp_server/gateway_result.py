"""What `invoke` says of a verb that ran: the JSON document taken apart, or its text, and what went wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from vaultspec_core.mcp_server.gateway_catalogue import Entry
from vaultspec_core.mcp_server.gateway_process import Ran
from vaultspec_core.report import OK, USAGE

TEXT_CHARACTERS = 65_536
"""The most text of stdout, and of stderr, that a result holds; `truncated` says that there was more."""

TIMED_OUT = -1
"""The exit code of a verb that was ended because its time was over."""


def structured(entry: Entry, ran: Ran, command: Sequence[str], timeout: float) -> dict[str, Any]:
    """The result of the tool. A verb whose stdout is one document of ours has `data`, `schema` and `status`, also where it failed."""
    document = _document(ran.stdout) if entry.supports_json and ran.exit_code not in (None, USAGE) else None
    kind = _kind(entry, ran, document)
    shows_text = document is None and ran.exit_code != USAGE and (ran.stdout != "" or kind is None)
    stdout = ran.stdout if shows_text else None
    stderr = ran.stderr if kind else ""
    cut = ran.truncated or any(len(text or "") > TEXT_CHARACTERS for text in (stdout, stderr))
    code = TIMED_OUT if ran.exit_code is None else ran.exit_code
    return {
        "verb": entry.verb,
        "ok": kind is None,
        "exit_code": code,
        "format": "text" if document is None else "json",
        "data": None if document is None else document["data"],
        **({} if document is None else {"schema": document["schema"], "status": document["status"]}),
        "stdout": None if stdout is None else stdout[:TEXT_CHARACTERS],
        "error": kind
        and {
            "kind": kind,
            "exit_code": code,
            "stderr": stderr[:TEXT_CHARACTERS],
            "message": _message(kind, ran, timeout),
        },
        **({"truncated": True} if cut else {}),
        "command": list(command),
    }


def _document(stdout: str) -> dict[str, Any] | None:
    """The envelope that every verb with `--json` prints; None for anything else."""
    try:
        found = json.loads(stdout)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or "data" not in found:
        return None
    named = isinstance(found.get("schema"), str) and isinstance(found.get("status"), str)
    return found if named else None


def _kind(entry: Entry, ran: Ran, document: dict[str, Any] | None) -> str | None:
    if ran.exit_code is None:
        return "timeout"
    if ran.exit_code != OK:
        return "nonzero_exit"
    return "json_parse" if entry.supports_json and document is None else None


def _message(kind: str, ran: Ran, timeout: float) -> str:
    match kind:
        case "timeout":
            return f"verb timed out after {timeout:g} seconds"
        case "json_parse":
            return f"verb printed {'more JSON than is read' if ran.truncated else 'no JSON document of ours'}"
        case _:
            return f"verb exited with status {ran.exit_code}"
