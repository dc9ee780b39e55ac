"""The verdict table: what one entry is, and what each command does about it. Pure; every command reads its answer here.

A `Side` is everything that is known of one name at one target. `judge` is total: every side has exactly one verdict.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, assert_never


class Desired(Enum):
    """What the definitions want."""

    YES = "yes"
    NO = "no"
    INVALID = "invalid"


class Recorded(Enum):
    """What the ownership record says of the name, compared with what stands in the host file."""

    NO = "no"
    MATCHES = "fingerprint matches"
    DIFFERS = "fingerprint differs"
    BARE = "without fingerprint"
    OTHERS = "owned by another workspace"


class Actual(Enum):
    """What stands in the host file, compared with what is desired."""

    ABSENT = "absent"
    EQUAL = "equal"
    FORMER = "a former rendering"
    DIFFERS = "differs"


class Side(NamedTuple):
    """One name at one target. `adoptable`: this target may adopt what equals a rendering of ours (OWN-4)."""

    desired: Desired
    recorded: Recorded
    actual: Actual
    adoptable: bool = False


class Verdict(Enum):
    """What an entry is."""

    MISSING = "missing"
    CURRENT = "current"
    ADOPTABLE = "adoptable"
    OUTDATED = "outdated"
    EDITED = "edited"
    UNVERIFIED = "unverified"
    CONFLICT = "conflict"
    STALE = "stale"
    STALE_EDITED = "stale_edited"
    GONE = "gone"
    FOREIGN = "foreign"
    INVALID = "invalid"
    OTHERS = "others"


class Action(Enum):
    """What is done to the host file and to the record."""

    NOTHING = "nothing"
    RECORD = "record"
    WRITE = "write"
    REMOVE = "remove"
    FORGET = "forget"
    SKIP = "skip"


def judge(side: Side) -> Verdict:
    """The one verdict of a side."""
    if side.recorded is Recorded.OTHERS:
        if side.actual is not Actual.ABSENT:
            return Verdict.OTHERS
        return Verdict.MISSING if side.desired is Desired.YES else Verdict.FOREIGN
    match side.desired:
        case Desired.YES:
            return _judge_desired(side)
        case Desired.INVALID:
            return Verdict.INVALID
        case Desired.NO:
            return _judge_undesired(side)
    assert_never(side.desired)


def _judge_desired(side: Side) -> Verdict:
    if side.actual is Actual.ABSENT:
        return Verdict.MISSING
    if side.recorded is Recorded.NO:
        equal = side.actual in (Actual.EQUAL, Actual.FORMER)
        return Verdict.ADOPTABLE if equal and side.adoptable else Verdict.CONFLICT
    if side.actual is Actual.EQUAL:
        return Verdict.CURRENT
    match side.recorded:
        case Recorded.MATCHES:
            return Verdict.OUTDATED
        case Recorded.BARE:
            return Verdict.UNVERIFIED
        case _:
            return Verdict.EDITED


def _judge_undesired(side: Side) -> Verdict:
    if side.recorded is Recorded.NO:
        return Verdict.FOREIGN
    if side.actual is Actual.ABSENT:
        return Verdict.GONE
    return Verdict.STALE if side.recorded is Recorded.MATCHES else Verdict.STALE_EDITED


class Row(NamedTuple):
    """What each command does: without and with `--force`. `word`: the list of status that the entry appears in."""

    sync: Action
    sync_force: Action
    prune: Action
    prune_force: Action
    uninstall: Action
    uninstall_force: Action
    word: str | None


_N, _R, _W, _X, _F, _S = (
    Action.NOTHING,
    Action.RECORD,
    Action.WRITE,
    Action.REMOVE,
    Action.FORGET,
    Action.SKIP,
)

TABLE: dict[Verdict, Row] = {
    Verdict.MISSING: Row(_W, _W, _N, _N, _F, _F, "missing"),
    Verdict.CURRENT: Row(_R, _R, _N, _N, _X, _X, "managed"),
    Verdict.ADOPTABLE: Row(_R, _R, _N, _N, _X, _X, "managed"),
    Verdict.OUTDATED: Row(_W, _W, _N, _N, _X, _X, "drifted"),
    Verdict.EDITED: Row(_S, _W, _N, _N, _S, _X, "drifted"),
    Verdict.UNVERIFIED: Row(_S, _W, _N, _N, _S, _X, "drifted"),
    Verdict.CONFLICT: Row(_S, _W, _N, _N, _N, _N, "conflicts"),
    Verdict.STALE: Row(_N, _N, _X, _X, _X, _X, "stale_managed"),
    Verdict.STALE_EDITED: Row(_N, _N, _S, _X, _S, _X, "stale_managed"),
    Verdict.GONE: Row(_F, _F, _F, _F, _F, _F, None),
    Verdict.FOREIGN: Row(_N, _N, _N, _N, _N, _N, "external"),
    Verdict.INVALID: Row(_N, _N, _N, _N, _X, _X, "invalid"),
    Verdict.OTHERS: Row(_S, _W, _N, _N, _N, _N, "external"),
}


CONVERGING = (Verdict.CURRENT, Verdict.OUTDATED, Verdict.EDITED, Verdict.UNVERIFIED)
"""What a converging command treats as `sync` does: entries that stand there and are recorded as ours. All else it leaves alone."""


class Command(Enum):
    """The commands that act on entries."""

    SYNC = "sync"
    CONVERGE = "converge"
    PRUNE = "prune"
    UNINSTALL = "uninstall"


def action(side: Side, command: Command, force: bool) -> Action:
    """What a command does about a side.

    Some cells of the table ask the side again: nothing is forgotten that we never recorded, a former rendering that is adopted is refreshed in the same run, an
    invalid definition's entry is uninstalled only while it is untouched, and another workspace's entry concerns us only
    when we define the name too.
    """
    verdict = judge(side)
    if verdict is Verdict.OTHERS and side.desired is not Desired.YES:
        return Action.NOTHING
    row = TABLE[verdict]
    match command:
        case Command.SYNC:
            chosen = row.sync_force if force else row.sync
            if verdict is Verdict.ADOPTABLE and side.actual is Actual.FORMER:
                return Action.WRITE
            return chosen
        case Command.CONVERGE:
            return row.sync if verdict in CONVERGING else Action.NOTHING
        case Command.PRUNE:
            return row.prune_force if force else row.prune
        case Command.UNINSTALL:
            if verdict is Verdict.INVALID:
                return _uninstall_invalid(side, force)
            if verdict is Verdict.MISSING and side.recorded in (Recorded.NO, Recorded.OTHERS):
                return Action.NOTHING
            return row.uninstall_force if force else row.uninstall
    assert_never(command)


def _uninstall_invalid(side: Side, force: bool) -> Action:
    if side.recorded is Recorded.NO:
        return Action.NOTHING
    if side.actual is Actual.ABSENT:
        return Action.FORGET
    return Action.REMOVE if force or side.recorded is Recorded.MATCHES else Action.SKIP
