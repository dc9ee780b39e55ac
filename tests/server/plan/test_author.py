"""`plan_edit`: operations in order against one plan, identifiers, the batch envelope."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import tree
from tests.requirements import requirement
from tests.server.plan.conftest import STEM, TODAY, plan_text
from vaultspec_core.lock import hold
from vaultspec_core.plan.author import LIMIT, author, run
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Cancelled
from vaultspec_core.vault.stamp import stamped
from vaultspec_core.vault.vault import Vault

Put = Callable[..., Path]
L2 = plan_text("### Phase `P01` - a\n\n- [ ] `P01.S01` - one; `x`.\n", tier="L2")


def add(action: str = "do it", scope: str = "x", **more: str | None) -> dict[str, str | None]:
    return {"operation": "add", "action": action, "scope": scope, **more}


def messages(vault: Vault, *operations: dict[str, str | None]) -> list[str]:
    return [item["error"]["message"] for item in author(vault, STEM, operations)["items"]]


@requirement("PLN-3", "PLN-4")
def test_the_documented_answer(vault: Vault, put: Put) -> None:
    put()
    assert author(vault, "search-api", [add()]) == {
        "status": "ok",
        "plan": STEM,
        "items": [{"operation": "add", "status": "created", "step_id": "S03"}],
        "counts": {"created": 1},
        "submitted": 1,
        "items_omitted": 0,
        "total_steps": 3,
        "steps_completed": 1,
        "next_open_step": "S02",
    }


@requirement("PLN-3")
def test_an_operation_sees_what_the_ones_before_it_did(vault: Vault, put: Put) -> None:
    path = put()
    answer = author(
        vault,
        STEM,
        [
            add("third", "c"),
            {"operation": "edit", "step_id": "S03", "action": "third, better"},
            {"operation": "insert", "action": "fourth", "scope": "d", "before": "S03"},
            {"operation": "remove", "step_id": "S02"},
            add("fifth", "e"),
        ],
    )
    assert [(item["operation"], item["status"], item["step_id"]) for item in answer["items"]] == [
        ("add", "created", "S03"),
        ("edit", "updated", "S03"),
        ("insert", "created", "S04"),
        ("remove", "removed", "S02"),
        ("add", "created", "S05"),
    ]
    body = path.read_text(encoding="utf-8").split("---\n", 2)[2]
    assert body == (
        "\n<!-- RETIRED: S02 -->\n\n# `search-api` plan\n\n## Steps\n\n"
        "- [x] `S01` - scan the folder; `src/scanner.py`.\n- [ ] `S04` - fourth; `d`.\n"
        "- [ ] `S03` - third, better; `c`.\n- [ ] `S05` - fifth; `e`.\n\n## Verification\n\n- The tests pass.\n"
    )


@requirement("PLN-3", "PLN-4")
def test_a_failed_operation_leaves_the_others(vault: Vault, put: Put) -> None:
    put()
    answer = author(vault, STEM, [add("a\nb"), add(), {"operation": "remove", "step_id": "S09"}])
    assert (answer["status"], answer["counts"], answer["total_steps"]) == ("mixed", {"failed": 2, "created": 1}, 3)


@requirement("PLN-3")
def test_an_edit_that_says_the_same_is_unchanged_and_not_written(vault: Vault, put: Put) -> None:
    put()
    before = tree(vault.folder)
    answer = author(vault, STEM, [{"operation": "edit", "step_id": "S01", "action": "scan the folder"}])
    assert answer["items"] == [{"operation": "edit", "status": "unchanged", "step_id": "S01"}]
    assert tree(vault.folder) == before


@requirement("PLN-3")
def test_fields_are_checked_per_operation_by_name(vault: Vault, put: Put) -> None:
    put()
    before = tree(vault.folder)
    assert messages(
        vault,
        {"operation": "move", "step_id": "S01"},
        {"operation": "Add", "action": "a", "scope": "b"},
        {"operation": "add", "action": None, "scope": None},
        {"operation": "add", "action": "a"},
        {"operation": "insert", "action": "a", "scope": "b"},
        {"operation": "insert", "action": "a", "scope": "b", "before": "S01", "after": "S02"},
        {"operation": "edit", "action": "a"},
        {"operation": "edit", "step_id": "S01"},
        {"operation": "remove", "step_id": "S01", "action": "a", "phase_id": "P01"},
        add(before="S01"),
    ) == [
        "Unknown operation move; use add, insert, edit, remove",
        "Unknown operation Add; use add, insert, edit, remove",
        "add requires action and scope",
        "add requires scope",
        "insert requires before or after",
        "name one step, before or after, not both",
        "edit requires step_id",
        "edit requires action or scope",
        "remove takes no action or phase_id",
        "add takes no before",
    ]
    assert tree(vault.folder) == before


@requirement("PLN-3")
def test_nulls_are_fields_that_are_not_there(vault: Vault, put: Put) -> None:
    put(L2)
    answer = author(vault, STEM, [add(phase_id="P01", before=None, after=None, step_id=None)])
    assert answer["items"] == [{"operation": "add", "status": "created", "step_id": "S02"}]


@requirement("PLN-3")
def test_an_identifier_that_a_malformed_row_bears_is_not_given_out(vault: Vault, put: Put) -> None:
    put(plan_text("- [ ] `S01` - a; `b`.\n- [X] `S02` - c; `d`.\n"))
    assert author(vault, STEM, [add()])["items"][0]["step_id"] == "S03"


@requirement("PLN-3")
def test_a_retired_identifier_is_never_given_out(vault: Vault, put: Put) -> None:
    put()
    author(vault, STEM, [{"operation": "remove", "step_id": "S02"}])
    assert author(vault, STEM, [add()])["items"][0]["step_id"] == "S03"
    author(vault, STEM, [{"operation": "remove", "step_id": "S03"}])
    assert author(vault, STEM, [add()])["items"][0]["step_id"] == "S04"


@requirement("PLN-6")
@pytest.mark.parametrize("phase", [None, "P01"])
@pytest.mark.parametrize(
    ("tier", "frame", "path"),
    [
        ("L2", "### Phase `P01` - Untitled\n\n", "P01.S01"),
        ("L3", "## Wave `W01` - Untitled\n\n### Phase `W01.P01` - Untitled\n\n", "W01.P01.S01"),
        ("L4", "## Wave `W01` - Untitled\n\n### Phase `W01.P01` - Untitled\n\n", "W01.P01.S01"),
    ],
)
def test_the_first_step_of_an_empty_plan_makes_its_frame(
    vault: Vault, put: Put, tier: str, frame: str, path: str, phase: str | None
) -> None:
    file = put(plan_text("", tier=tier))
    answer = author(vault, STEM, [add(phase_id=phase), add("more", "y", phase_id="P01")])
    made = "phase P01" if tier == "L2" else "wave W01 and phase P01"
    assert answer["items"][0]["warnings"] == [
        f"Made {made} for the first step; name it with vaultspec-core vault plan phase edit"
    ]
    assert (answer["total_steps"], answer["next_open_step"]) == (2, path)
    body = file.read_text(encoding="utf-8").split("## Steps\n\n")[1]
    second = path.replace("S01", "S02")
    assert body == (
        f"{frame}- [ ] `{path}` - do it; `x`.\n- [ ] `{second}` - more; `y`.\n\n## Verification\n\n- The tests pass.\n"
    )


@requirement("PLN-6")
def test_a_phase_that_would_not_come_next_is_not_made(vault: Vault, put: Put) -> None:
    put(plan_text("", tier="L2"))
    assert messages(vault, add(phase_id="P02")) == ["Phase P02 does not exist in this plan; it has no phase yet"]


@requirement("PLN-3")
def test_carriage_returns_stay_through_a_whole_batch(vault: Vault, put: Put) -> None:
    path = put(L2.replace("\n", "\r\n"))
    author(vault, STEM, [add(phase_id="P01"), {"operation": "remove", "step_id": "S01"}])
    data = path.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert parse_text(data.decode("utf-8")).retired == {"S01"}


@requirement("PLN-1")
def test_a_plan_that_cannot_be_told_fails_the_call(vault: Vault, put: Put) -> None:
    put()
    with pytest.raises(Refusal, match="Cannot resolve plan"):
        author(vault, "nothing", [add()])


STEPS = st.sampled_from(["S01", "S02", "S03", "S04", "S05", "P01.S01", "S09"])
WORDS = st.sampled_from(["a", "b; c", "`d`", "two\nlines", "<!-- RETIRED: S04 -->", "# e", ""])
PHASES = st.sampled_from([None, "P01", "P02"])
OPERATIONS = st.one_of(
    st.fixed_dictionaries({"operation": st.just("add"), "action": WORDS, "scope": WORDS, "phase_id": PHASES}),
    st.fixed_dictionaries({"operation": st.just("insert"), "action": WORDS, "scope": WORDS, "before": STEPS}),
    st.fixed_dictionaries({"operation": st.just("insert"), "action": WORDS, "scope": WORDS, "after": STEPS}),
    st.fixed_dictionaries({"operation": st.just("edit"), "step_id": STEPS, "action": WORDS}),
    st.fixed_dictionaries({"operation": st.just("edit"), "step_id": STEPS, "scope": WORDS}),
    st.fixed_dictionaries({"operation": st.just("remove"), "step_id": STEPS}),
)
PLANS = {
    "flat": plan_text(),
    "no rows": plan_text("", tier="L1"),
    "no phases": plan_text("", tier="L3"),
    "phases": L2.replace(
        "## Verification", "### Phase `P02` - b\n\n- [x] `P02.S02` - two; `y`.\n  more of it\n\n## Verification"
    ),
    "twice the same row": plan_text("- [ ] `S01` - one; `x`.\n- [ ] `S02` - two; `y`.\n\n- [ ] `S02` - two; `y`.\n"),
    "rows that do not count": plan_text(
        "- [ ] `S01` - one; `x`.\n\n```\n- [ ] `S01` - one; `x`.\n```\n\n- [X] `S03` - odd; `z`.\n<!-- RETIRED: S02 -->\n"
    ),
    "no line end at the end": plan_text().split("\n\n## Verification")[0],
    "an open fence": plan_text() + "\n```\n",
}


@requirement("PLN-3", "PLN-4")
@pytest.mark.parametrize("name", PLANS)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(operations=st.lists(OPERATIONS, min_size=1, max_size=8), windows=st.booleans())
def test_a_batch_does_what_its_operations_do_one_by_one(
    vault: Vault, put: Put, name: str, operations: list[dict[str, str | None]], windows: bool
) -> None:
    text = stamped(PLANS[name].replace("\n", "\r\n") if windows else PLANS[name], TODAY)
    path = put(text)
    answer = author(vault, STEM, operations)
    together = path.read_bytes()
    put(text)
    singly = [author(vault, STEM, [operation]) for operation in operations]
    assert answer["items"] == [item for one in singly for item in one["items"]]
    assert {key: answer[key] for key in ("total_steps", "steps_completed", "next_open_step")}.items() <= singly[
        -1
    ].items()
    assert path.read_bytes() == together


@requirement("SRV-6", "PLN-3")
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
        run(vault, {"plan": STEM, "operations": [add(), add()]}, progress)
    assert said == [(1, 2, "S03"), (2, 2, "S04")][:after]
    assert tree(vault.folder) == before
    assert author(vault, STEM, [add()])["items"][0]["step_id"] == "S03"


@requirement("PLN-3")
def test_more_operations_than_one_call_takes_are_refused_at_once(vault: Vault, put: Put) -> None:
    put()
    before = tree(vault.folder)
    with pytest.raises(Refusal, match=r"^plan_edit accepts at most 200 operations per call; got 201$"):
        author(vault, STEM, [add()] * (LIMIT + 1))
    assert tree(vault.folder) == before


@requirement("SRV-6", "PLN-3")
def test_others_may_write_while_a_batch_is_worked_out(vault: Vault, put: Put) -> None:
    """Another writer takes the lock after the first operation and changes the plan: its row stays, and the batch follows it."""
    path = put()
    theirs = plan_text("- [ ] `S07` - theirs; `z`.\n")

    def other() -> None:
        with hold(vault.folder, wait_seconds=0):
            put(theirs)

    def progress(done: int, total: int, message: str) -> None:
        if done == 1:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(other).result()

    answer, _ = run(vault, {"plan": STEM, "operations": [add(), add()]}, progress)
    assert [item["step_id"] for item in answer["items"]] == ["S08", "S09"]
    assert "- [ ] `S07` - theirs; `z`.\n- [ ] `S08` - do it; `x`.\n- [ ] `S09` - do it; `x`.\n" in path.read_text(
        encoding="utf-8"
    )


@requirement("SRV-6", "PLN-3")
def test_a_call_that_is_cancelled_while_it_waits_for_the_lock_writes_nothing(vault: Vault, put: Put) -> None:
    put()
    before = tree(vault.folder)

    def progress(done: int, total: int, message: str) -> None:
        if not total:
            raise Cancelled

    with pytest.raises(Cancelled):
        run(vault, {"plan": STEM, "operations": [add(), add()]}, progress)
    assert tree(vault.folder) == before
