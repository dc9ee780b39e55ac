"""Whole commands that are stopped, or whose disk fails, at every operation: files are whole, and the next run converges.

The short form tries a sample of the operations; with VAULTSPEC_TEST_LONG set (`scripts/crash_commands`) every fault strikes at each.
"""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox
from tests.faults import Fault, Faulty, Killed, everywhere
from tests.requirements import requirement

FOREIGN_JSON = '{\n\t"mine": [1e400, "é"], // kept\n\t"mcpServers": {\n\t\t"other": {"command": "x"},\n\t},\n}\n'
FOREIGN_TOML = '# kept\nmodel = "o9"\n\n[mcp_servers.other] # kept\ncommand = "x"\n'

COMMANDS: dict[str, tuple[list[list[str]], list[str]]] = {
    "sync": ([["install", "--mode", "tool"]], ["spec", "mcps", "sync"]),
    "sync-user": ([["install", "--mode", "tool"]], ["spec", "mcps", "sync", "--scope", "user"]),
    "install": ([], ["install", "--mode", "tool"]),
    "mode": ([["install", "--mode", "tool"]], ["install", "--mode", "dev"]),
    "mcps-uninstall": ([["install", "--mode", "tool"]], ["spec", "mcps", "uninstall"]),
    "uninstall": ([["install", "--mode", "tool"]], ["uninstall", "--force"]),
}
"""By name: what goes before, and the command that is struck."""


def state(root: Path, home: Path) -> dict[str, bytes]:
    """Every file but the machine's own records, whose times and counters differ from run to run."""
    return {
        path.relative_to(root.parent).as_posix(): path.read_bytes()
        for folder in (root, home)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("providers.json",) and "state" not in path.parts
    }


def prepare(sandbox: Sandbox, cli: Callable[..., Any], name: str) -> None:
    for folder in (sandbox.root, sandbox.home):
        shutil.rmtree(folder)
        folder.mkdir()
    (sandbox.root / "pyproject.toml").write_text('[project]\nname = "demo"\nversion = "1"\n')
    (sandbox.root / ".mcp.json").write_text(FOREIGN_JSON)
    (sandbox.root / ".codex").mkdir()
    (sandbox.root / ".codex/config.toml").write_text(FOREIGN_TOML)
    (sandbox.home / ".claude.json").write_text(FOREIGN_JSON)
    for words in COMMANDS[name][0]:
        assert cli(*words).code == 0
    if name == "sync":
        (sandbox.root / ".vaultspec/mcps/search.json").write_text('{"command": "search"}\n')


def struck(
    sandbox: Sandbox, cli: Callable[..., Any], name: str, fault: Fault, step: int, patch: pytest.MonkeyPatch
) -> Iterator[int]:
    """Run the command once for every `step`-th operation, judge what the stop left, and let the next run complete it."""
    words = COMMANDS[name][1]
    prepare(sandbox, cli, name)
    assert cli(*words).code == 0
    wanted = state(sandbox.root, sandbox.home)
    prepare(sandbox, cli, name)
    begun = state(sandbox.root, sandbox.home)
    for n in range(1, 100_000, step):
        prepare(sandbox, cli, name)
        system = Faulty(n, fault)
        with patch.context() as context, suppress(Killed):
            everywhere(context, system)
            result = cli(*words)
            assert result.code in (0, 1), result.err
            assert "internal" not in result.err
        if not system.struck:
            return
        whole(state(sandbox.root, sandbox.home), begun, wanted, f"{name} {fault} {n}")
        again = cli(*words)
        if name in ("uninstall",) and again.code == 1 and "no workspace" in again.err:
            again = cli("install", "core")
            continue
        assert again.code == 0, f"{name} {fault} {n}: {again.out}{again.err}"
        assert state(sandbox.root, sandbox.home) == wanted, f"{name} {fault} {n}"
        yield n


def whole(left: dict[str, bytes], begun: dict[str, bytes], wanted: dict[str, bytes], where: str) -> None:
    """Every host file is as it was or as it should become, foreign bytes included; records parse."""
    for path, data in left.items():
        if ".vaultspec-tmp-" in path or "vaultspec-tmp" in path:
            continue
        if path.endswith("mcp-ownership.json"):
            json.loads(data)
        else:
            assert data in (begun.get(path), wanted.get(path)), f"{where}: {path} is neither old nor new"
        if path.endswith(".toml"):
            tomllib.loads(data.decode())


SHORT = [
    ("sync", Fault.KILLED, 5),
    ("sync", Fault.DISK_FULL, 3),
    ("sync", Fault.IO_ERROR, 9),
    ("sync-user", Fault.KILLED, 7),
    ("sync-user", Fault.IO_ERROR, 7),
    ("install", Fault.KILLED, 67),
    ("install", Fault.DISK_FULL, 29),
    ("mode", Fault.KILLED, 31),
    ("mode", Fault.READ_ONLY, 5),
    ("mcps-uninstall", Fault.KILLED, 11),
]
LONG = [(name, fault, 1) for name in COMMANDS for fault in Fault]


@requirement("REL-1", "REL-6", "OWN-2")
@pytest.mark.parametrize(("name", "fault", "step"), LONG if os.environ.get("VAULTSPEC_TEST_LONG") else SHORT)
def test_a_stopped_command_leaves_whole_files_and_the_next_run_converges(
    sandbox: Sandbox,
    cli: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    fault: Fault,
    step: int,
) -> None:
    tried = list(struck(sandbox, cli, name, fault, step, monkeypatch))
    print(f"{name}, {fault.value}: {len(tried)} operations struck")
    assert tried, "no operation was struck"
