"""`log`: one ledger per plan, made on the first call, and whole-call refusals that write nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import tree
from tests.requirements import requirement
from tests.server.plan.conftest import STEM, TODAY, plan_text
from vaultspec_core.plan.log import NOTES, ROWS, Entry, log, run
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Cancelled
from vaultspec_core.vault.stamp import body_hash
from vaultspec_core.vault.vault import Vault

Put = Callable[..., Path]
LEDGER = ".vault/exec/2026-07-12-search-api/2026-07-12-search-api-ledger.md"


@requirement("LOG-1")
def test_the_documented_answer_and_the_ledger_it_leaves(vault: Vault, put: Put) -> None:
    put()
    answer = log(vault, "search-api", STEM, "S01", Entry(["A:src/a.py", "R:b->c"], "pytest=pass"))
    assert answer == {"path": LEDGER, "step": "S01", "rows": 3, "notes": 0, "changed": True, "created": True}
    body = (
        "\n# `search-api` ledger\n\n## Changes\n\n- `S01` `A` `src/a.py`\n- `S01` `R` `b` -> `c`\n"
        "- `S01` `verify:` `pytest` -> `pass`\n"
    )
    assert (vault.root / LEDGER).read_text(encoding="utf-8") == (
        "---\ntags:\n  - '#exec'\n  - '#search-api'\ndate: '2026-07-12'\n"
        f"modified: '{TODAY}'\nbody_schema: 'body-v2'\nbody_hash: '{body_hash(body)}'\n"
        f'related:\n  - "[[{STEM}]]"\n---\n{body}'
    )


@requirement("LOG-1")
def test_logging_the_same_again_changes_nothing(vault: Vault, put: Put) -> None:
    put()
    entry = Entry(["A:a", "A:a"], "t=pass", "me", ["a note", " "])
    first = log(vault, "search-api", STEM, "S01", entry)
    before = tree(vault.folder)
    second = log(vault, "search-api", STEM, "S01", entry)
    assert (first["rows"], first["notes"], first["changed"], first["created"]) == (4, 1, True, True)
    assert (second["rows"], second["notes"], second["changed"], second["created"]) == (4, 1, False, False)
    assert tree(vault.folder) == before


@requirement("LOG-1")
@pytest.mark.parametrize("step", ["S02", "P01.S02"])
def test_a_step_is_named_by_identifier_or_path_and_logged_by_identifier(vault: Vault, put: Put, step: str) -> None:
    put(plan_text("### Phase `P01` - a\n\n- [ ] `P01.S02` - b; `c`.\n", tier="L2"))
    assert log(vault, "#search-api", "search-api", step, Entry(["M:x"]))["step"] == "S02"
    assert "- `S02` `M` `x`\n" in (vault.root / LEDGER).read_text(encoding="utf-8")


@requirement("LOG-2", "LOG-3", "D-13")
@pytest.mark.parametrize(
    ("feature", "plan", "step", "entry", "code"),
    [
        ("other", STEM, "S01", Entry(["A:a"]), "feature-mismatch"),
        ("No Feature!", STEM, "S01", Entry(["A:a"]), "invalid-name"),
        ("search-api", "nothing", "S01", Entry(["A:a"]), "unresolved-plan"),
        ("search-api", STEM, "S99", Entry(["A:a"]), "unknown-step"),
        ("search-api", STEM, "S01", Entry(["A:a", "foo"]), "bad-row"),
        ("search-api", STEM, "S01", Entry(["A:a"], "pytest"), "bad-verify"),
        ("search-api", STEM, "S01", Entry(["A:a"], None, "me\n## Evil"), "bad-by"),
        ("search-api", STEM, "S01", Entry(["A:a\n- `S02` `A` `b`"]), "bad-row"),
        ("search-api", STEM, "S01", Entry(["A:a"], notes=["\x07"]), "bad-note"),
        ("search-api", STEM, "S01", Entry(), "nothing-to-log"),
        ("search-api", STEM, "S01", Entry([], " ", "", [" ", "\n"]), "nothing-to-log"),
    ],
)
def test_a_call_that_cannot_be_logged_entirely_writes_nothing(
    vault: Vault, put: Put, feature: str, plan: str, step: str, entry: Entry, code: str
) -> None:
    put()
    before = tree(vault.folder)
    with pytest.raises(Refusal) as caught:
        log(vault, feature, plan, step, entry)
    assert caught.value.code == code
    assert tree(vault.folder) == before
    assert not (vault.folder / "exec").exists()


@requirement("LOG-3", "D-13")
def test_the_feature_must_be_that_of_the_plan(vault: Vault, put: Put) -> None:
    put()
    with pytest.raises(Refusal) as caught:
        log(vault, "other", STEM, "S01", Entry(["A:a"]))
    assert caught.value.message == f"{STEM} is a plan of feature search-api, not of other"


@requirement("LOG-2")
def test_an_unknown_step_is_told_without_quotes(vault: Vault, put: Put) -> None:
    put()
    with pytest.raises(Refusal) as caught:
        log(vault, "search-api", STEM, "S99", Entry(["A:a"]))
    assert caught.value.message == "Step S99 does not exist in this plan"


@requirement("LOG-1")
@pytest.mark.parametrize(
    ("date", "folder"),
    [("'2026-07-01'", "2026-07-01"), ("2026-07-01T10:00:00Z", "2026-07-01"), ("soon", "2026-07-12")],
)
def test_the_ledger_is_dated_like_its_plan_else_like_its_name(vault: Vault, put: Put, date: str, folder: str) -> None:
    put(plan_text().replace("date: '2026-07-12'", f"date: {date}", 1))
    path = log(vault, "search-api", STEM, "S01", Entry(["A:a"]))["path"]
    assert path == f".vault/exec/{folder}-search-api/{folder}-search-api-ledger.md"


@requirement("LOG-1")
def test_a_plan_whose_date_was_changed_keeps_its_ledger(vault: Vault, put: Put) -> None:
    path = put()
    log(vault, "search-api", STEM, "S01", Entry(["A:a"]))
    path.write_text(plan_text(date="2026-08-30"), encoding="utf-8")
    answer = log(vault, "search-api", STEM, "S02", Entry(["A:b"]))
    assert (answer["path"], answer["created"]) == (LEDGER, False)


@requirement("LOG-1")
def test_a_ledger_of_another_plan_is_left_alone(vault: Vault, put: Put) -> None:
    put()
    log(vault, "search-api", STEM, "S01", Entry(["A:a"]))
    put(stem="2026-07-30-search-api-plan")
    before = tree(vault.folder)
    with pytest.raises(Refusal) as caught:
        log(vault, "search-api", "2026-07-30-search-api-plan", "S01", Entry(["A:a"]))
    assert caught.value.message == f"{LEDGER} is the ledger of {STEM}, not of 2026-07-30-search-api-plan"
    assert tree(vault.folder) == before


@requirement("LOG-1", "PLN-5")
def test_a_ledger_with_carriage_returns_and_comments_keeps_them(vault: Vault, put: Put) -> None:
    put()
    log(vault, "search-api", STEM, "S01", Entry(["A:a"]))
    path = vault.root / LEDGER
    path.write_bytes(
        path.read_bytes()
        .replace(b"date:", b"# ours\ndate:", 1)
        .replace(b"## Changes\n", b"## Changes\n\n<!-- c -->\n")
        .replace(b"\n", b"\r\n")
    )
    log(vault, "search-api", STEM, "S02", Entry(["A:b"]))
    data = path.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert data.endswith(b"<!-- c -->\r\n\r\n- `S01` `A` `a`\r\n- `S02` `A` `b`\r\n")
    assert b"\r\n# ours\r\n" in data


@requirement("LOG-1")
def test_the_plan_is_not_touched(vault: Vault, put: Put) -> None:
    path = put()
    before = path.read_bytes()
    log(vault, "search-api", STEM, "S01", Entry(["A:a"]))
    assert path.read_bytes() == before


def test_the_tool_takes_nulls_and_sums_up_in_a_line(vault: Vault, put: Put) -> None:
    put()
    arguments = {
        "feature": "search-api",
        "plan": STEM,
        "step": "S01",
        "rows": ["A:a"],
        "verify": None,
        "by": None,
        "notes": None,
    }
    assert run(vault, arguments, lambda *_: None)[1] == "S01: 1 row, 0 notes"
    assert run(vault, arguments, lambda *_: None)[1] == "S01: 1 row, 0 notes, nothing new"


@requirement("SRV-6", "LOG-1")
def test_a_call_that_is_cancelled_before_it_writes_leaves_no_ledger(vault: Vault, put: Put) -> None:
    put()
    before = tree(vault.folder)
    said = []

    def progress(done: int, total: int, message: str) -> None:
        said.append((done, total, message))
        raise Cancelled

    with pytest.raises(Cancelled):
        run(vault, {"feature": "search-api", "plan": STEM, "step": "S01", "rows": ["A:a"]}, progress)
    assert said == [(1, 2, LEDGER)]
    assert tree(vault.folder) == before


@requirement("LOG-1")
@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (Entry(["A:a"] * (ROWS + 1)), "log accepts at most 1000 rows per call; got 1001"),
        (Entry(notes=["a"] * (NOTES + 1)), "log accepts at most 200 notes per call; got 201"),
    ],
)
def test_more_than_one_call_takes_is_refused_at_once(vault: Vault, put: Put, entry: Entry, message: str) -> None:
    put()
    before = tree(vault.folder)
    with pytest.raises(Refusal) as caught:
        log(vault, "search-api", STEM, "S01", entry)
    assert caught.value.message == message
    assert tree(vault.folder) == before
