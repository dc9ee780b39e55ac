"""A machine of its own for scripts that race and kill: a home folder, workspaces, and our commands and servers as real processes."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

from vaultspec_core.staging import TEMPORARY

ROOT = Path(__file__).resolve().parents[1]
SOURCES = [str(ROOT / part / "src") for part in ("providers", "server", "installer")]
KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR")
PATIENCE_SECONDS = 300


class Ended(Exception):
    """The server is gone: no answer came."""


class Server:
    """An MCP server as a client starts it. `call` waits for the answer."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self._in: IO[bytes] = process.stdin
        self._out: IO[bytes] = process.stdout
        self._ids = itertools.count()
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "race", "version": "1"}}
        self._request("initialize", hello)

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The structured answer. Raises Ended when the server is gone, AssertionError when the call as such failed."""
        answer = self._request("tools/call", {"name": tool, "arguments": arguments})
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        assert not result.get("isError"), result
        structured: dict[str, Any] = result["structuredContent"]
        return structured

    def close(self) -> None:
        """End it as a client does: by closing its input."""
        self._in.close()
        assert self.process.wait(PATIENCE_SECONDS) == 0
        self._out.close()

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        frame = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        try:
            self._in.write(json.dumps(frame).encode() + b"\n")
            self._in.flush()
            line = self._out.readline()
        except (BrokenPipeError, ValueError):
            raise Ended from None
        if not line.endswith(b"\n"):
            raise Ended
        answer: dict[str, Any] = json.loads(line)
        return answer


class Machine:
    """`home` and `environ` of the machine below a folder; nothing outside is read or written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.home = self.folder / "home"
        self.home.mkdir()
        self.environ = {name: os.environ[name] for name in KEPT if name in os.environ} | {
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "CODEX_HOME": str(self.home / ".codex"),
            "CLAUDE_CONFIG_DIR": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "VAULTSPEC_STATE_DIR": str(self.home / "state" / "vaultspec"),
            "PYTHONPATH": os.pathsep.join(SOURCES),
            "NO_COLOR": "1",
        }

    def workspace(self, name: str) -> Path:
        """A new workspace in tool mode, with every client."""
        root = self.folder / name
        root.mkdir()
        self.done(root, "install", "--mode", "tool")
        return root

    def start(self, root: Path, *words: str) -> subprocess.Popen[str]:
        """A command under way."""
        return subprocess.Popen(
            [sys.executable, "-m", "vaultspec_installer", *words],
            cwd=root,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, root: Path, *words: str) -> tuple[int, str]:
        """A command to its end: its exit code and everything that it said."""
        process = self.start(root, *words)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        return process.returncode, out + err

    def done(self, root: Path, *words: str) -> str:
        """A command that must succeed."""
        code, said = self.run(root, *words)
        assert code == 0, f"{' '.join(words)}: {code}: {said}"
        return said

    def serve(self, root: Path) -> Server:
        return Server(
            subprocess.Popen(
                [sys.executable, "-m", "vaultspec_core.mcp_server.app"],
                cwd=root,
                env=self.environ,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        )

    def litter(self) -> list[str]:
        """Staged files and journals that lie about."""
        return sorted(
            str(path.relative_to(self.folder))
            for path in self.folder.rglob("*")
            if path.name.startswith(TEMPORARY) or (path.suffix == ".json" and path.parent.name == "data")
        )
