"""`plan_edit`: add, insert, edit and remove steps, one operation after the other, in one write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vaultspec_core.batch import FAILED, demand_at_most, envelope, summary
from vaultspec_core.plan import steps
from vaultspec_core.plan.containers import add_phase, add_wave
from vaultspec_core.plan.draft import Source
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.lookup import next_id
from vaultspec_core.plan.model import Plan
from vaultspec_core.plan.progress import totals
from vaultspec_core.plan.rewrite import decoded, existing, rewrite
from vaultspec_core.plan.steps import Edited
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Progress, unreported
from vaultspec_core.vault.resolve import resolve_plan
from vaultspec_core.vault.vault import Vault

Operation = Mapping[str, str | None]

FIELDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "add": (("action", "scope"), ("phase_id",)),
    "insert": (("action", "scope"), ("before", "after")),
    "edit": (("step_id",), ("action", "scope")),
    "remove": (("step_id",), ()),
}
"""Per operation, the fields it needs and those it may have."""

STATUS = {"add": "created", "insert": "created", "edit": "updated", "remove": "removed"}

UNTITLED = "Untitled"

LIMIT = 200
"""Operations of one call: each reads the whole plan."""


def run(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The tool. Raises Refusal `unresolved-plan`, `ambiguous-plan`, `busy` and those of the file system."""
    answer = author(vault, arguments["plan"], arguments["operations"], progress)
    return answer, summary(answer)


def author(vault: Vault, plan: str, operations: Sequence[Operation], progress: Progress = unreported) -> dict[str, Any]:
    """Carry out the operations in order and give the envelope with the plan's state afterwards.

    They are worked out before the vault's lock is taken, so that a long batch keeps nobody waiting; only when the plan is another
    by then, they are worked out again under the lock. Raises Refusal `batch-too-large`, and those of `run`.
    """
    demand_at_most(LIMIT, "plan_edit", "operations", operations)
    vault.corpus.refresh()
    document = resolve_plan(vault.corpus, plan)
    before = decoded(document.relative, vault.read(document) or b"")
    ready = _apply(before, operations, progress)
    with vault.hold():
        vault.corpus.refresh()
        document = resolve_plan(vault.corpus, plan)

        def compose(text: str | None) -> tuple[str, tuple[list[dict[str, Any]], Plan]]:
            progress(0, 0, "")
            if text == before:
                return ready
            return _apply(existing(document.relative, text), operations, lambda *_: progress(0, 0, ""))

        items, after = rewrite(vault, document.relative, compose)
    return {**envelope(items), "plan": document.stem, **totals(after)}


def _apply(
    text: str, operations: Sequence[Operation], progress: Progress
) -> tuple[str, tuple[list[dict[str, Any]], Plan]]:
    items = []
    plan = parse_text(text)
    for done, operation in enumerate(operations, 1):
        item: dict[str, Any] = {"operation": operation["operation"]}
        try:
            edited, warnings = carry_out(plan, operation)
        except Refusal as refusal:
            item |= {"status": FAILED, "error": {"message": refusal.message}}
        else:
            changed = edited.plan.structure.lines != plan.structure.lines
            item |= {"status": STATUS[str(operation["operation"])] if changed else "unchanged", "step_id": edited.id}
            if warnings:
                item["warnings"] = warnings
            plan = edited.plan
        items.append(item)
        progress(done, len(operations), str(item.get("step_id", "")))
    return plan.text, (items, plan)


def carry_out(source: Source, operation: Operation) -> tuple[Edited, list[str]]:
    """One operation: the plan after it, the step's identifier, warnings. Raises Refusal with what keeps it from being carried out."""
    given = {name: value for name, value in operation.items() if value is not None and name != "operation"}
    word = _checked(str(operation["operation"]), given)
    warnings: list[str] = []
    match word:
        case "add":
            source, phase, warnings = _framed(source, given.get("phase_id"))
            edited = steps.add_step(source, given["action"], given["scope"], phase)
        case "insert":
            edited = steps.insert_step(
                source, given["action"], given["scope"], before=given.get("before"), after=given.get("after")
            )
        case "edit":
            edited = steps.edit_step(source, given["step_id"], given.get("action"), given.get("scope"))
        case _:
            edited = steps.remove_step(source, given["step_id"])
    return edited, warnings


def _checked(word: str, given: Mapping[str, str]) -> str:
    """The operation's name, when its fields are those it takes. Raises Refusal."""
    if word not in FIELDS:
        raise Refusal("bad-operation", f"Unknown operation {word}; use {', '.join(FIELDS)}")
    needed, optional = FIELDS[word]
    missing = [name for name in needed if name not in given]
    if missing:
        raise Refusal("bad-operation", f"{word} requires {' and '.join(missing)}")
    if foreign := [name for name in given if name not in needed + optional]:
        raise Refusal("bad-operation", f"{word} takes no {' or '.join(foreign)}")
    if word == "insert" and optional[0] not in given and optional[1] not in given:
        raise Refusal("bad-operation", "insert requires before or after")
    if word == "edit" and not given.keys() & set(optional):
        raise Refusal("bad-operation", "edit requires action or scope")
    return word


def _framed(source: Source, phase: str | None) -> tuple[Plan, str | None, list[str]]:
    """A plan that still has neither steps nor phases gets the first phase (and wave) that its first step goes into."""
    plan = parse_text(source) if isinstance(source, str) else source
    if plan.shape == "L1" or plan.steps or plan.phases or phase not in (None, next_id(plan, "P")):
        return plan, phase, []
    made, wave = [], None
    if plan.shape in ("L3", "L4"):
        if not plan.waves:
            plan, wave = add_wave(plan, UNTITLED)
            made.append(f"wave {wave}")
        else:
            wave = plan.waves[-1].id
    plan, phase = add_phase(plan, UNTITLED, wave=wave)
    made.append(f"phase {phase}")
    return (
        plan,
        phase,
        [f"Made {' and '.join(made)} for the first step; name it with vaultspec-core vault plan phase edit"],
    )
