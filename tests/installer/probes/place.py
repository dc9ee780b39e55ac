"""A workspace that a case breaks, and what the doctor must say of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

MODULE = "vaultspec_core.mcp_server.app"
PROGRAMS = str(Path(sys.executable).parent)
"""Where `uv` and `uvx` of the development environment are."""


class Place:
    """One installed workspace. `environ` is what the doctor sees; `windows` the platform that it judges launches for."""

    def __init__(self, root: Path, home: Path, environ: Mapping[str, str], cli: Callable[..., Any]) -> None:
        self.root = root
        self.home = home
        self.environ = {
            **environ,
            "PATH": os.pathsep.join([PROGRAMS, environ["PATH"]]),
            "UV_CACHE_DIR": str(home / "uv-cache"),
            "UV_PYTHON": sys.executable,
            "UV_PYTHON_DOWNLOADS": "never",
        }
        self.windows = False
        self._cli = cli

    def run(self, *words: str, code: int = 0) -> None:
        """A command line in the workspace."""
        result = self._cli(*words, cwd=self.root, env=self.environ)
        assert result.code == code, result.out + result.err

    def write(self, name: str, text: str | bytes) -> Path:
        """A file of the workspace, of an absolute path's own place otherwise."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{old!r} is not in {text}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def define(self, name: str, command: str = "search-mcp", **more: Any) -> None:
        self.write(f".vaultspec/mcps/{name}.json", json.dumps({"command": command, **more}))

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.root, env=self.environ, check=True, capture_output=True)

    def floor(self, version: str) -> None:
        """Let the workspace ask for that version of core."""
        self.edit(".vaultspec/workspace.json", '"install_mode"', f'"minimum_version": "{version}", "install_mode"')


class Told(NamedTuple):
    """A finding as the case expects it; `{ROOT}` and `{HOME}` stand for the folders."""

    message: str
    file: str | None = None
    command: str | None = None
    line: int | None = None


class Case(NamedTuple):
    """`breaks` a fresh workspace; of the one code, exactly these are `found`. `mode`: how it was installed."""

    breaks: Callable[[Place], object]
    found: tuple[Told, ...]
    mode: str = "tool"
    provider: str = "claude"
    git: bool = False
