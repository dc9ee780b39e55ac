"""The verbs of plans and ledgers: the same bytes and data as the tools, nothing outside the vault, nothing on a dry run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.requirements import requirement
from tests.server.plan.conftest import STEM, plan_text
from vaultspec_core.load import load
from vaultspec_core.vault.vault import Vault

L2 = "### Phase `P01` - index\n\n- [x] `P01.S01` - scan; `a`.\n\nProse of mine.\n\n- [ ] `P01.S02` - keep; `b`.\n"
TEXTS = {
    "L1": plan_text(),
    "L1 with CRLF": plan_text().replace("\n", "\r\n"),
    "L2": plan_text(L2, "L2"),
}

WORDS = {"action": "keep; one index", "scope": "src/x.py"}
FLAGS = ["--action", WORDS["action"], "--scope", WORDS["scope"]]
PAIRS: list[tuple[str, dict[str, Any], list[str], list[str]]] = [
    ("plan_progress", {"step_id": "S02", "state": "checked"}, ["plan", "step", "check"], ["S02"]),
    ("plan_progress", {"step_id": "S01", "state": "checked"}, ["plan", "step", "check"], ["S01"]),
    ("plan_progress", {"step_id": "S01", "state": "unchecked"}, ["plan", "step", "uncheck"], ["S01"]),
    ("plan_progress", {"step_id": "S01", "state": "unchecked"}, ["plan", "step", "toggle"], ["S01"]),
    ("plan_edit", {"operation": "insert", "before": "S02", **WORDS}, ["plan", "step", "insert"], ["--before", "S02", *FLAGS]),
    ("plan_edit", {"operation": "insert", "after": "S02", **WORDS}, ["plan", "step", "insert"], ["--after", "S02", *FLAGS]),
    ("plan_edit", {"operation": "edit", "step_id": "S02", **WORDS}, ["plan", "step", "edit"], ["S02", *FLAGS]),
    ("plan_edit", {"operation": "edit", "step_id": "S02", "scope": "b"}, ["plan", "step", "edit"], ["S02", "--scope", "b"]),
    ("plan_edit", {"operation": "remove", "step_id": "S01"}, ["plan", "step", "remove"], ["S01"]),
]  # fmt: skip
ADD = ("plan_edit", {"operation": "add", **WORDS}, ["plan", "step", "add"], FLAGS)


def called(vault: Vault, tool: str, change: dict[str, Any]) -> dict[str, Any]:
    """The answer of a tool that is given one change of the plan."""
    key = "steps" if tool == "plan_progress" else "operations"
    run = load(f"vaultspec_core.tools.{tool}:TOOL").run
    answer: dict[str, Any] = load(run)(Vault.open(vault.root), {"plan": STEM, key: [change]}, lambda *_: None)[0]
    return answer


@requirement("CLI-1", "PLN-2", "PLN-3")
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(("tool", "change", "words", "more"), [*PAIRS, ADD])
def test_a_verb_writes_the_bytes_of_its_tool_and_says_the_same(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any], name: str, tool: str, change: dict[str, Any],
    words: Sequence[str], more: Sequence[str],
) -> None:  # fmt: skip
    if change.get("operation") == "add" and name == "L2":
        change, more = {**change, "phase_id": "P01"}, [*more, "--phase", "P01"]
    path = put(TEXTS[name])
    answer = called(vault, tool, change)
    written = path.read_bytes()
    put(TEXTS[name])
    result = cli("vault", *words, STEM, *more, "--json")
    assert result.code == 0
    assert path.read_bytes() == written
    data, item = result.data, answer["items"][0]
    assert data["changed"] == (item["status"] != "unchanged")
    assert data["id"] == item["step_id"]
    for key in ("total_steps", "steps_completed", "next_open_step", "plan"):
        assert data[key] == answer[key]
    assert data["path"] == path.relative_to(vault.root).as_posix()


@requirement("CLI-1", "PLN-3")
def test_a_verb_is_refused_with_the_words_of_its_tool(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any]
) -> None:
    put()
    before = tree(vault.root)
    for tool, change, words, more in (
        ("plan_progress", {"step_id": "S09", "state": "checked"}, ["step", "check"], ["S09"]),
        ("plan_edit", {"operation": "remove", "step_id": "P01.S01"}, ["step", "remove"], ["P01.S01"]),
        ("plan_edit", {"operation": "add", "phase_id": "P01", **WORDS}, ["step", "add"], ["--phase", "P01", *FLAGS]),
        (
            "plan_edit",
            {"operation": "edit", "step_id": "S01", "action": " "},
            ["step", "edit"],
            ["S01", "--action", " "],
        ),
    ):
        result = cli("vault", "plan", *words, STEM, *more, "--json")
        assert result.code == 1
        assert result.data["message"] == called(vault, tool, change)["items"][0]["error"]["message"]
        assert tree(vault.root) == before


@requirement("CLI-1", "LOG-1")
def test_exec_log_writes_the_bytes_of_the_tool_and_says_the_same(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any]
) -> None:
    put()
    ledger = vault.folder / "exec/2026-07-12-search-api/2026-07-12-search-api-ledger.md"
    arguments = {"feature": "search-api", "plan": STEM, "step": "S01", "rows": ["a:x y", "R:b->c"]}
    arguments |= {"verify": "t=pass", "by": "me", "notes": ["left  out"]}
    run = load(load("vaultspec_core.tools.log:TOOL").run)
    answer = run(Vault.open(vault.root), arguments, lambda *_: None)[0]
    written = ledger.read_bytes()
    ledger.unlink()
    words = ["vault", "exec", "log", "--feature", "#search-api", "--related", STEM, "--step", "S01", "--row", "a:x y"]
    words += ["--row", "R:b->c", "--verify", "t=pass", "--by", "me", "--note", "left  out", "--json"]
    data = cli(*words).data
    assert ledger.read_bytes() == written
    rows = ["- `S01` `A` `x y`", "- `S01` `R` `b` -> `c`", "- `S01` `verify:` `t` -> `pass`", "- `S01` `by:` `me`"]
    assert data == {**answer, "rows": rows, "notes": ["left out"], "dry_run": False}
    assert (answer["rows"], answer["notes"]) == (len(rows), 1)
    assert cli(*words).data == {**data, "changed": False, "created": False}
    assert ledger.read_bytes() == written


@requirement("GTW-4", "PLN-1")
@pytest.mark.parametrize("words", [["status"], ["query"], ["check", "--fix"], ["tier", "show"], ["step", "check"]])
def test_a_plan_outside_the_workspace_is_nobody(
    sandbox: Sandbox, vault: Vault, put: Callable[..., Path], cli: Callable[..., Any], words: list[str]
) -> None:
    outside = sandbox.home / ".vault" / "plan" / f"{STEM}.md"
    outside.parent.mkdir(parents=True)
    outside.write_text(plan_text(), encoding="utf-8")
    put()
    before = tree(sandbox.home), tree(sandbox.root)
    operands = ["S02"] if words == ["step", "check"] else []
    for named in (str(outside), f"../home/.vault/plan/{STEM}.md", "/nowhere/x.md", "no-such-feature"):
        result = cli("vault", "plan", *words, named, *operands, "--json")
        assert (result.code, result.data["code"]) == (1, "unresolved-plan")
    assert (tree(sandbox.home), tree(sandbox.root)) == before


@requirement("PLN-1")
def test_a_plan_is_named_by_stem_path_or_a_feature_with_one_plan(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any]
) -> None:
    path = put()
    for named in (STEM, f"{STEM}.md", f".vault/plan/{STEM}.md", str(path), "search-api", "#search-api"):
        assert cli("vault", "plan", "tier", "show", named, "--json").data["plan"] == STEM
    put(plan_text(), "2026-07-13-search-api-plan")
    refused = cli("vault", "plan", "tier", "show", "search-api", "--json")
    assert (refused.code, refused.data["code"]) == (1, "ambiguous-plan")


CHANGES: list[list[str]] = [
    ["step", "add", STEM, *FLAGS, "--phase", "P01"],
    ["step", "insert", STEM, *FLAGS, "--after", "S01"],
    ["step", "edit", STEM, "S01", "--action", "x"],
    ["step", "move", STEM, "S02", "--before", "S01"],
    ["step", "remove", STEM, "S01"],
    ["step", "check", STEM, "S02"],
    ["step", "uncheck", STEM, "S01"],
    ["step", "toggle", STEM, "S01"],
    ["phase", "add", STEM, "--title", "T"],
    ["phase", "insert", STEM, "--title", "T", "--before", "P01"],
    ["phase", "edit", STEM, "P01", "--title", "T", "--intent", "Why."],
    ["phase", "remove", STEM, "P01"],
    ["phase", "renumber", STEM, "P01", "--to", "P05"],
    ["tier", "promote", STEM, "--wave-title", "T", "--wave-intent", "Why."],
    ["tier", "demote", STEM],
]


@requirement("CLI-1", "D-11", "PLN-5")
@pytest.mark.parametrize("words", CHANGES, ids=lambda words: " ".join(words[:2]))
def test_a_dry_run_shows_the_diff_that_the_run_makes_and_writes_nothing(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any], words: list[str]
) -> None:
    path = put(TEXTS["L2"])
    before, old = tree(vault.root), path.read_text(encoding="utf-8")
    dry = cli("vault", "plan", *words, "--dry-run", "--json")
    assert (dry.code, dry.json["status"], dry.data["dry_run"], dry.data["changed"]) == (0, "unchanged", True, True)
    assert tree(vault.root) == before
    real = cli("vault", "plan", *words, "--json")
    assert (real.code, real.data["dry_run"]) == (0, False)
    assert "diff" not in real.data
    new = path.read_text(encoding="utf-8")
    assert dry.data["diff"].count("\n@@ ") <= 3
    gone = [line[1:] for line in dry.data["diff"].splitlines() if line.startswith("-") and not line.startswith("---")]
    come = [line[1:] for line in dry.data["diff"].splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert sorted([*old.splitlines(), *come]) == sorted([*new.splitlines(), *gone])
    assert "Prose of mine." in new or words[:2] == ["phase", "remove"]
    same = set(dry.data) - {"diff", "dry_run", "message"}
    assert {key: dry.data[key] for key in same} == {key: real.data[key] for key in same}


@requirement("SYN-8", "CLI-4")
@pytest.mark.parametrize(
    "words",
    [
        ["step", "add", STEM, "--action", "x"],
        ["step", "insert", STEM, *FLAGS],
        ["step", "insert", STEM, *FLAGS, "--before", "S01", "--after", "S02"],
        ["step", "edit", STEM, "S01"],
        ["step", "move", STEM, "S01"],
        ["phase", "add", STEM],
        ["phase", "edit", STEM, "P01"],
        ["phase", "renumber", STEM, "P01"],
        ["wave", "move", STEM, "W01"],
        ["epic", "intent", "edit", STEM],
        ["tier", "promote", STEM, "--phase-title", "T"],
        ["query", STEM, "--open", "--closed"],
        ["trailer", "emit"],
        ["trailer", "emit", "--step", "S1"],
        ["trailer", "emit", "--step", "S01", "--feature", "x"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2_and_writes_nothing(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any], words: list[str]
) -> None:
    put()
    before = tree(vault.root)
    result = cli("vault", "plan", *words, "--json")
    assert (result.code, result.json["schema"], result.data["code"]) == (2, "vaultspec.error.v1", "usage")
    assert len(result.err.splitlines()) == 1
    assert tree(vault.root) == before


@requirement("CLI-1", "CHK-2")
def test_check_fix_writes_paths_and_tier_and_a_second_time_nothing(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any]
) -> None:
    rows = L2.replace("P01.S01", "P03.S01").replace("P01.S02", "S02")
    path = put(plan_text(rows, "L2").replace("tier: L2\n", ""))
    codes = [found["code"] for found in cli("vault", "plan", "check", STEM, "--json").data["findings"]]
    assert codes == ["PLAN001", "PLAN030", "PLAN030"]
    fixed = cli("vault", "plan", "check", STEM, "--fix", "--json")
    assert (fixed.code, fixed.data["findings"], fixed.data["fixed_count"]) == (0, [], 3)
    text = path.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if not line.startswith(("modified", "body_hash", "tier"))] == [
        line for line in plan_text(L2, "L2").splitlines() if not line.startswith(("modified", "body_hash", "tier"))
    ]
    assert "\ntier: 'L2'\n" in text
    before = tree(vault.root)
    assert cli("vault", "plan", "check", STEM, "--fix", "--json").data["fixed_count"] == 0
    assert tree(vault.root) == before


@requirement("D-17")
def test_errors_that_no_fix_mends_are_told_with_their_line_and_make_the_exit_1(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any]
) -> None:
    put(plan_text("- [X] `S01` - scan; `a`.\n- [ ] `S02` - keep; `b`.\n- [ ] `S02` - again; `c`.\n"))
    result = cli("vault", "plan", "check", STEM, "--json")
    assert result.code == 1
    assert [(one["code"], one["severity"], one["line"], one["autofixable"]) for one in result.data["findings"]] == [
        ("PLAN020", "error", 15, False),
        ("PLAN021", "error", 17, False),
    ]


@requirement("CLI-1")
def test_canonicalise_also_writes_paths_and_keeps_the_prose(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any]
) -> None:
    path = put(plan_text(L2.replace("P01.S01", "S01"), "L2"))
    data = cli("vault", "plan", "step", "check", STEM, "S02", "--canonicalise", "--json").data
    assert data["preserved_blocks"] == 2
    text = path.read_text(encoding="utf-8")
    assert L2.replace("[ ]", "[x]") in text


L3 = (
    "## Wave `W01` - one\n\n### Phase `W01.P01` - index\n\n- [x] `W01.P01.S01` - scan; `a`.\n\n"
    "### Phase `W01.P02` - answer\n\n- [x] `W01.P02.S02` - keep; `b`.\n- [ ] `W01.P02.S03` - ask; `c`.\n"
)


@requirement("CLI-1", "D-11")
def test_status_and_query_say_the_same_as_the_tools_do(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any]
) -> None:
    put(plan_text(L3, "L3"))
    cli("vault", "exec", "log", "--feature", "search-api", "--step", "S01", "--row", "A:a")
    before = tree(vault.root)
    assert cli("vault", "plan", "status", STEM, "--json").json == {
        "schema": "vaultspec.vault.plan.status.v1",
        "status": "ok",
        "data": {
            "plan": STEM,
            "path": f".vault/plan/{STEM}.md",
            "tier": "L3",
            "legacy_tier_default": False,
            "wave_count": 1,
            "phase_count": 2,
            "step_count": 3,
            "steps_completed": 2,
            "completion_percent": 66.7,
            "has_epic_intent": False,
            "waves_completed": 0,
            "phases_completed": 1,
            "next_open_step": "W01.P02.S03",
            "exec_missing_ids": ["S02"],
        },
        "hints": {
            "text": "When it is done:",
            "command": f"vaultspec-core vault plan step check {STEM} W01.P02.S03",
        },
    }
    closed = cli("vault", "plan", "query", STEM, "--closed", "--phase", "W01.P02", "--json").data
    steps = [{"display_path": "W01.P02.S02", "checked": True, "action": "keep", "scope": "b"}]
    assert closed == {"plan": STEM, "matched": 1, "total": 3, "steps": steps}
    assert cli("vault", "plan", "query", STEM, "--wave", "W01", "--json").data["matched"] == 3
    row = cli("status", STEM, "--json").data["plans"][0]
    assert (row["completion_percent"], row["next_open_step"]) == (66.7, "W01.P02.S03")
    assert tree(vault.root) == before


@requirement("SRV-7", "SYN-8")
@pytest.mark.parametrize("words", [["status", STEM], ["check", STEM, "--fix"], ["step", "check", STEM, "S01"]])
def test_a_plan_that_is_no_utf_8_is_refused_and_stays(
    vault: Vault, put: Callable[..., Path], cli: Callable[..., Any], words: list[str]
) -> None:
    put().write_bytes(plan_text().encode() + b"\xff\n")
    before = tree(vault.root)
    result = cli("vault", "plan", *words, "--json")
    assert (result.code, result.data["code"]) == (1, "not-utf8")
    assert tree(vault.root) == before
