"""`vault plan phase ... | wave ... | epic intent edit`."""

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
from vaultspec_core.plan import containers
from vaultspec_core.report import Report
from vaultspec_core.verb import Call

RENUMBER = Deed("Renumbered", "Would renumber")


def container_add(call: Call) -> Report:
    """A new phase or wave at the end."""
    demand(call, "title")
    title, intent = call["title"], call["intent"]
    if _noun(call) == "Wave":
        return change(call, ADD, "Wave", lambda text: containers.add_wave(text, title, intent))
    return change(call, ADD, "Phase", lambda text: containers.add_phase(text, title, intent, call["wave"]))


def container_insert(call: Call) -> Report:
    """A new phase or wave next to another."""
    demand(call, "title")
    demand_place(call)
    insert = containers.insert_wave if _noun(call) == "Wave" else containers.insert_phase
    where = {"before": call["before"], "after": call["after"]}
    return change(call, INSERT, _noun(call), lambda text: insert(text, call["title"], call["intent"], **where))


def container_edit(call: Call) -> Report:
    """Another title, intent or both."""
    demand_any(call, "title", "intent")
    revise = containers.edit_wave if _noun(call) == "Wave" else containers.edit_phase
    named = call[_noun(call).lower()]
    return change(call, EDIT, _noun(call), lambda text: revise(text, named, call["title"], call["intent"]))


def container_move(call: Call) -> Report:
    """The same phase or wave elsewhere, with all that it holds."""
    where = {"before": call["before"], "after": call["after"]}
    if _noun(call) == "Wave":
        demand_place(call)
        return change(call, MOVE, "Wave", lambda text: containers.move_wave(text, call["wave"], **where))
    demand_any(call, "to_wave", "before", "after")
    wave = call["to_wave"]
    return change(call, MOVE, "Phase", lambda text: containers.move_phase(text, call["phase"], wave=wave, **where))


def container_remove(call: Call) -> Report:
    """Out with a phase or wave and all that it holds; the identifiers are retired."""
    remove = containers.remove_wave if _noun(call) == "Wave" else containers.remove_phase
    return change(call, REMOVE, _noun(call), lambda text: remove(text, call[_noun(call).lower()]))


def phase_renumber(call: Call) -> Report:
    """Another identifier; the old one is retired."""
    demand(call, "to")
    return change(call, RENUMBER, "Phase", lambda text: containers.renumber_phase(text, call["phase"], call["to"]))


def epic_edit(call: Call) -> Report:
    """The epic intent, made or replaced."""
    demand(call, "text")
    return change(call, EDIT, "the epic intent", lambda text: containers.set_epic_intent(text, call["text"]))


def _noun(call: Call) -> str:
    return "Wave" if call.verb.words[2] == "wave" else "Phase"
