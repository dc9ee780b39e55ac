"""Folding records of single steps into a ledger: no prose is lost, all files change or none, a second time changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import tree
from tests.faults import Fault, Killed, Stand, strikes
from tests.requirements import requirement
from tests.server.plan.conftest import STEM, TODAY, plan_text
from vaultspec_core.files import Disk
from vaultspec_core.plan import ledger
from vaultspec_core.plan.fold import archive, fold
from vaultspec_core.plan.log import Entry, log
from vaultspec_core.plan.records import find_record, said_by
from vaultspec_core.plan.settle import journal, settle
from vaultspec_core.report import Refusal
from vaultspec_core.vault.vault import Vault

FOLDER = "exec/2026-07-12-search-api"
LEDGER = f"{FOLDER}/2026-07-12-search-api-ledger.md"
SCOPE = (
    "## Scope\n\n- `src/a.py`\n- `src/b.py` and `src/c.py`\n- nothing in backticks\n\n## Outcome\n\nProse of mine.\n"
)
CHANGES = (
    "## Changes\n\n- `A` `src/a.py`\n* `S02` `verify:` `pytest` -> `fail`\n- prose\n\n## Notes\n\n- left `x`  out\n"
)


def record(vault: Vault, step: str, body: str, name: str | None = None, related: str = STEM) -> Path:
    """Write a record of a step."""
    path = vault.folder / FOLDER / f"2026-07-12-search-api-{name or step}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"---\ntags: ['#exec', '#search-api']\ndate: 2026-07-12\nstep_id: {step}\nrelated: ['[[{related}]]']\n---\n# R\n\n{body}",
        encoding="utf-8",
    )
    return path


def texts(vault: Vault) -> dict[str, bytes]:
    """Every document of the vault with its bytes."""
    return {name: data for name, (data, _) in tree(vault.folder).items()}


def folded(vault: Vault, disk: Disk | None = None) -> None:
    """What the verb does, from a process of its own."""
    fresh = Vault.open(vault.root, disk or Disk(Stand()), today=lambda: TODAY)
    with fresh.hold():
        settle(fresh)
        fresh.corpus.refresh()
        fold(fresh, "search-api")


@pytest.mark.parametrize(
    ("body", "rows", "notes"),
    [
        (SCOPE, [("T", "src/a.py"), ("T", "src/b.py"), ("T", "src/c.py")], []),
        (CHANGES, [("A", "src/a.py"), ("verify:", "pytest", "fail")], ["left `x` out"]),
        ("Prose.\n", [("T", "there.md")], []),
        ("## Changes\n\n- `verify:` `t` -> `pass`\n", [("T", "there.md"), ("verify:", "t", "pass")], []),
        ("```\n## Scope\n\n- `src/a.py`\n```\n", [("T", "there.md")], []),
    ],
)
def test_a_record_says_its_paths_checks_and_notes(body: str, rows: list[tuple[str, ...]], notes: list[str]) -> None:
    said = said_by(body, "S02", "there.md")
    assert [(row.step, row.kind, *row.cells) for row in said.rows] == [("S02", *row) for row in rows]
    assert said.notes == tuple(("S02", note) for note in notes)


@requirement("CLI-1")
def test_rows_go_to_the_ledger_once_and_records_to_the_archive_as_they_are(
    vault: Vault, put: Callable[..., Path]
) -> None:
    put()
    log(vault, "search-api", STEM, "S02", Entry(["A:src/a.py"]))
    paths = [record(vault, "S02", CHANGES), record(vault, "S01", SCOPE)]
    were = {path.name: path.read_bytes() for path in paths}
    folded(vault)
    rows = ledger.read((vault.folder / LEDGER).read_text(encoding="utf-8")).rows
    assert [(row.step, row.kind, *row.cells) for row in rows] == [
        ("S02", "A", "src/a.py"),
        ("S01", "T", "src/a.py"),
        ("S01", "T", "src/b.py"),
        ("S01", "T", "src/c.py"),
        ("S02", "verify:", "pytest", "fail"),
    ]
    archived = vault.folder / "_archive" / FOLDER
    assert {path.name: path.read_bytes() for path in archived.iterdir()} == were
    assert [path.exists() for path in paths] == [False, False]
    before = tree(vault.folder)
    folded(vault)
    assert tree(vault.folder) == before


@requirement("CLI-1")
def test_records_that_cannot_be_folded_stay_and_are_told(vault: Vault, put: Callable[..., Path]) -> None:
    put()
    strange = [record(vault, "S77", SCOPE), record(vault, "x", SCOPE), record(vault, "S01", SCOPE, "lost", "nowhere")]
    put(plan_text(), "2026-07-14-search-api-plan")
    before = {path: path.read_bytes() for path in strange}
    vault.corpus.refresh()
    with vault.hold():
        done = fold(vault, "search-api")
    assert done.ledgers == ()
    assert [Path(name).name for name, _ in done.skipped] == [path.name for path in (strange[2], *strange[:2])]
    assert {path: path.read_bytes() for path in strange} == before
    assert not (vault.folder / LEDGER).exists()


@requirement("REL-1", "REL-6")
@pytest.mark.parametrize("fault", [Fault.KILLED, Fault.DISK_FULL, Fault.READ_ONLY])
def test_whatever_fails_the_next_fold_ends_with_every_row_and_every_record(
    vault: Vault, put: Callable[..., Path], fault: Fault
) -> None:
    import shutil

    put()
    record(vault, "S02", CHANGES)
    record(vault, "S01", SCOPE)
    before = texts(vault)
    folded(vault)
    after = texts(vault)
    for system in strikes(fault):
        shutil.rmtree(vault.folder)
        for name, data in before.items():
            (vault.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (vault.folder / name).write_bytes(data)
        with suppress(Refusal, Killed):
            folded(vault, Disk(system))
        with suppress(Refusal):
            folded(vault)
        assert texts(vault) == after, system.n


def test_what_is_archived_already_is_never_overwritten(vault: Vault, put: Callable[..., Path]) -> None:
    put()
    record(vault, "S01", SCOPE)
    there = vault.folder / "_archive" / FOLDER / "2026-07-12-search-api-S01.md"
    there.parent.mkdir(parents=True)
    there.write_text("mine\n", encoding="utf-8")
    before = tree(vault.folder)
    with pytest.raises(Refusal, match="exists already"):
        folded(vault)
    vault.corpus.refresh()
    with pytest.raises(Refusal, match="exists already"), vault.hold():
        archive(vault, find_record(vault.corpus, "2026-07-12-search-api-S01"))
    assert tree(vault.folder) == before


def test_log_first_finishes_a_fold_that_was_cut_short(vault: Vault, put: Callable[..., Path]) -> None:
    put()
    path = record(vault, "S01", SCOPE)
    for system in strikes(Fault.KILLED):
        with suppress(Killed):
            folded(vault, Disk(system))
        if journal(vault).exists():
            break
    assert path.exists()
    log(vault, "search-api", STEM, "S02", Entry(["A:src/a.py"]))
    rows = ledger.read((vault.folder / LEDGER).read_text(encoding="utf-8")).rows
    assert [row.step for row in rows] == ["S01", "S01", "S01", "S02"]
    assert (path.exists(), journal(vault).exists()) == (False, False)


@requirement("CLI-1")
def test_each_plan_of_a_feature_gets_its_own_rows(vault: Vault, put: Callable[..., Path]) -> None:
    put()
    put(plan_text(date="2026-07-14"), "2026-07-14-search-api-plan")
    record(vault, "S01", SCOPE)
    record(vault, "S02", CHANGES, "2", "2026-07-14-search-api-plan")
    folded(vault)
    for day, step in (("12", "S01"), ("14", "S02")):
        stem = f"2026-07-{day}-search-api"
        text = (vault.folder / "exec" / stem / f"{stem}-ledger.md").read_text(encoding="utf-8")
        assert f"[[{stem}-plan]]" in text
        assert {row.step for row in ledger.read(text).rows} == {step}


def test_two_plans_of_one_day_never_share_a_ledger(vault: Vault, put: Callable[..., Path]) -> None:
    put()
    put(plan_text(), "2026-07-12-search-api-too-plan")
    record(vault, "S01", SCOPE)
    record(vault, "S02", CHANGES, "2", "2026-07-12-search-api-too-plan")
    before = tree(vault.folder)
    with pytest.raises(Refusal, match="is the ledger of"):
        folded(vault)
    assert tree(vault.folder) == before


def test_a_summary_stays_until_every_step_of_its_phase_has_rows(vault: Vault, put: Callable[..., Path]) -> None:
    put(plan_text("### Phase `P01` - x\n\n- [x] `P01.S01` - a; `b`.\n- [ ] `P01.S02` - c; `d`.\n", "L2"))
    record(vault, "S01", SCOPE)
    summary = record(vault, "none", "All.\n", "P01-summary")
    summary.write_text(summary.read_text(encoding="utf-8").replace("step_id: none\n", ""), encoding="utf-8")
    folded(vault)
    assert summary.exists()
    record(vault, "S02", CHANGES)
    folded(vault)
    assert not summary.exists()


def test_crlf_and_other_line_ends_of_a_ledger_survive_a_fold(vault: Vault, put: Callable[..., Path]) -> None:
    put()
    log(vault, "search-api", STEM, "S01", Entry(["A:x"]))
    path = vault.folder / LEDGER
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    record(vault, "S02", CHANGES)
    folded(vault)
    data = path.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert b"- `S02` `A` `src/a.py`\r\n" in data
