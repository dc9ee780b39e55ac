"""The verdict table, cell by cell, and the laws that hold over all sides."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.requirements import requirement
from vaultspec_installer.reconcile import (
    TABLE,
    Action,
    Actual,
    Command,
    Desired,
    Recorded,
    Side,
    Verdict,
    action,
    judge,
)

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/verdicts.md"
SIDES = [
    Side(desired, recorded, actual, adoptable)
    for desired, recorded, actual, adoptable in itertools.product(Desired, Recorded, Actual, (False, True))
]
OURS = (Recorded.MATCHES, Recorded.DIFFERS, Recorded.BARE)
RECORDED = {
    "any": tuple(recorded for recorded in Recorded if recorded is not Recorded.OTHERS),
    "yes": OURS,
    "no, adoptable": (Recorded.NO,),
    "no": (Recorded.NO,),
    "fingerprint matches": (Recorded.MATCHES,),
    "fingerprint differs": (Recorded.DIFFERS,),
    "without fingerprint": (Recorded.BARE,),
    "fingerprint differs, or without one": (Recorded.DIFFERS, Recorded.BARE),
    "another workspace": (Recorded.OTHERS,),
}
PRESENT = (Actual.EQUAL, Actual.FORMER, Actual.DIFFERS)
ACTUAL = {
    "absent": (Actual.ABSENT,),
    "equal": (Actual.EQUAL,),
    "a former rendering": (Actual.FORMER,),
    "differs": (Actual.FORMER, Actual.DIFFERS),
    "present": PRESENT,
    "any": tuple(Actual),
}
DESIRED = {
    "yes": (Desired.YES,),
    "no": (Desired.NO,),
    "invalid": (Desired.INVALID,),
    "no or invalid": (Desired.NO, Desired.INVALID),
    "any": tuple(Desired),
}


def rows() -> list[list[str]]:
    lines = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def sides_of(row: list[str]) -> list[Side]:
    adoptable = row[1] == "no, adoptable"
    return [
        Side(desired, recorded, actual, adoptable)
        for desired, recorded, actual in itertools.product(DESIRED[row[0]], RECORDED[row[1]], ACTUAL[row[2]])
    ]


@requirement("SYN-1")
@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[3]}-{row[2]}")
def test_the_documented_table_is_what_the_code_does(row: list[str]) -> None:
    for side in sides_of(row):
        assert judge(side) is Verdict[row[3]], side
        forces = {Command.CONVERGE: (False,)}
        said = [
            action(side, command, force).value for command in Command for force in forces.get(command, (False, True))
        ]
        documented = row[4:11]
        if documented[5] == "remove if untouched":
            continue
        assert said == documented, side
        assert (TABLE[judge(side)].word or "") == row[11]


@requirement("SYN-1")
def test_the_documented_rows_cover_every_side() -> None:
    covered = {side for row in rows() for side in sides_of(row)}
    # Whether adoption is allowed matters only for what nobody recorded.
    plain = {
        Side(side.desired, side.recorded, side.actual, False) for side in covered if side.recorded is not Recorded.NO
    }
    missing = [
        side for side in SIDES if side not in covered and Side(side.desired, side.recorded, side.actual) not in plain
    ]
    assert [
        side
        for side in missing
        if judge(side) not in (Verdict.MISSING, Verdict.FOREIGN, Verdict.CONFLICT, Verdict.INVALID)
    ] == []


@requirement("SYN-3", "SYN-4", "SYN-6", "D-1")
@pytest.mark.parametrize("command", Command)
def test_nothing_touches_what_we_did_not_write_without_force(command: Command) -> None:
    for side in SIDES:
        if side.recorded in (Recorded.NO, Recorded.OTHERS) and side.actual is Actual.DIFFERS:
            assert action(side, command, force=False) not in (Action.WRITE, Action.REMOVE)


@requirement("SYN-3", "SYN-4", "D-1")
@pytest.mark.parametrize("command", Command)
def test_nothing_touches_an_edited_or_unverified_entry_without_force(command: Command) -> None:
    for side in SIDES:
        edited = side.recorded in (Recorded.DIFFERS, Recorded.BARE)
        if edited and side.actual in (Actual.DIFFERS, Actual.FORMER):
            assert action(side, command, force=False) not in (Action.WRITE, Action.REMOVE)


@requirement("SYN-4", "SYN-6")
def test_prune_and_uninstall_never_remove_a_foreign_entry_even_with_force() -> None:
    for side in SIDES:
        if side.recorded is Recorded.NO and not (side.adoptable and side.desired is Desired.YES):
            for command in (Command.PRUNE, Command.UNINSTALL):
                assert action(side, command, force=True) is not Action.REMOVE


@requirement("SYN-1")
def test_a_synced_entry_is_current_and_a_second_sync_only_confirms_it() -> None:
    for side in SIDES:
        if action(side, Command.SYNC, force=True) is Action.WRITE:
            after = Side(side.desired, Recorded.MATCHES, Actual.EQUAL, side.adoptable)
            assert judge(after) is Verdict.CURRENT
            assert action(after, Command.SYNC, force=False) is Action.RECORD
