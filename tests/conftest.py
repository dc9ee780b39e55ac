"""Every test lives in a sandbox: HOME, the clients' folders and the state directory point into a temporary folder.

A guard fails the suite when anything outside changes.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = [str(ROOT / part / "src") for part in ("providers", "server", "installer")]
os.environ["PYTHONPATH"] = os.pathsep.join([*SOURCES, *filter(None, [os.environ.get("PYTHONPATH")])])

from vaultspec_installer.cli import World, run  # noqa: E402

REAL_HOME = Path(os.environ.get("HOME", "/nonexistent"))
GUARDED = (
    ".claude.json",
    ".claude",
    ".codex",
    ".gemini",
    ".agents",
    ".vaultspec",
    ".local/state/vaultspec",
    ".mcp.json",
)
SANDBOXED = ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "VAULTSPEC_STATE_DIR")


@dataclass(frozen=True)
class Sandbox:
    """Folders of one test and the environment that points there."""

    home: Path
    root: Path
    environ: dict[str, str]


@dataclass(frozen=True)
class Result:
    """What a command line said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        lines = self.out.splitlines()
        assert len(lines) == 1, f"not one JSON document: {self.out!r}"
        return json.loads(lines[0])

    @property
    def data(self) -> Any:
        return self.json["data"]


@pytest.fixture(autouse=True)
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """HOME and a workspace folder of the test's own; the same environment for this process and its children."""
    home, root = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    root.mkdir()
    for name in list(os.environ):
        if (
            (name.startswith("VAULTSPEC_") and name != "VAULTSPEC_TEST_LONG")
            or name in SANDBOXED
            or name in ("VISUAL", "EDITOR")
        ):
            monkeypatch.delenv(name)
    values = {
        "HOME": home,
        "USERPROFILE": home,
        "CODEX_HOME": home / ".codex",
        "CLAUDE_CONFIG_DIR": home,
        "XDG_STATE_HOME": home / "state",
        "XDG_CONFIG_HOME": home / "config",
        "VAULTSPEC_STATE_DIR": home / "state" / "vaultspec",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(root)
    return Sandbox(home, root, dict(os.environ))


@pytest.fixture
def cli(sandbox: Sandbox) -> Callable[..., Result]:
    """Run the command line in this process: `cli("spec", "mcps", "status", "--json", cwd=..., env=..., stdin=...)`."""

    def invoke(
        *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, stdin: bytes = b""
    ) -> Result:
        out, err = io.StringIO(), io.StringIO()
        environ = {**sandbox.environ, **(env or {})}
        world = World(environ, cwd or sandbox.root, lambda: stdin, out, err, terminal=False)
        code = run(list(words), world)
        return Result(code, out.getvalue(), err.getvalue())

    return invoke


@pytest.fixture
def command(sandbox: Sandbox) -> Callable[..., Any]:
    """Run the command line as a real process of this interpreter; gives a CompletedProcess with text output."""
    import subprocess

    def invoke(*words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, **options: Any) -> Any:
        return subprocess.run(
            [sys.executable, "-m", "vaultspec_installer", *words],
            cwd=cwd or sandbox.root,
            env={**sandbox.environ, **(env or {})},
            capture_output=True,
            text=True,
            check=False,
            **options,
        )

    return invoke


@pytest.fixture(scope="session")
def wheels() -> Path:
    """A folder with the wheels of the three distributions as they are now; built once for each state of the sources."""
    import hashlib
    import subprocess
    import tempfile

    digest = hashlib.sha256()
    for part in ("providers", "server", "installer"):
        for path in sorted((ROOT / part).rglob("*")):
            if path.is_file() and not any(
                name.startswith((".", "__pycache__")) for name in path.relative_to(ROOT).parts
            ):
                digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    target = ROOT / ".cache/wheels" / digest.hexdigest()[:16]
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=target.parent))
        for part in ("providers", "server", "installer"):
            build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(made)]
            subprocess.run(build, cwd=ROOT / part, check=True, capture_output=True)
        try:
            made.rename(target)
        except OSError:  # another worker was first
            shutil.rmtree(made)
    return target


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below the folder with its bytes and mtime_ns: two equal trees mean that nothing was touched."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def _fingerprint() -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for name in GUARDED:
        top = REAL_HOME / name
        for path in [top, *(top.rglob("*") if top.is_dir() else ())]:
            if path.is_file():
                status = path.stat()
                found[str(path)] = (status.st_size, status.st_mtime_ns)
    return found


@pytest.fixture(scope="session", autouse=True)
def _guard() -> Iterator[None]:
    before = _fingerprint()
    yield
    assert _fingerprint() == before, "a test changed files outside its sandbox"
