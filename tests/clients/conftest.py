"""Real client programs in the sandbox, and a workspace enrolled in one of them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clients.rewrites import Rewrite
from tests.conftest import REAL_HOME, ROOT, Sandbox
from vaultspec_core.lock import hold

INSTALL_SECONDS = 150
RUN_SECONDS = 120
_REAL_CACHE = os.environ.get("XDG_CACHE_HOME", "")
_PATH = os.environ["PATH"]


@pytest.fixture
def enrolled(cli: Callable[..., Any], sandbox: Sandbox) -> Callable[[Rewrite], Path]:
    """A workspace where the user's own file of the case holds our entry; gives that host file."""

    def enroll(rewrite: Rewrite) -> Path:
        host = rewrite.host_file(sandbox)
        own = rewrite.text("own", sandbox)
        (sandbox.home / ".codex").mkdir(exist_ok=True)
        if own is not None:
            host.write_bytes(own)
        assert cli("install", "--mode", "tool").code == 0
        assert cli("spec", "mcps", "sync", rewrite.client, "--scope", rewrite.scope).code == 0
        return host

    return enroll


@pytest.fixture(scope="session")
def clients() -> Path:
    """The folder of the client programs, installed once on this machine; skips with the reason where that is not possible."""
    if shutil.which("npm", path=_PATH) is None:
        pytest.skip("npm is missing, so that no client can be installed")
    environ = {**os.environ, "HOME": str(REAL_HOME), "XDG_CACHE_HOME": _REAL_CACHE, "PATH": _PATH}
    script = [str(ROOT / "scripts/install-clients")]
    folder = ROOT / ".cache"
    folder.mkdir(exist_ok=True)
    pipe = subprocess.PIPE
    with (
        hold(folder, 2 * INSTALL_SECONDS),
        subprocess.Popen(script, env=environ, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process,
    ):
        try:
            out, err = process.communicate(timeout=INSTALL_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            pytest.skip(f"the clients could not be installed within {INSTALL_SECONDS} s")
    if process.returncode != 0:
        pytest.skip(f"the clients could not be installed: {' '.join(err.split())[:200]}")
    return Path(out.strip())


@pytest.fixture
def client(clients: Path, sandbox: Sandbox, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a client's own command in the workspace: `client("codex", "mcp", "list", "--json")`.

    `uvx` starts this checkout's server, so that a client that connects talks to what is being tested.
    """
    programs = tmp_path / "programs"
    programs.mkdir()
    uvx = programs / "uvx"
    uvx.write_text(f'#!/bin/sh\n# uvx --from REQUIREMENT python ...\nshift 3\nexec "{sys.executable}" "$@"\n')
    uvx.chmod(0o755)
    quiet = {
        "XDG_CACHE_HOME": str(sandbox.home / ".cache"),
        "XDG_DATA_HOME": str(sandbox.home / ".local/share"),
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DO_NOT_TRACK": "1",
        "MCP_INSPECTOR_SECRET_STORE": "memory",
    }
    environ = {**sandbox.environ, **quiet, "PATH": os.pathsep.join([str(programs), str(clients), _PATH])}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(clients / words[0]), *words[1:]],
            cwd=sandbox.root,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=RUN_SECONDS,
        )

    return run
