"""`plan_progress`: outcomes per step, the plan's state afterwards, and one write that touches the boxes and the stamp alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, tree
from tests.requirements import requirement
from tests.server.plan.conftest import STEM, TODAY, plan_text
from vaultspec_core.plan.progress import LIMIT, mark, run
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Cancelled
from vaultspec_core.vault.stamp import body_hash
from vaultspec_core.vault.vault import Vault

Put = Callable[..., Path]


def change(step: str, state: str = "checked") -> dict[str, str]:
    return {"step_id": step, "state": state}


@requirement("PLN-2", "PLN-4")
def test_the_documented_answer(vault: Vault, put: Put) -> None:
    put(plan_text("- [ ] `S01` - one; `a`.\n- [ ] `S02` - two; `b`.\n"))
    assert mark(vault, "search-api", [change("S01")]) == {
        "status": "ok",
        "plan": STEM,
        "items": [{"step_id": "S01", "state": "checked", "status": "updated"}],
        "counts": {"updated": 1},
        "submitted": 1,
        "items_omitted": 0,
        "total_steps": 2,
        "steps_completed": 1,
        "completion_percent": 50.0,
        "next_open_step": "S02",
    }


@requirement("PLN-2", "PLN-5")
def test_a_write_changes_the_box_and_the_stamp_and_nothing_else(vault: Vault, put: Put) -> None:
    path = put()
    mark(vault, STEM, [change("S02")])
    body = plan_text().replace("- [ ] `S02`", "- [x] `S02`").split("---\n", 2)[2]
    expected = (
        plan_text()
        .replace("- [ ] `S02`", "- [x] `S02`")
        .replace("modified: '2026-07-12'\n", f"modified: '{TODAY}'\nbody_hash: '{body_hash(body)}'\n")
    )
    assert path.read_text(encoding="utf-8") == expected


@requirement("PLN-2", "PLN-5")
def test_nothing_is_written_when_no_step_changes(vault: Vault, put: Put) -> None:
    put()
    before = tree(vault.folder)
    answer = mark(vault, STEM, [change("S01"), change("S02", "unchecked"), change("S02", "unchecked")])
    assert [item["status"] for item in answer["items"]] == ["unchanged"] * 3
    assert answer["status"] == "ok"
    assert tree(vault.folder) == before


@requirement("PLN-2")
def test_the_same_step_twice_is_updated_then_unchanged(vault: Vault, put: Put) -> None:
    put()
    answer = mark(vault, STEM, [change("S02"), change("S02"), change("S02", "unchecked"), change("S02")])
    assert [item["status"] for item in answer["items"]] == ["updated", "unchanged", "updated", "updated"]
    assert answer["steps_completed"] == 2


@requirement("PLN-2")
def test_a_step_that_changes_back_within_a_call_leaves_the_file(vault: Vault, put: Put) -> None:
    put()
    before = tree(vault.folder)
    answer = mark(vault, STEM, [change("S02"), change("S02", "unchecked")])
    assert (answer["steps_completed"], answer["next_open_step"]) == (1, "S02")
    assert tree(vault.folder) == before


@requirement("PLN-2", "PLN-4")
def test_failures_stay_items_with_a_message_without_quotes(vault: Vault, put: Put) -> None:
    put(plan_text("- [ ] `S01` - a; `b`.\n- [X] `S02` - c; `d`.\n- [ ] `S03` - e; `f`.\n- [ ] `S03` - g; `h`.\n"))
    answer = mark(vault, STEM, [change("S01"), change("S02"), change("S03"), change("S04"), change("S01", "done")])
    assert answer["status"] == "mixed"
    assert answer["counts"] == {"updated": 1, "failed": 4}
    assert [item.get("error") for item in answer["items"]] == [
        None,
        {
            "message": "Step S02 cannot be addressed: line 16: the line looks like a step row but its box is [X], "
            "not [ ] or [x]"
        },
        {"message": "Step S03 is ambiguous; it stands on lines 17, 18; give each row its own identifier"},
        {"message": "Step S04 does not exist in this plan"},
        {"message": "Invalid state done; use checked or unchecked"},
    ]


@requirement("PLN-2")
def test_a_call_of_failures_alone_has_failed_and_writes_nothing(vault: Vault, put: Put) -> None:
    put()
    before = tree(vault.folder)
    assert mark(vault, STEM, [change("S09")])["status"] == "failed"
    assert tree(vault.folder) == before


@requirement("PLN-1", "PLN-2")
@pytest.mark.parametrize(
    "name",
    [STEM, f"{STEM}.md", f".vault/plan/{STEM}.md", f"plan/{STEM}.md", f"[[{STEM}]]", "search-api", "#search-api"],
)
def test_a_plan_is_named_by_stem_path_or_feature(vault: Vault, put: Put, name: str) -> None:
    put()
    assert mark(vault, name, [change("S02")])["plan"] == STEM


@requirement("PLN-1")
@pytest.mark.parametrize(("name", "code"), [("nothing", "unresolved-plan"), ("search-api", "ambiguous-plan")])
def test_a_plan_that_cannot_be_told_fails_the_call(vault: Vault, put: Put, name: str, code: str) -> None:
    put()
    put(stem="2026-07-13-search-api-plan")
    with pytest.raises(Refusal) as caught:
        mark(vault, name, [change("S02")])
    assert caught.value.code == code


@requirement("PLN-5")
def test_a_box_in_a_fence_or_comment_is_never_toggled(vault: Vault, put: Put) -> None:
    """Samples of rows before the real one, in every kind of fence and in comments."""
    case = ROOT / "fixtures" / "plans" / "fences-are-opaque"
    path = put((case / "before.md").read_text(encoding="utf-8"))
    mark(vault, STEM, [change("S01")])
    text = path.read_text(encoding="utf-8")
    assert text.split("---\n", 2)[2] == (case / "after.md").read_text(encoding="utf-8").split("---\n", 2)[2]


@requirement("PLN-5")
def test_unusual_frontmatter_keeps_every_byte_but_the_stamp(vault: Vault, put: Put) -> None:
    case = ROOT / "fixtures" / "plans" / "authored-bytes-stay"
    path = put((case / "before.md").read_text(encoding="utf-8").replace("\n", "\r\n"))
    mark(vault, STEM, [change("P01.S02")])
    after = (case / "after.md").read_text(encoding="utf-8").replace("\n", "\r\n")
    written = path.read_bytes().decode("utf-8").splitlines(keepends=True)
    stamps = [line for line in written if line.startswith(("modified:", "body_hash:"))]
    assert len(stamps) == 2
    assert [line for line in written if line not in stamps] == after.splitlines(keepends=True)


@requirement("D-17")
def test_a_plan_without_a_tier_can_be_progressed(vault: Vault, put: Put) -> None:
    path = put(plan_text().replace("tier: L1\n", ""))
    assert mark(vault, STEM, [change("S02")])["completion_percent"] == 100.0
    assert "tier" not in path.read_text(encoding="utf-8")


@requirement("PLN-2")
def test_a_plan_of_which_one_step_of_thousands_is_open_is_not_complete(vault: Vault, put: Put) -> None:
    put(plan_text("".join(f"- [ ] `S{number:02}` - a; `b`.\n" for number in range(1, 2001))))
    mark(vault, STEM, [change(f"S{number:02}") for number in range(1, 1001)])
    answer = mark(vault, STEM, [change(f"S{number:02}") for number in range(1001, 2000)])
    assert (answer["completion_percent"], answer["next_open_step"]) == (99.9, "S2000")
    assert (len(answer["items"]), answer["items_omitted"]) == (20, 979)


@requirement("PLN-2")
def test_a_plan_without_steps_is_at_nought(vault: Vault, put: Put) -> None:
    put(plan_text("", tier="L2"))
    answer = mark(vault, STEM, [change("S01")])
    assert (answer["completion_percent"], answer["next_open_step"]) == (0.0, None)


def test_a_plan_that_is_no_utf8_is_refused_with_its_line(vault: Vault, put: Put) -> None:
    path = put()
    path.write_bytes(path.read_bytes() + b"\xff\n")
    before: Any = tree(vault.folder)
    with pytest.raises(Refusal) as caught:
        mark(vault, STEM, [change("S02")])
    assert caught.value.message == f".vault/plan/{STEM}.md is no UTF-8 (line 21) and is not edited"
    assert tree(vault.folder) == before


def test_the_corpus_knows_the_new_state_at_once(vault: Vault, put: Put) -> None:
    put()
    mark(vault, STEM, [change("S02")])
    plan = vault.corpus.documents[f".vault/plan/{STEM}.md"].plan
    assert plan is not None
    assert plan.closed == 2


@requirement("SRV-6", "PLN-2")
@pytest.mark.parametrize("after", [1, 2])
def test_a_call_that_is_cancelled_while_it_works_writes_nothing(vault: Vault, put: Put, after: int) -> None:
    put()
    before = tree(vault.folder)
    said = []

    def progress(done: int, total: int, message: str) -> None:
        said.append((done, total, message))
        if done == after:
            raise Cancelled

    with pytest.raises(Cancelled):
        run(vault, {"plan": STEM, "steps": [change("S02"), change("S01", "unchecked")]}, progress)
    assert said == [(1, 2, "S02"), (2, 2, "S01")][:after]
    assert tree(vault.folder) == before


@requirement("PLN-2")
def test_more_steps_than_one_call_takes_are_refused_at_once(vault: Vault, put: Put) -> None:
    put()
    before = tree(vault.folder)
    with pytest.raises(Refusal, match=r"^plan_progress accepts at most 1000 steps per call; got 1001$"):
        mark(vault, STEM, [change("S02")] * (LIMIT + 1))
    assert tree(vault.folder) == before
