"""What clients do to their files by their own commands is judged truthfully, and one sync converges without losing it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clients.rewrites import FOLDER, Rewrite, name_of, rewrites
from tests.conftest import Sandbox
from tests.requirements import requirement

Cli = Callable[..., Any]
Enrolled = Callable[[Rewrite], Path]
each = pytest.mark.parametrize("rewrite", rewrites(), ids=name_of)


@requirement("NAT-7", "SYN-5")
@each
def test_status_says_what_a_rewrite_left(rewrite: Rewrite, enrolled: Enrolled, cli: Cli, sandbox: Sandbox) -> None:
    host = enrolled(rewrite)
    assert host.read_bytes() == rewrite.text("before", sandbox)
    host.write_bytes(rewrite.text("after", sandbox) or b"")
    status = cli("spec", "mcps", "status", rewrite.client, "--scope", rewrite.scope, "--json")
    row = status.data["providers"][rewrite.client]
    assert {word: row[word] for word in rewrite.status} == rewrite.status
    assert status.code == (0 if rewrite.status["status"] == "ok" else 1)


@requirement("NAT-7", "SYN-2", "SYN-3", "SYN-6")
@each
def test_one_sync_converges_and_uninstall_takes_exactly_ours(
    rewrite: Rewrite, enrolled: Enrolled, cli: Cli, sandbox: Sandbox
) -> None:
    host = enrolled(rewrite)
    after = rewrite.text("after", sandbox)
    host.write_bytes(after or b"")
    words = (rewrite.client, "--scope", rewrite.scope)
    assert cli("spec", "mcps", "sync", *words).code == 0
    assert host.read_bytes() == (rewrite.text("synced", sandbox) or after)
    edited = bool(rewrite.status["drifted"])
    assert cli("spec", "mcps", "status", *words).code == (1 if edited else 0)
    before = host.read_bytes(), host.stat().st_mtime_ns
    assert cli("spec", "mcps", "sync", *words).code == 0
    assert (host.read_bytes(), host.stat().st_mtime_ns) == before
    assert cli("spec", "mcps", "uninstall", *words).code == (1 if edited else 0)
    assert (host.read_bytes() if host.exists() else None) == rewrite.text("uninstalled", sandbox)


def test_every_case_is_complete_and_nothing_else_lies_beside_them() -> None:
    stages = {"case", "own", "before", "after", "synced", "uninstalled"}
    folders = [folder for client in FOLDER.iterdir() if client.is_dir() for folder in client.iterdir()]
    assert sorted(rewrite.folder for rewrite in rewrites()) == sorted(folders)
    for folder in folders:
        names = {path.stem for path in folder.iterdir()}
        assert {"case", "before", "after"} <= names <= stages, folder
