"""`plan_progress`: close and open steps, in one write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vaultspec_core.batch import FAILED, demand_at_most, envelope, summary
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.lookup import find_step
from vaultspec_core.plan.model import Plan, Step
from vaultspec_core.plan.rewrite import existing, rewrite
from vaultspec_core.plan.steps import set_states
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Progress, unreported
from vaultspec_core.vault.lifecycle import percent
from vaultspec_core.vault.resolve import resolve_plan
from vaultspec_core.vault.vault import Vault

STATES = {"checked": True, "unchecked": False}

LIMIT = 1000
"""Steps of one call."""


def run(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The tool. Raises Refusal `unresolved-plan`, `ambiguous-plan`, `busy` and those of the file system."""
    answer = mark(vault, arguments["plan"], arguments["steps"], progress)
    return answer, summary(answer)


def mark(
    vault: Vault, plan: str, changes: Sequence[Mapping[str, str]], progress: Progress = unreported
) -> dict[str, Any]:
    """Set the state of steps (`step_id`, `state`) and give the envelope with the plan's state afterwards.

    Raises Refusal `batch-too-large`, and those of `run`.
    """
    demand_at_most(LIMIT, "plan_progress", "steps", changes)
    with vault.hold():
        vault.corpus.refresh()
        document = resolve_plan(vault.corpus, plan)
        items, after = rewrite(
            vault, document.relative, lambda text: _apply(existing(document.relative, text), changes, progress)
        )
    return {**envelope(items), "plan": document.stem, **totals(after), "completion_percent": completion(after)}


def totals(plan: Plan) -> dict[str, Any]:
    """How far a plan is."""
    following = plan.next_open
    return {
        "total_steps": len(plan.steps),
        "steps_completed": sum(step.checked for step in plan.steps),
        "next_open_step": following.path if following else None,
    }


def completion(plan: Plan) -> float:
    """Per cent of the steps that are closed."""
    return percent(sum(step.checked for step in plan.steps), len(plan.steps))


def _apply(
    text: str, changes: Sequence[Mapping[str, str]], progress: Progress
) -> tuple[str, tuple[list[dict[str, Any]], Plan]]:
    plan = parse_text(text)
    wanted: dict[Step, bool] = {}
    items = []
    for done, change in enumerate(changes, 1):
        items.append(_item(plan, change, wanted))
        progress(done, len(changes), change["step_id"])
    try:
        plan = set_states(plan, wanted.items())
    except Refusal as refusal:
        items = [_failed(item, refusal) if item["status"] == "updated" else item for item in items]
    return plan.text, (items, plan)


def _item(plan: Plan, change: Mapping[str, str], wanted: dict[Step, bool]) -> dict[str, Any]:
    """What becomes of one change, given those before it; a change that can be made goes to `wanted`."""
    item: dict[str, Any] = {"step_id": change["step_id"], "state": change["state"]}
    try:
        checked = STATES.get(change["state"])
        if checked is None:
            raise Refusal("bad-state", f"Invalid state {change['state']}; use checked or unchecked")
        step = find_step(plan, change["step_id"])
    except Refusal as refusal:
        return _failed(item, refusal)
    item["status"] = "unchanged" if wanted.get(step, step.checked) == checked else "updated"
    wanted[step] = checked
    return item


def _failed(item: Mapping[str, Any], refusal: Refusal) -> dict[str, Any]:
    return {**item, "status": FAILED, "error": {"message": refusal.message}}
