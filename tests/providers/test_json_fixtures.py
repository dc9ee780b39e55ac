"""Every case of `fixtures/providers/json`: what is read, and the bytes after each edit.

A case is a folder with `case.json` and `before.json` (none: there is no file). `add` applies to `before.json`; `refresh`
and `remove` apply to what `add` gave, or to `before.json` where nothing is added; each must give the file of its name.
`leaves` says what a removal leaves: `remove.json`, `before.json` (the very bytes) or `nothing`, no file. `keep` are
changes that find everything as it should be and leave `before.json` alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from vaultspec_providers.formats.json_member import JsonMember

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "providers" / "json"
CASES = sorted(path.name for path in FOLDER.iterdir())


class Case:
    """One folder of the fixtures."""

    def __init__(self, name: str) -> None:
        self.folder = FOLDER / name
        self.info: dict[str, Any] = json.loads((self.folder / "case.json").read_text(encoding="utf-8"))
        self.format = JsonMember(tuple(self.info["container"]))
        self.before = self.content("before.json")

    def content(self, name: str) -> bytes | None:
        path = self.folder / name
        return path.read_bytes() if path.exists() else None

    @property
    def start(self) -> bytes | None:
        """What is refreshed and removed from."""
        return self.content("add.json") if "add" in self.info else self.before


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


@requirement("D-8", "NAT-6")
def test_servers_and_notes_are_read(case: Case) -> None:
    reading = case.format.read(case.before)
    assert list(reading.entries) == case.info["servers"]
    assert [[note.code, note.line] for note in reading.notes] == case.info["notes"]
    assert (reading.region, reading.displaced) == (None, False)


@requirement("NAT-3", "NAT-4", "D-8")
@pytest.mark.parametrize("step", ["add", "refresh"])
def test_an_edit_gives_the_expected_bytes_and_a_second_one_changes_nothing(case: Case, step: str) -> None:
    changes = case.info.get(step)
    if changes is None:
        return
    result = case.format.apply(case.before if step == "add" else case.start, changes)
    assert result is not None
    assert result == case.content(f"{step}.json")
    assert case.format.apply(result, changes) is result
    entries = case.format.read(result).entries
    assert {name: entries.get(name) for name in changes} == changes


@requirement("NAT-3", "D-8")
def test_a_removal_leaves_the_expected_bytes(case: Case) -> None:
    if "remove" not in case.info:
        return
    changes = dict.fromkeys(case.info["remove"])
    result = case.format.apply(case.start, changes)
    assert result == (None if case.info["leaves"] == "nothing" else case.content(case.info["leaves"]))
    assert case.format.apply(result, changes) is result


@requirement("NAT-3", "NAT-7")
def test_what_is_as_it_should_be_is_left_alone(case: Case) -> None:
    names = case.format.read(case.before).entries
    absent = {f"no {name}": None for name in ["such", *names]}
    assert case.format.apply(case.before, {**absent, **case.info.get("keep", {})}) is case.before


def test_every_file_of_a_case_is_used(case: Case) -> None:
    steps = {step for step in ("add", "refresh") if step in case.info}
    used = {"case.json", "before.json", *(f"{step}.json" for step in steps)}
    used |= {case.info["leaves"]} if "remove" in case.info else set()
    assert {path.name for path in case.folder.iterdir()} <= used
