"""Several processes on one plan and its ledger: what each was told is done stays done."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.requirements import requirement
from tests.server.plan.conftest import STEM, plan_text
from vaultspec_core.plan import ledger
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.rewrite import rewrite
from vaultspec_core.plan.steps import set_state
from vaultspec_core.vault.vault import Vault

COUNT = 12

OPENING = f"""
import sys
from pathlib import Path
from vaultspec_core.plan.author import author
from vaultspec_core.plan.log import Entry, log
from vaultspec_core.plan.progress import mark
from vaultspec_core.vault.vault import Vault
vault = Vault.open(Path(sys.argv[1]))
plan = {STEM!r}
"""

WRITERS = {
    "closes": 'mark(vault, plan, [{"step_id": f"S{number:02}", "state": "checked"}])',
    "adds": 'author(vault, plan, [{"operation": "add", "action": f"added {number}", "scope": "x"}])',
    "logs": 'log(vault, "search-api", plan, f"S{number:02}", Entry([f"A:one/{number}"], "t=pass"))',
    "logs too": 'log(vault, "search-api", plan, f"S{number:02}", Entry([f"M:two/{number}"], "t=pass"))',
    "removes": 'author(vault, plan, [{"operation": "remove", "step_id": f"S{number + 20:02}"}])',
}


@requirement("PLN-2", "PLN-3", "LOG-1", "REL-3")
def test_writers_in_several_processes_lose_nothing(vault: Vault, put: Callable[..., Path]) -> None:
    path = put(plan_text("".join(f"- [ ] `S{number:02}` - step {number}; `a`.\n" for number in range(1, 33))))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", f"{OPENING}\nfor number in range(1, {COUNT + 1}):\n    {work}", str(vault.root)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for work in WRITERS.values()
    ]
    errors = [process.communicate()[1] for process in processes]
    assert errors == [""] * len(WRITERS)
    assert [process.returncode for process in processes] == [0] * len(WRITERS)

    plan = parse_text(path.read_text(encoding="utf-8"))
    numbers = range(1, COUNT + 1)
    assert [step.id for step in plan.steps if step.checked] == [f"S{number:02}" for number in numbers]
    assert sorted(step.action for step in plan.steps if step.action.startswith("added")) == sorted(
        f"added {number}" for number in numbers
    )
    assert plan.retired == {f"S{number + 20:02}" for number in numbers}
    assert plan.problems == ()

    (record,) = (vault.folder / "exec").rglob("*.md")
    rows = ledger.read(record.read_text(encoding="utf-8")).rows
    assert sorted(row.cells[0] for row in rows if row.kind in "AM") == sorted(
        f"{word}/{number}" for word in ("one", "two") for number in numbers
    )
    assert sum(row.kind == ledger.VERIFY for row in rows) == COUNT
    assert {found.name for found in vault.folder.rglob("*") if found.is_file()} == {
        path.name,
        record.name,
        "search-api.index.md",
    }


@requirement("PLN-5")
def test_another_program_that_writes_in_between_keeps_its_bytes(vault: Vault, put: Callable[..., Path]) -> None:
    """The file changes between reading and replacing it: it is read and judged again."""
    path = put()
    theirs = plan_text().replace("The tests pass.", "The tests pass now.")
    seen: list[str] = []

    def compose(text: str | None) -> tuple[str, None]:
        assert text is not None
        if not seen:
            path.write_text(theirs, encoding="utf-8")
        seen.append(text)
        return set_state(text, "S02", True).text, None

    vault.corpus.refresh()
    rewrite(vault, f".vault/plan/{STEM}.md", compose)
    assert seen == [plan_text(), theirs]
    assert (
        path.read_text(encoding="utf-8").split("## Steps")[1]
        == (theirs.replace("- [ ] `S02`", "- [x] `S02`").split("## Steps")[1])
    )
