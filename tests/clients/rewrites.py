"""The recorded rewrites of `fixtures/rewrites`, and a workspace in which each can be replayed."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import ROOT, Sandbox

FOLDER = ROOT / "fixtures/rewrites"


class Rewrite(NamedTuple):
    """One rewrite. `commands`: the client's, each as words. `status`: the client's row of status after them, in part."""

    folder: Path
    client: str
    scope: str
    commands: list[list[str]]
    status: dict[str, Any]

    def text(self, stage: str, sandbox: Sandbox) -> bytes | None:
        """The host file at that stage for this sandbox's workspace; None when there is none."""
        found = list(self.folder.glob(f"{stage}.*"))
        return found[0].read_bytes().replace(b"<ROOT>", str(sandbox.root).encode()) if found else None

    def host_file(self, sandbox: Sandbox) -> Path:
        """Where the client keeps its servers at this scope."""
        if self.client == "codex":
            return sandbox.home / ".codex/config.toml"
        return sandbox.root / ".mcp.json" if self.scope == "project" else sandbox.home / ".claude.json"


def rewrites() -> list[Rewrite]:
    """Every recorded rewrite."""
    found = []
    for path in sorted(FOLDER.glob("*/*/case.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        commands = [shlex.split(command) for command in case["commands"]]
        found.append(Rewrite(path.parent, path.parent.parent.name, case["scope"], commands, case["status"]))
    return found


def name_of(rewrite: Rewrite) -> str:
    return f"{rewrite.client}-{rewrite.folder.name}"
