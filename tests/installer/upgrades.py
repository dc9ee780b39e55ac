"""The cases of `fixtures/workspaces/upgrades`: workspaces that an earlier release left, and what convergence makes of them.

`root/` and `home/` hold the files before (`dot-` stands for a leading dot), `after/` those of the workspace that any converging
command changes, `after-install/` where `install --upgrade` leaves a host file otherwise. `expected.json` says why, what is
pending, which launches are refreshed, what is warned of and what the machine's record says then.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import vaultspec_core
from tests.conftest import Sandbox

CASES = Path(__file__).resolve().parents[2] / "fixtures/workspaces/upgrades"
NAMES = sorted(path.parent.name for path in CASES.glob("*/expected.json"))
MANIFEST = ".vaultspec/providers.json"
OWNERSHIP = ".vaultspec/mcp-ownership.json"
SEED = '{\n  "command": "@@VAULTSPEC_INSTALL_MODE_COMMAND@@",\n  "args": ["@@VAULTSPEC_INSTALL_MODE_ARGS@@"]\n}\n'


class Case(NamedTuple):
    """One case, laid out in a sandbox. `expected`: its expected.json; `after`, `installed`: texts by relative path."""

    expected: dict[str, Any]
    after: dict[str, str]
    installed: dict[str, str]


def lay(name: str, sandbox: Sandbox) -> Case:
    """Put the case's files into the sandbox, with the definition and the templates that every workspace has."""
    shutil.copytree(Path(vaultspec_core.__file__).parent / "templates", sandbox.root / ".vaultspec/templates")
    (sandbox.root / ".vault/index").mkdir(parents=True)
    seed = sandbox.root / ".vaultspec/mcps/vaultspec-core.builtin.json"
    seed.parent.mkdir()
    seed.write_text(SEED, encoding="utf-8")
    for part, folder in (("root", sandbox.root), ("home", sandbox.home)):
        for relative, text in texts(CASES / name / part, sandbox).items():
            (folder / relative).parent.mkdir(parents=True, exist_ok=True)
            (folder / relative).write_text(text, encoding="utf-8")
    expected = json.loads((CASES / name / "expected.json").read_text(encoding="utf-8"))
    return Case(expected, texts(CASES / name / "after", sandbox), texts(CASES / name / "after-install", sandbox))


def texts(folder: Path, sandbox: Sandbox) -> dict[str, str]:
    """The files below a folder of a case, their placeholders filled in."""
    root = str(sandbox.root)
    marks = {"<ROOT>": root, "<HASH>": hashlib.sha256(root.encode()).hexdigest()}

    def filled(text: str) -> str:
        for mark, value in marks.items():
            text = text.replace(mark, value)
        return text

    return {
        filled("/".join(word.replace("dot-", ".", 1) for word in path.relative_to(folder).parts)): filled(
            path.read_text(encoding="utf-8")
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def manifest(sandbox: Sandbox) -> dict[str, Any] | None:
    """What this machine's record says; None without one."""
    path = sandbox.root / MANIFEST
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None
