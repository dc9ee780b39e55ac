"""`vault plan step ...`, on the same functions as the tools `plan_edit` and `plan_progress`."""

from __future__ import annotations

from vaultspec_core.commands.plan_change import (
    ADD,
    EDIT,
    INSERT,
    MOVE,
    REMOVE,
    Deed,
    change,
    demand,
    demand_any,
    demand_place,
)
from vaultspec_core.plan import steps
from vaultspec_core.plan.author import carry_out
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.lookup import find_step
from vaultspec_core.plan.steps import Edited
from vaultspec_core.report import Report
from vaultspec_core.verb import Call

CLOSE, OPEN = Deed("Closed", "Would close"), Deed("Reopened", "Would reopen")
TOGGLE = Deed("Toggled", "Would toggle")


def step_add(call: Call) -> Report:
    """A new step at the end of its phase."""
    demand(call, "action", "scope")
    return _authored(call, ADD, operation="add", phase_id=call["phase"])


def step_insert(call: Call) -> Report:
    """A new step next to another."""
    demand(call, "action", "scope")
    demand_place(call)
    return _authored(call, INSERT, operation="insert", before=call["before"], after=call["after"])


def step_edit(call: Call) -> Report:
    """Another action, scope or both."""
    demand_any(call, "action", "scope")
    return _authored(call, EDIT, operation="edit", step_id=call["step"])


def step_remove(call: Call) -> Report:
    """Out with the row; its identifier is retired."""
    return _authored(call, REMOVE, operation="remove", step_id=call["step"])


def step_move(call: Call) -> Report:
    """The same row elsewhere."""
    demand_any(call, "to_phase", "before", "after")
    where = {"phase": call["to_phase"], "before": call["before"], "after": call["after"]}
    return change(call, MOVE, "Step", lambda text: steps.move_step(text, call["step"], **where))


def step_check(call: Call) -> Report:
    """Close a step."""
    return change(call, CLOSE, "Step", lambda text: steps.set_state(text, call["step"], True))


def step_uncheck(call: Call) -> Report:
    """Open a step again."""
    return change(call, OPEN, "Step", lambda text: steps.set_state(text, call["step"], False))


def step_toggle(call: Call) -> Report:
    """The other state."""
    return change(call, TOGGLE, "Step", lambda text: _toggled(text, call["step"]))


def _authored(call: Call, deed: Deed, **operation: str | None) -> Report:
    """A step as the tool `plan_edit` writes it."""
    given = {**operation, "action": call.options.get("action"), "scope": call.options.get("scope")}
    warnings: list[str] = []

    def carry(text: str) -> Edited:
        edited, warnings[:] = carry_out(text, given)
        return edited

    return change(call, deed, "Step", carry, warnings)


def _toggled(text: str, reference: str) -> Edited:
    return steps.set_state(text, reference, not find_step(parse_text(text), reference).checked)
