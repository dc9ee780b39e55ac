"""`plan_edit`: add, insert, edit and remove steps, one operation after the other, in one write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vaultspec_core.batch import FAILED, envelope, summary
from vaultspec_core.plan import steps
from vaultspec_core.plan.containers import add_phase, add_wave
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.lookup import next_id
from vaultspec_core.plan.model import Plan
from vaultspec_core.plan.progress import totals
from vaultspec_core.plan.rewrite import existing, rewrite
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Progress
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


def run(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The tool. Raises Refusal `unresolved-plan`, `ambiguous-plan`, `busy` and those of the file system."""
    answer = author(vault, arguments["plan"], arguments["operations"])
    return answer, summary(answer)


def author(vault: Vault, plan: str, operations: Sequence[Operation]) -> dict[str, Any]:
    """Carry out the operations in order and give the envelope with the plan's state afterwards."""
    with vault.hold():
        vault.corpus.refresh()
        document = resolve_plan(vault.corpus, plan)
        items, after = rewrite(
            vault, document.relative, lambda text: _apply(existing(document.relative, text), operations)
        )
    return {**envelope(items), "plan": document.stem, **totals(after)}


def _apply(text: str, operations: Sequence[Operation]) -> tuple[str, tuple[list[dict[str, Any]], Plan]]:
    items = []
    for operation in operations:
        item: dict[str, Any] = {"operation": operation["operation"]}
        try:
            new, step, warnings = carry_out(text, operation)
        except Refusal as refusal:
            item |= {"status": FAILED, "error": {"message": refusal.message}}
        else:
            item |= {"status": STATUS[str(operation["operation"])] if new != text else "unchanged", "step_id": step}
            if warnings:
                item["warnings"] = warnings
            text = new
        items.append(item)
    return text, (items, parse_text(text))


def carry_out(text: str, operation: Operation) -> tuple[str, str, list[str]]:
    """One operation: the new text, the step's identifier, warnings. Raises Refusal with what keeps it from being carried out."""
    given = {name: value for name, value in operation.items() if value is not None and name != "operation"}
    word = _checked(str(operation["operation"]), given)
    warnings: list[str] = []
    match word:
        case "add":
            text, phase, warnings = _framed(text, given.get("phase_id"))
            edited = steps.add_step(text, given["action"], given["scope"], phase)
        case "insert":
            edited = steps.insert_step(
                text, given["action"], given["scope"], before=given.get("before"), after=given.get("after")
            )
        case "edit":
            edited = steps.edit_step(text, given["step_id"], given.get("action"), given.get("scope"))
        case _:
            edited = steps.remove_step(text, given["step_id"])
    return edited.text, edited.id, warnings


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


def _framed(text: str, phase: str | None) -> tuple[str, str | None, list[str]]:
    """A plan that still has neither steps nor phases gets the first phase (and wave) that its first step goes into."""
    plan = parse_text(text)
    if plan.shape == "L1" or plan.steps or plan.phases or phase not in (None, next_id(plan, "P")):
        return text, phase, []
    made, wave = [], None
    if plan.shape in ("L3", "L4"):
        if not plan.waves:
            text, wave = add_wave(text, UNTITLED)
            made.append(f"wave {wave}")
        else:
            wave = plan.waves[-1].id
    text, phase = add_phase(text, UNTITLED, wave=wave)
    made.append(f"phase {phase}")
    return (
        text,
        phase,
        [f"Made {' and '.join(made)} for the first step; name it with vaultspec-core vault plan phase edit"],
    )
