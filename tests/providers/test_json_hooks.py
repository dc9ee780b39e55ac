"""Hooks in JSON host files: the fixtures say each file before and after, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.requirements import requirement
from vaultspec_providers.contract import HOOK_EVENTS, Entry, Hook, HostFileError, Surroundings
from vaultspec_providers.formats.json_hooks import JsonHooks
from vaultspec_providers.registry import built_in_names, load

FORMAT = JsonHooks({"after-tool": "PostToolUse", "stop": "Stop"})
CASES = sorted((ROOT / "fixtures/hooks").iterdir())


def entry(hook: Hook) -> Entry:
    found = FORMAT.entry(hook)
    assert found is not None
    return found


OURS = entry(Hook("after-tool", "make lint", "Edit|Write", 30))
OTHER = entry(Hook("after-tool", "make test"))


def before(case: Path) -> bytes | None:
    path = case / "before"
    return path.read_bytes() if path.exists() else None


@requirement("NAT-3")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
class TestEveryFile:
    def test_a_hook_is_added_as_the_file_is_laid_out(self, case: Path) -> None:
        result = FORMAT.apply(before(case), [], [OURS])
        assert result is not None
        assert result.decode() == (case / "after").read_bytes().decode()

    def test_taking_it_out_again_restores_every_byte(self, case: Path) -> None:
        assert FORMAT.apply((case / "after").read_bytes(), [OURS], []) == before(case)

    def test_a_hook_that_is_not_there_is_not_taken_out(self, case: Path) -> None:
        assert FORMAT.apply(before(case), [OURS], []) == before(case)
        assert FORMAT.apply((case / "after").read_bytes(), [OTHER], []) == (case / "after").read_bytes()

    def test_nothing_to_do_leaves_the_bytes(self, case: Path) -> None:
        assert FORMAT.apply(before(case), [], []) == before(case)

    def test_a_hook_that_another_replaces_leaves_no_trace(self, case: Path) -> None:
        other = FORMAT.apply(before(case), [], [OTHER])
        assert FORMAT.apply((case / "after").read_bytes(), [OURS], [OTHER]) == other

    def test_it_is_read_back(self, case: Path) -> None:
        assert FORMAT.read((case / "after").read_bytes())[-1] == OURS


@requirement("NAT-3")
def test_of_equal_hooks_only_the_last_goes() -> None:
    once = FORMAT.apply(None, [], [OURS])
    twice = FORMAT.apply(once, [], [OURS])
    assert FORMAT.read(twice) == [OURS, OURS]
    assert FORMAT.apply(twice, [OURS], []) == once


@requirement("NAT-6")
@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('{\n"hooks": []}', 2, "`hooks` must be an object, not an array"),
        ('{"hooks": {\n"PostToolUse": {}}}', 2, "`PostToolUse` must be an array, not an object"),
        ('{"hooks": {"PostToolUse": [],\n"PostToolUse": []}}', 2, None),
        ("[]", 1, "the file must hold an object, not an array"),
    ],
)
def test_what_cannot_be_edited_is_refused_with_its_line(text: str, line: int, reason: str | None) -> None:
    with pytest.raises(HostFileError) as caught:
        FORMAT.apply(text.encode(), [], [OURS])
    assert caught.value.line == line
    assert reason in (None, caught.value.reason)


@requirement("NAT-3")
def test_an_event_that_the_client_does_not_know_gives_no_entry() -> None:
    assert FORMAT.entry(Hook("session-start", "x")) is None


@requirement("NAT-4")
@pytest.mark.parametrize("command", ['a "b" \\ c', "line\nbreak\t\x7f", "\u2028\U0001f600", "C:\\x\\y"])
def test_any_command_reads_back(command: str) -> None:
    ours = entry(Hook("stop", command))
    assert FORMAT.read(FORMAT.apply(None, [], [ours])) == [ours]


@requirement("CLI-1")
def test_a_shipped_client_with_hooks_knows_every_neutral_event(tmp_path: Path) -> None:
    places = [load(name) for name in built_in_names()]
    formats = [
        provider.hooks(Surroundings(tmp_path, None, {})).format for provider in places if provider and provider.hooks
    ]
    assert formats
    for form in formats:
        assert all(form.entry(Hook(event, "x")) for event in HOOK_EVENTS)
