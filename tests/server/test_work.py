"""How much work an answer costs, counted and not timed: which files are opened, how many processes start, what is kept.

The ratios to the earlier release are in docs/performance.md; these tests hold what makes them.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import vaultspec_core
from tests.conftest import Sandbox
from tests.requirements import requirement
from vaultspec_core.checks.run import check
from vaultspec_core.plan.progress import mark
from vaultspec_core.vault import walk
from vaultspec_core.vault.create import create
from vaultspec_core.vault.edit import edit
from vaultspec_core.vault.find import find
from vaultspec_core.vault.orient import orient
from vaultspec_core.vault.vault import Vault

FEATURES = 12
_opened: list[str] = []
_counting = False


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _counting and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path = os.fsdecode(arguments[0])
        if path.endswith(".md") and "/.vault/" in path:
            _opened.append(path)


sys.addaudithook(_audit)


@contextmanager
def documents_opened() -> Iterator[list[str]]:
    """The documents that are opened meanwhile, one entry for each time."""
    global _counting
    _opened.clear()
    _counting = True
    try:
        yield _opened
    finally:
        _counting = False


def quiet(done: int, total: int, message: str) -> None:
    return None


PLAN = """---
tags:
  - '#plan'
  - '#f0'
date: '2026-07-01'
tier: L1
related: []
---

# `f0` plan

## Steps

- [ ] `S01` - do; `a.py`.
- [ ] `S02` - do; `b.py`.
"""


@pytest.fixture
def vault(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Vault:
    """A vault of a few dozen documents, read once; its files count as old enough to trust their time stamps."""
    monkeypatch.setattr(walk, "RACY_NS", 0)
    (sandbox.root / ".vault").mkdir()
    shutil.copytree(Path(vaultspec_core.__file__).parent / "templates", sandbox.root / ".vaultspec/templates")
    vault = Vault.open(sandbox.root, today=lambda: "2026-07-12")
    specs = [{"feature": f"f{number}", "type": kind} for number in range(FEATURES) for kind in ("research", "adr")]
    assert create(vault, specs, quiet)["status"] == "ok"
    plan = sandbox.root / ".vault/plan/2026-07-01-f0-plan.md"
    plan.parent.mkdir()
    plan.write_text(PLAN)
    orient(vault, None)
    check(vault, None, False)
    return vault


READS: dict[str, Callable[[Vault], object]] = {
    "status": lambda vault: orient(vault, None),
    "status of a feature": lambda vault: orient(vault, "f0"),
    "find": lambda vault: find(vault),
    "find by text": lambda vault: find(vault, text="f1"),
    "check": lambda vault: check(vault, None, False),
}


@requirement("PRF-2", "PRF-4", "PRF-5")
@pytest.mark.parametrize("name", READS)
def test_a_warm_answer_about_an_unchanged_vault_reads_no_document_for_its_content(vault: Vault, name: str) -> None:
    READS[name](vault)
    with documents_opened() as opened:
        READS[name](vault)
    hashed = {row["path"] for row in find(vault, text="f1")} if name == "find by text" else set()
    assert {Path(path).relative_to(vault.root).as_posix() for path in opened} <= hashed


@requirement("PRF-2", "PRF-3")
def test_after_one_outside_edit_only_that_document_is_read(vault: Vault) -> None:
    path = vault.root / ".vault/adr/2026-07-12-f3-adr.md"
    path.write_text(path.read_text() + "\nmore\n")
    with documents_opened() as opened:
        orient(vault, None)
    assert set(opened) == {str(path)}


@requirement("PRF-6")
def test_a_write_touches_its_own_documents_and_no_other(vault: Vault) -> None:
    with documents_opened() as opened:
        create(vault, [{"feature": "f5", "type": "audit"}], quiet)
    assert {Path(path).name for path in opened if "vaultspec-tmp" not in path} <= {
        "2026-07-12-f5-audit.md",
        "f5.index.md",
    }
    operation = {"target": "2026-07-12-f5-audit", "operation": "append_section", "section": "## Scope", "content": "x"}
    with documents_opened() as opened:
        edit(vault, [operation], quiet)
    assert {Path(path).name for path in opened if "vaultspec-tmp" not in path} <= {
        "2026-07-12-f5-audit.md",
        "f5.index.md",
    }
    with documents_opened() as opened:
        mark(vault, "f0", [{"step_id": "S01", "state": "checked"}])
    assert {Path(path).name for path in opened if "vaultspec-tmp" not in path} <= {
        "2026-07-01-f0-plan.md",
        "2026-07-12-f5-audit.md",
        "f5.index.md",
    }


@requirement("PRF-10")
def test_no_body_is_kept_in_memory(vault: Vault) -> None:
    marker = "a sentence that stands in one body only"
    path = vault.root / ".vault/adr/2026-07-12-f3-adr.md"
    path.write_text(path.read_text() + f"\n{marker}\n")
    orient(vault, None)
    check(vault, None, False)
    document = vault.corpus.documents[".vault/adr/2026-07-12-f3-adr.md"]
    assert marker not in repr(document)
