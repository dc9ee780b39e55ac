"""Workspaces as earlier releases left them: status tells the truth, one sync converges without --force where that is provably safe.

`fixtures/workspaces/earlier/<case>/` holds the files (`dot-` for a leading dot) and `expected.json`, judged by hand:
what status says first, what sync does, and what status says then.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.requirements import requirement

CASES = Path(__file__).resolve().parents[2] / "fixtures/workspaces/earlier"
NAMES = sorted(path.parent.name for path in CASES.glob("*/expected.json"))
SEED = '{\n  "command": "@@VAULTSPEC_INSTALL_MODE_COMMAND@@",\n  "args": ["@@VAULTSPEC_INSTALL_MODE_ARGS@@"]\n}\n'


def lay(case: str, sandbox: Sandbox) -> None:
    """Copy the case into the sandbox, its placeholders filled in and the bundled definition put where the sample left it out."""
    for part, folder in (("root", sandbox.root), ("home", sandbox.home)):
        source = CASES / case / part
        for path in source.rglob("*") if source.is_dir() else ():
            if path.is_file():
                relative = Path(*[word.replace("dot-", ".", 1) for word in path.relative_to(source).parts])
                target = folder / relative
                target.parent.mkdir(parents=True, exist_ok=True)
                text = path.read_text(encoding="utf-8")
                target.write_text(
                    text.replace("<ROOT>", str(sandbox.root)).replace("<HOME>", str(sandbox.home)), encoding="utf-8"
                )
    (sandbox.root / ".vaultspec/mcps").mkdir(parents=True, exist_ok=True)
    seed = sandbox.root / ".vaultspec/mcps/vaultspec-core.builtin.json"
    if not seed.exists():
        seed.write_text(SEED, encoding="utf-8")


def told(data: dict[str, Any]) -> dict[str, Any]:
    """The status of a case in short: the aggregate, and each list that holds something."""
    words = ("missing", "drifted", "stale_managed", "conflicts", "invalid")
    return {"status": data["status"], **{word: data[word] for word in words if data[word]}}


@requirement("OWN-1", "SYN-1", "SYN-2", "SYN-3", "SYN-5", "NAT-7")
@pytest.mark.parametrize("case", NAMES)
def test_an_earlier_workspace_is_judged_and_converges(case: str, sandbox: Sandbox, cli: Callable[..., Any]) -> None:
    lay(case, sandbox)
    expected = json.loads((CASES / case / "expected.json").read_text(encoding="utf-8"))
    scope = expected.get("scope", "project")
    before = tree(sandbox.root), tree(sandbox.home)
    status = cli("spec", "mcps", "status", "--scope", scope, "--json")
    assert told(status.data) == expected["before"]
    assert status.code == (0 if expected["before"]["status"] == "ok" else 1)
    assert (tree(sandbox.root), tree(sandbox.home)) == before, "status wrote something"
    sync = cli("spec", "mcps", "sync", "--scope", scope, "--json")
    if "refused" in expected:
        assert sync.data["code"] == expected["refused"]
        assert (tree(sandbox.root), tree(sandbox.home)) == before
        return
    assert {f"{row['group']}:{row['name']}": row["outcome"] for row in sync.data["items"]} == expected["sync"]
    after = cli("spec", "mcps", "status", "--scope", scope, "--json")
    assert told(after.data) == expected["after"]
    settled = tree(sandbox.root), tree(sandbox.home)
    cli("spec", "mcps", "sync", "--scope", scope, "--json")
    assert (tree(sandbox.root), tree(sandbox.home)) == settled, "a second sync wrote something"
