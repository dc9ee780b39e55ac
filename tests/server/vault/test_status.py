"""`status`: the rollup, traces, what resolves to nothing; the same on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conftest import Result, tree
from tests.requirements import requirement
from vaultspec_core._version import __version__
from vaultspec_core.report import Refusal
from vaultspec_core.tools.status import TOOL
from vaultspec_core.vault.orient import orient, run
from vaultspec_core.vault.vault import Vault

Write = Callable[..., Path]
Fill = Callable[[str], Vault]
Cli = Callable[..., Result]

PLAN_ROW = {
    "stem": "2026-07-12-search-api-plan",
    "feature": "search-api",
    "tier": "L2",
    "open_steps": 1,
    "closed_steps": 2,
    "total_steps": 3,
    "completion_percent": 66.7,
    "next_open_step": "P02.S03",
}
GROUNDING = {"adr": ["2026-07-12-search-api-adr"]}


def answer(vault: Vault, target: str | None = None) -> dict[str, Any]:
    """The answer, once the tool's own result schema has taken it."""
    found = orient(vault, target)
    jsonschema.validate(found, TOOL.result)
    assert found["tool_schema_version"] == __version__
    return found


@requirement("STS-1", "STS-3", "D-12")
def test_the_rollup_names_every_feature_and_what_is_in_flight(fill: Fill) -> None:
    assert answer(fill("search")) == {
        "tool_schema_version": __version__,
        "kind": "rollup",
        "features": [
            {
                "name": "search-api", "doc_count": 5, "latest_activity": "2026-07-14", "has_plan": True,
                "status": "In Progress", "plan_tier": "L2", "plan_completion_percent": 66.7,
            },
            {
                "name": "auth", "doc_count": 2, "latest_activity": "2026-07-01", "has_plan": False,
                "status": "Specified", "plan_tier": None, "plan_completion_percent": 0.0,
            },
            {
                "name": "caching", "doc_count": 1, "latest_activity": "2026-06-20", "has_plan": False,
                "status": "Researching", "plan_tier": None, "plan_completion_percent": 0.0,
            },
        ],
        "features_total": 3,
        "plans_in_flight": [PLAN_ROW],
        "totals": {
            "total_docs": 8,
            "total_features": 3,
            "counts_by_type": {"adr": 2, "audit": 0, "exec": 1, "index": 1, "plan": 1, "reference": 0, "research": 3},
            "orphaned_count": 1,
            "dangling_link_count": 1,
        },
        "target": None,
        "trace_kind": None,
        "plans": [],
    }  # fmt: skip


@requirement("STS-1")
def test_an_empty_vault_has_an_empty_rollup(vault: Vault) -> None:
    found = answer(vault)
    assert (found["features"], found["plans_in_flight"], found["totals"]["total_docs"]) == ([], [], 0)


@requirement("STS-1")
def test_no_number_of_features_hides_one(vault: Vault, write: Write) -> None:
    for number in range(30):
        write(f"plan/2026-01-01-f{number}-plan.md", "## Steps\n\n- [ ] `S01` - do; `it`.\n", feature=f"f{number}")
    found = answer(vault)
    assert len(found["features"]) == found["features_total"] == len(found["plans_in_flight"]) == 30


@requirement("STS-1")
def test_a_finished_plan_and_one_without_steps_are_not_in_flight(vault: Vault, write: Write) -> None:
    write("plan/2026-01-01-a-plan.md", "## Steps\n\n- [x] `S01` - do; `it`.\n", feature="a")
    write("plan/2026-01-01-b-plan.md", "## Steps\n", feature="b")
    assert answer(vault)["plans_in_flight"] == []


def trace(**plan: Any) -> dict[str, Any]:
    return {
        "tool_schema_version": __version__,
        "kind": "trace",
        "features": [],
        "features_total": 0,
        "plans_in_flight": [],
        "totals": {},
        **plan,
    }


@requirement("STS-2")
@pytest.mark.parametrize(
    "target", ["search-api", "#search-api", "2026-07-12-search-api-plan", ".vault/plan/2026-07-12-search-api-plan.md"]
)
def test_a_trace_has_steps_with_evidence_grounding_and_loose_records(fill: Fill, target: str) -> None:
    ledger = "2026-07-12-search-api-ledger"
    steps = [
        {"canonical_id": "S01", "display_path": "P01.S01", "checked": True, "record_stem": ledger, "rows": 2, "verify": "pass"},
        {"canonical_id": "S02", "display_path": "P01.S02", "checked": True, "record_stem": ledger, "rows": 0, "verify": None},
        {"canonical_id": "S03", "display_path": "P02.S03", "checked": False, "record_stem": None, "rows": None, "verify": None},
    ]  # fmt: skip
    by_feature = "plan" not in target
    grounding = {**GROUNDING, "research": ["2026-07-11-search-api-research"]} if by_feature else GROUNDING
    assert answer(fill("search"), target) == trace(
        target=target,
        trace_kind="feature" if by_feature else "plan",
        plans=[{**PLAN_ROW, "steps": steps, "grounding": GROUNDING, "unlinked_records": [], "error": None}],
        grounding=grounding,
        unlinked_records=[],
    )


@requirement("STS-2", "D-12")
def test_a_feature_without_a_plan_has_its_grounding_and_no_plans(fill: Fill) -> None:
    assert answer(fill("search"), "auth") == trace(
        target="auth",
        trace_kind="feature",
        plans=[],
        grounding={"adr": ["2026-07-01-auth-adr"], "research": ["2026-06-30-auth-research"]},
        unlinked_records=[],
    )


@requirement("STS-2")
def test_a_feature_with_several_plans_traces_each_with_its_own_ledger(vault: Vault, write: Write) -> None:
    for day in ("01", "02"):
        stem = f"2026-01-{day}-auth"
        write(f"plan/{stem}-plan.md", "## Steps\n\n- [x] `S01` - do; `it`.\n")
        write(f"exec/{stem}/{stem}-ledger.md", f"## Changes\n\n- `S01` `A` `{day}.py`\n", related=f"{stem}-plan")
    found = answer(vault, "auth")
    assert [(plan["stem"], plan["steps"][0]["record_stem"]) for plan in found["plans"]] == [
        ("2026-01-01-auth-plan", "2026-01-01-auth-ledger"),
        ("2026-01-02-auth-plan", "2026-01-02-auth-ledger"),
    ]


@requirement("STS-2")
def test_records_that_name_no_step_or_another_feature_are_listed_apart(vault: Vault, write: Write) -> None:
    write("plan/2026-01-01-auth-plan.md", "## Steps\n\n- [x] `S01` - do; `it`.\n- [x] `S02` - do; `it`.\n")
    folder = "exec/2026-01-01-auth"
    write(f"{folder}/2026-01-01-auth-ledger.md", "## Changes\n", related="2026-01-01-auth-plan")
    write(
        f"{folder}/2026-01-01-auth-S01.md",
        text="---\ntags: ['#exec', '#auth']\nstep_id: S01\nrelated: ['[[2026-01-01-auth-plan]]']\n---\n",
    )
    write(
        "exec/x/2026-01-01-other-ledger.md",
        "## Changes\n\n- `S02` `A` `x`\n",
        feature="other",
        related="2026-01-01-auth-plan",
    )
    plan = answer(vault, "auth")["plans"][0]
    assert [(step["record_stem"], step["rows"]) for step in plan["steps"]] == [("2026-01-01-auth-S01", 0), (None, None)]
    assert plan["unlinked_records"] == ["2026-01-01-auth-ledger", "2026-01-01-other-ledger"]


@requirement("STS-2", "SRV-7")
def test_a_plan_with_a_row_that_is_none_says_which_and_keeps_the_others(vault: Vault, write: Write) -> None:
    write("plan/2026-01-01-auth-plan.md", "## Steps\n\n- [x] `S01` - do; `it`.\n- [X] `S02` - do; `it`.\n")
    plan = answer(vault, "auth")["plans"][0]
    assert [step["canonical_id"] for step in plan["steps"]] == ["S01"]
    assert plan["error"].startswith("line 10: the line looks like a step row but ")


@requirement("STS-4")
@pytest.mark.parametrize(
    ("target", "tail"),
    [
        ("search", " Did you mean: #search-api, 2026-07-12-search-api-plan?"),
        ("2026-07-12-search-api-adr", " Did you mean: 2026-07-12-search-api-plan?"),
        ("research/2026-07-12-search-api-plan.md", " Did you mean: 2026-07-12-search-api-plan?"),
        ("zzz", ""),
    ],
)
def test_a_target_that_is_no_plan_and_no_feature_is_refused_with_suggestions(
    fill: Fill, target: str, tail: str
) -> None:
    with pytest.raises(Refusal) as caught:
        orient(fill("search"), target)
    assert caught.value.code == "unresolved-target"
    assert caught.value.message == f"Could not resolve orientation target {target!r}.{tail}"


@requirement("SRV-7")
def test_bad_documents_do_not_change_what_status_says_of_the_others(fill: Fill) -> None:
    vault = fill("troubled")
    fill("search")
    (vault.folder / "plan" / "2026-01-01-latin-plan.md").write_bytes(
        b"---\ntags: ['#plan', '#latin']\n---\n- [ ] `S01` - caf\xe9; `x`.\n"
    )
    found = answer(vault)
    rows = {row["name"]: row for row in found["features"]}
    assert rows["search-api"]["plan_completion_percent"] == 66.7
    assert rows["latin"]["status"] == "Planned"
    assert found["totals"]["total_docs"] == 25


def test_the_summary_says_what_the_answer_is(fill: Fill) -> None:
    vault = fill("search")
    assert run(vault, {"target": None}, lambda done, total, message: None)[1] == "features: 3, plans in flight: 1"
    traced = run(vault, {"target": "auth"}, lambda done, total, message: None)[1]
    assert traced == "grounding trace of feature auth"


ROLLUP = """\
8 documents in 3 features

FEATURE     STATUS       DOCUMENTS  TIER  CLOSED  LAST ACTIVITY
search-api  In Progress  5          L2    66.7 %  2026-07-14
auth        Specified    2          -     -       2026-07-01
caching     Researching  1          -     -       2026-06-20

PLAN IN FLIGHT              TIER  STEPS  CLOSED  NEXT
2026-07-12-search-api-plan  L2    2/3    66.7 %  P02.S03

1 orphaned document, 1 dangling link
Trace a plan: vaultspec-core status 2026-07-12-search-api-plan
"""

TRACE = """\
2026-07-12-search-api-plan
L2, 2 of 3 steps closed (66.7 %), next: P02.S03
STEP     STATE   ROWS  VERIFY  RECORD
P01.S01  closed  2     pass    2026-07-12-search-api-ledger
P01.S02  closed  0     -       2026-07-12-search-api-ledger
P02.S03  open    -     -       -

adr
  2026-07-12-search-api-adr
research
  2026-07-11-search-api-research
"""


@requirement("CLI-1", "STS-1")
def test_status_on_the_command_line_is_the_answer_of_the_tool(fill: Fill, cli: Cli) -> None:
    vault = fill("search")
    before = tree(vault.root)
    shown = cli("status")
    assert (shown.code, shown.out, shown.err) == (0, ROLLUP, "")
    document = cli("status", "--json").json
    assert (document["schema"], document["status"]) == ("vaultspec.status.v1", "ok")
    assert document["data"] == answer(vault)
    assert tree(vault.root) == before


@requirement("CLI-1", "STS-2")
def test_a_trace_on_the_command_line_shows_open_steps_or_all(fill: Fill, cli: Cli) -> None:
    vault = fill("search")
    assert cli("status", "search-api", "--verbose-exec").out == TRACE
    brief = [line for line in TRACE.splitlines(keepends=True) if " closed  " not in line]
    assert cli("status", "search-api").out.split() == "".join(brief).split()
    assert cli("status", "search-api", "--json").data == answer(vault, "search-api")
    assert "no plan yet" in cli("status", "auth").out


@requirement("CLI-1")
def test_the_options_of_status_narrow_what_it_lists(fill: Fill, cli: Cli) -> None:
    fill("search")
    data = cli("status", "--json", "--limit", "1").data
    assert [row["name"] for row in data["features"]] == ["search-api"]
    assert data["features_total"] == 3
    assert [row["name"] for row in cli("status", "--json", "--since", "2026-07-01").data["features"]] == [
        "search-api",
        "auth",
    ]
    assert cli("status", "--json", "--since", "2026-08-01").data["plans_in_flight"] == []
    assert "hints" not in cli("status", "--json", "--no-hints").json
    paths = cli("status", "search-api", "--json", "--paths").data["paths"]
    assert paths["2026-07-12-search-api-ledger"] == (
        ".vault/exec/2026-07-12-search-api/2026-07-12-search-api-ledger.md"
    )
    assert (cli("status", "--limit", "0").code, cli("status", "--since", "soon").code) == (2, 1)


@requirement("STS-4", "SYN-8")
def test_status_of_nothing_known_is_refused_on_the_command_line(fill: Fill, cli: Cli) -> None:
    fill("search")
    refused = cli("status", "zzz", "--json")
    assert (refused.code, refused.data["code"]) == (1, "unresolved-target")


def test_a_workspace_without_a_vault_is_refused_with_the_command_that_makes_one(sandbox: Any, cli: Cli) -> None:
    (sandbox.root / ".vaultspec").mkdir()
    refused = cli("status")
    assert refused.code == 1
    assert refused.err == (
        f"error: {sandbox.root} holds no vault (`.vault`)\nhint: vaultspec-core install --target {sandbox.root}\n"
    )
