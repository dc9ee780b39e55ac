"""From research to a logged step with the tools alone: the vault stays clean, and what a kill left undone is made up for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import vaultspec_core
from tests.conftest import Sandbox
from tests.requirements import requirement
from vaultspec_core.checks.run import check
from vaultspec_core.plan.author import author
from vaultspec_core.plan.log import Entry, log
from vaultspec_core.plan.progress import mark
from vaultspec_core.report import Refusal
from vaultspec_core.staging import Staged
from vaultspec_core.vault.create import create
from vaultspec_core.vault.document import SIZE_LIMIT
from vaultspec_core.vault.edit import edit
from vaultspec_core.vault.vault import Vault

TODAY = "2026-08-01"
PLAN = f"{TODAY}-search-plan"
LEDGER = f".vault/exec/{TODAY}-search/{TODAY}-search-ledger.md"
INDEX = ".vault/index/search.index.md"
GUIDANCE = "line 22: guidance of the template is still there"
"""How rows come into a plan: no tool's edit takes that line out, the repair does."""

TEMPLATES = Path(vaultspec_core.__file__).parent / "templates"


@pytest.fixture
def vault(sandbox: Sandbox) -> Vault:
    """A vault with a chain of documents whose plan has one open step; its day is TODAY."""
    (sandbox.root / ".vault").mkdir()
    shutil.copytree(TEMPLATES, sandbox.root / ".vaultspec/templates")
    vault = Vault.open(sandbox.root, today=lambda: TODAY)
    chain: list[dict[str, object]] = [
        {"feature": "search", "type": "research", "title": "How others rank"},
        {"feature": "search", "type": "adr", "title": "Use BM25", "related": [f"{TODAY}-search-research"]},
        {"feature": "search", "type": "plan", "title": "Rank", "related": [f"{TODAY}-search-adr"]},
    ]
    assert create(vault, chain, lambda *_: None)["status"] == "ok"
    added = author(vault, PLAN, [{"operation": "add", "action": "write the scanner", "scope": "src/scanner.py"}])
    assert added["status"] == "ok"
    return vault


def logged(vault: Vault, row: str = "A:src/scanner.py") -> dict[str, Any]:
    return log(vault, "search", PLAN, "S01", Entry([row], "pytest=pass", "reviewer"))


def _prose(vault: Vault) -> Iterator[dict[str, str]]:
    """Operations that fill every section that a person or a model fills."""
    for kind in ("research", "adr", "plan"):
        stem = f"{TODAY}-search-{kind}"
        for line in (vault.root / f".vault/{kind}/{stem}.md").read_text().splitlines():
            if line.startswith("## ") and line != "## Steps":
                yield {"target": stem, "operation": "replace_section", "section": line, "content": "- Said.\n"}


@requirement("LOG-1", "CRE-1", "CHK-1")
def test_a_chain_that_the_tools_carried_out_checks_clean(vault: Vault) -> None:
    assert mark(vault, PLAN, [{"step_id": "S01", "state": "checked"}])["steps_completed"] == 1
    assert edit(vault, list(_prose(vault)), lambda *_: None)["status"] == "ok"
    assert logged(vault)["created"] is True
    answer = check(Vault.open(vault.root, today=lambda: TODAY))
    assert [finding["message"] for finding in answer["findings"]] == [GUIDANCE]
    assert check(vault, fix=True)["findings"] == []


@requirement("LOG-1")
def test_a_new_ledger_stands_in_the_index_of_its_feature(vault: Vault) -> None:
    before = (vault.root / INDEX).read_text()
    logged(vault)
    after = (vault.root / INDEX).read_text()
    assert "### exec\n\n- `2026-08-01-search-ledger` - " in after
    assert "ledger" not in before


@requirement("LOG-1")
def test_logging_more_leaves_a_right_index_alone(vault: Vault) -> None:
    logged(vault)
    before = (vault.root / INDEX).stat()
    assert logged(vault, "M:src/scanner.py")["changed"] is True
    assert (vault.root / INDEX).stat() == before


@requirement("LOG-1", "CRE-1")
@pytest.mark.parametrize("act", ["create", "log"])
def test_an_index_that_a_kill_kept_from_being_written_is_made_up_for(vault: Vault, act: str) -> None:
    logged(vault)
    whole = (vault.root / INDEX).read_bytes()
    (vault.root / INDEX).unlink()
    if act == "log":
        assert "warnings" not in logged(vault, "M:src/scanner.py")
        assert (vault.root / INDEX).read_bytes() == whole
    else:
        create(vault, [{"feature": "search", "type": "audit"}], lambda *_: None)
        assert b"2026-08-01-search-ledger" in (vault.root / INDEX).read_bytes()


@requirement("LOG-1", "SRV-7")
def test_an_index_that_is_no_text_is_a_warning_and_the_step_is_logged(vault: Vault) -> None:
    (vault.root / INDEX).write_bytes(b"\xff\xfe")
    answer = logged(vault)
    assert (answer["created"], answer["warnings"]) == (
        True,
        [f"The feature index was not regenerated: {INDEX} is not UTF-8 and was not regenerated"],
    )
    assert (vault.root / INDEX).read_bytes() == b"\xff\xfe"


@requirement("LOG-1")
def test_what_a_killed_process_staged_beside_plan_and_ledger_goes_with_the_next_write(vault: Vault) -> None:
    logged(vault)
    left = [(vault.root / folder / Staged(1 << 30, "0a").name) for folder in (".vault/plan", Path(LEDGER).parent)]
    for path in left:
        path.write_bytes(b"half a docum")
    mark(vault, PLAN, [{"step_id": "S01", "state": "checked"}])
    logged(vault, "M:src/scanner.py")
    assert [path for path in left if path.exists()] == []


@requirement("LOG-2")
def test_what_would_make_a_document_too_large_is_refused_and_nothing_is_written(vault: Vault) -> None:
    logged(vault)
    plan, ledger = vault.root / f".vault/plan/{PLAN}.md", vault.root / LEDGER
    for path in (plan, ledger):
        path.write_bytes(path.read_bytes().ljust(SIZE_LIMIT - 8, b"\n"))
    before = plan.read_bytes(), ledger.read_bytes()
    with pytest.raises(Refusal) as caught:
        author(vault, PLAN, [{"operation": "add", "action": "a" * 400, "scope": "b"}])
    assert caught.value.code == "too-large"
    with pytest.raises(Refusal) as caught:
        logged(vault, "D:src/scanner.py")
    assert caught.value.code == "too-large"
    assert (plan.read_bytes(), ledger.read_bytes()) == before
