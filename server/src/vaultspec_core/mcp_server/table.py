"""The tool table of a server: what it lists, and how a call of a tool becomes a result. Both engines answer from here."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from vaultspec_core import tools
from vaultspec_core.load import load
from vaultspec_core.mcp_server.arguments import near, settle
from vaultspec_core.mcp_server.calls import Call
from vaultspec_core.mcp_server.frame import INTERNAL_ERROR, INVALID_PARAMS, Fault, encode
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Cancelled, Tool

ORDER = ("find", "create", "edit", "status", "check", "plan_progress", "plan_edit", "log", "discover", "invoke")
"""How the documented tools are listed; any other comes after them, by name."""

Notify = Callable[[dict[str, Any]], None]
"""Sends the parameters of a `notifications/progress`."""

T = TypeVar("T")


def registry() -> list[Tool]:
    """Every tool that the folder `tools/` declares, in the order in which they are listed."""
    names = {entry.removesuffix(".py") for entry in os.listdir(tools.__path__[0]) if entry.endswith(".py")}
    found = {name: load(f"vaultspec_core.tools.{name}:TOOL") for name in names - {"__init__"}}
    return [found[name] for name in sorted(found, key=lambda name: (name not in ORDER, _place(name), name))]


def _place(name: str) -> int:
    return ORDER.index(name) if name in ORDER else 0


def open_table(root: str, read_only: bool) -> ToolTable:
    """The table of the workspace at `root`; its vault is opened by the first call that needs it."""
    return ToolTable(registry(), read_only, lambda: load("vaultspec_core.vault.vault:Vault").open(Path(root)))


class ToolTable:
    """`tools`: the registry. `open_vault`: gives what handlers get as their vault; it may raise Refusal."""

    def __init__(self, tools: Sequence[Tool], read_only: bool, open_vault: Callable[[], Any]) -> None:
        self._read_only = read_only
        self._open_vault = open_vault
        self._vault: Any = None
        self._all = {tool.name: tool for tool in tools}
        self._offered = {name: tool for name, tool in self._all.items() if tool.reads or not read_only}

    def listing(self) -> list[dict[str, Any]]:
        """The `tools` of a `tools/list` result."""
        return [
            {
                "name": tool.name,
                "description": tool.purpose,
                "inputSchema": self._schema(tool),
                "outputSchema": tool.result,
                "annotations": self._annotations(tool),
            }
            for tool in self._offered.values()
        ]

    def elsewhere(self, name: str) -> bool:
        """Whether calls of this tool leave the vault to others (an unknown tool is refused wherever it runs)."""
        return name in self._offered and self._offered[name].elsewhere

    def perform(self, call: Call, notify: Notify, finish: Callable[[dict[str, Any]], T]) -> T | None:
        """What `finish` makes of the `tools/call` result; None when the call was cancelled. Raises Fault."""
        if call.cancelled:
            return None

        def progress(done: int, total: int, message: str) -> None:
            if call.cancelled:
                raise Cancelled
            if call.token is not None and (total or message):
                said = {"message": message} if message else {}
                notify({"progressToken": call.token, "progress": done, "total": total, **said})

        try:
            structured, summary = self._run(call, progress)
            return finish(_result(call, structured, summary))
        except Cancelled:
            return None
        except Refusal as refusal:
            raise _fault(refusal) from refusal
        except (Exception, SystemExit) as error:  # the one place where a tool's own fault ends
            traceback.print_exc()
            raise Fault(INTERNAL_ERROR, "internal error") from error

    def _run(self, call: Call, progress: Callable[[int, int, str], None]) -> tuple[dict[str, Any], str]:
        tool = self._offered.get(call.name)
        if tool is None:
            raise self._unknown(call.name)
        schema = self._schema(tool)
        withheld = frozenset(tool.arguments["properties"]) - frozenset(schema["properties"])
        arguments = settle(schema, call.arguments, withheld)
        if self._vault is None:
            self._vault = self._open_vault()
        answer: tuple[dict[str, Any], str] = load(tool.run)(self._vault, arguments, progress)
        return answer

    def _unknown(self, name: str) -> Refusal:
        if name in self._all:
            message = f"tool `{name}` is not offered by a read-only server"
        else:
            message = f"there is no tool `{name}`{near(name, self._offered)}"
        return Refusal("unknown-tool", message, f"The tools are {', '.join(self._offered)}.", data={"tool": name})

    def _schema(self, tool: Tool) -> Mapping[str, Any]:
        narrowed = tool.read_only_arguments if self._read_only else None
        return tool.arguments if narrowed is None else narrowed

    def _annotations(self, tool: Tool) -> dict[str, bool]:
        """A tool that writes only with arguments of the full surface is read-only on the narrow one."""
        reads = tool.reads and (self._read_only or tool.read_only_arguments is None)
        hints = {"readOnlyHint": reads}
        if not reads and tool.destructive is not None:
            hints["destructiveHint"] = tool.destructive
        return {**hints, "idempotentHint": tool.idempotent, "openWorldHint": False}


def _result(call: Call, structured: dict[str, Any], summary: str) -> dict[str, Any]:
    """A client too old for structured content gets the data as its text (and beside it, for one that is newer than it says)."""
    text = summary if call.structured else encode(structured).decode()
    return {"content": [{"type": "text", "text": text}], "isError": False, "structuredContent": structured}


def _fault(refusal: Refusal) -> Fault:
    message = f"{refusal.message} (hint: {refusal.hint})" if refusal.hint else refusal.message
    hint = {"hint": refusal.hint} if refusal.hint else {}
    return Fault(INVALID_PARAMS, message, {"code": refusal.code, **hint, **refusal.data})
