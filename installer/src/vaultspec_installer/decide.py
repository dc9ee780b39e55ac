"""From verdicts to what will be done: one decision per name and target, and each host file's new bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from vaultspec_core.changeset import Change
from vaultspec_core.report import Refusal
from vaultspec_providers.contract import HostFileError, Scope

from .preconditions import require_floor, require_no_secrets
from .reconcile import Action, Actual, Command, Desired, Verdict, action
from .survey import Item, Survey, TargetSurvey, host_fault


class Wish(NamedTuple):
    """What a command was asked for. `adding` False: an entry that is not there stays away."""

    command: Command = Command.SYNC
    force: bool = False
    prune: bool = False
    strict_secrets: bool = False
    adding: bool = True


class Decision(NamedTuple):
    """What is done about one name at one target, and the word for it in every output."""

    surveyed: TargetSurvey
    item: Item
    action: Action

    @property
    def outcome(self) -> str:
        match self.action:
            case Action.WRITE:
                if self.item.verdict is Verdict.MISSING:
                    return "created"
                return "adopted" if self.item.verdict is Verdict.ADOPTABLE else "updated"
            case Action.RECORD:
                return "adopted" if self.item.verdict is Verdict.ADOPTABLE else "unchanged"
            case Action.REMOVE:
                return "removed"
            case Action.FORGET:
                return "forgotten"
            case Action.SKIP | Action.NOTHING:
                return "skipped"


def decide(found: Survey, wish: Wish) -> list[Decision]:
    """All decisions in the order of targets and names; entries that the command has nothing to say about are left out.

    Raises Refusal: below the floor and with secrets under `strict_secrets` nothing is synced, and a prune that would remove
    all that we own (`every-definition-gone`) is more likely a lost folder.
    """
    if wish.command in (Command.SYNC, Command.CONVERGE) and found.targets:
        require_floor(found)
        if wish.strict_secrets:
            require_no_secrets(found)
    decisions = [
        Decision(surveyed, item, chosen)
        for surveyed in [*found.targets, *found.left]
        for item in surveyed.items
        if (chosen := _chosen(surveyed, item, wish)) is not Action.NOTHING or _told(item, wish)
    ]
    removing = any(decision.action is Action.REMOVE for decision in decisions)
    nothing_defined = not found.definitions.valid and not found.definitions.invalid
    if wish.prune and not wish.force and removing and nothing_defined:
        raise Refusal(
            "every-definition-gone",
            "every definition is gone, so that --prune would remove all entries of this workspace",
            "Bring .vaultspec/mcps back, or confirm with --prune --force.",
        )
    return decisions


def _chosen(surveyed: TargetSurvey, item: Item, wish: Wish) -> Action:
    if item.verdict is Verdict.MISSING and not wish.adding:
        return Action.NOTHING
    if wish.prune and item.side.desired is Desired.NO:
        return action(item.side, Command.PRUNE, wish.force)
    if surveyed.target.left_by and wish.command is Command.SYNC and wish.force:
        return action(item.side, Command.PRUNE, force=False)
    return action(item.side, wish.command, wish.force)


def _told(item: Item, wish: Wish) -> bool:
    """Whether an entry that nothing is done about is reported all the same."""
    return item.verdict is Verdict.INVALID and wish.command is not Command.CONVERGE


class Edit:
    """One host file as it will be. `change` None: its bytes stay. `fault`: it cannot be edited, nothing of it is done."""

    def __init__(self, surveyed: TargetSurvey, decisions: list[Decision]) -> None:
        self.surveyed = surveyed
        self.decisions = decisions
        self.change: Change | None = None
        self.fault: Refusal | None = surveyed.fault


def edits(found: Survey, decisions: list[Decision]) -> list[Edit]:
    """The new bytes of every target; where two are places in one file, the second edits what the first makes of it."""
    made: list[Edit] = []
    for surveyed in [*found.targets, *found.left]:
        edit = Edit(surveyed, [decision for decision in decisions if decision.surveyed is surveyed])
        made.append(edit)
        if edit.fault is None:
            path = surveyed.target.path
            before = next((e.change.after for e in made if e.change and e.change.path == path), surveyed.data)
            try:
                after = _spliced(edit, before)
            except HostFileError as error:
                edit.fault = host_fault(surveyed.target, found.root, error)
                continue
            if after != before:
                private = surveyed.target.scope is not Scope.PROJECT
                edit.change = Change(path, before, after, private)
    return made


def _spliced(edit: Edit, before: bytes | None) -> bytes | None:
    """The file with the decisions carried out; the same bytes when there is nothing to do and our region is whole."""
    surveyed = edit.surveyed
    changes: dict[str, Mapping[str, Any] | None] = {}
    owned = {*surveyed.record.managed, *surveyed.record.pending}
    for decision in edit.decisions:
        name = decision.item.name
        match decision.action:
            case Action.WRITE:
                changes[name] = decision.item.entry
                owned.add(name)
            case Action.REMOVE:
                changes[name] = None
            case Action.RECORD:
                owned.add(name)
            case _:
                pass
    reading = surveyed.reading
    region = reading.region if reading else None
    outside = region is not None and any(
        d.item.name not in region and d.item.verdict is Verdict.ADOPTABLE for d in edit.decisions
    )
    if not changes and not outside and not (reading and reading.displaced):
        return before
    return surveyed.target.format.apply(before, changes, sorted(owned))


def is_refresh(decision: Decision) -> bool:
    """Whether the decision replaces a launch that stood there, which is always told (SYN-2)."""
    return decision.action is Action.WRITE and decision.item.side.actual is not Actual.ABSENT
