"""What the tests of hooks, triggers and trust share: files that declare commands, and a person at a terminal."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result, Sandbox
from vaultspec_installer.cli import World, run

Person = Callable[..., Result]


def declare(root: Path, kind: str, name: str, **said: Any) -> Path:
    """Write `.vaultspec/KIND/NAME.json`."""
    path = root / f".vaultspec/{kind}/{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(said), encoding="utf-8")
    return path


def person_of(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Runs a command line as one who sits at a terminal and gives `answer` to every question."""

    def invoke(*words: str, answer: str = "y", env: dict[str, str] | None = None, cwd: Path | None = None) -> Result:
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{answer}\n" * 9))
        environ = {**sandbox.environ, **(env or {})}
        world = World(environ, cwd or sandbox.root, lambda: b"", out, err, terminal=True)
        return Result(run(list(words), world), out.getvalue(), err.getvalue())

    return invoke
