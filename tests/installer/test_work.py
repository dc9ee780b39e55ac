"""How much work the installer's commands do, counted and not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.conftest import Sandbox
from tests.requirements import requirement

_calls = 0
_counting = False


def _count(frame: Any, event: str, argument: Any) -> None:
    global _calls
    if _counting and event == "call":
        _calls += 1


@contextmanager
def calls() -> Iterator[Callable[[], int]]:
    """How many Python functions are called meanwhile: a measure of work that no machine's load changes."""
    global _calls, _counting
    _calls, _counting = 0, True
    sys.setprofile(_count)
    try:
        yield lambda: _calls
    finally:
        sys.setprofile(None)
        _counting = False


def define(sandbox: Sandbox, count: int) -> None:
    for number in range(count):
        text = f'{{"command": "server", "args": ["--slot={number}"], "env": {{"SLOT": "{number}"}}}}\n'
        (sandbox.root / f".vaultspec/mcps/extra-{number:04}.json").write_text(text)


@requirement("PRF-11")
def test_work_grows_with_the_number_of_definitions_and_no_faster(cli: Callable[..., Any], sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool").code == 0
    counted: dict[int, list[int]] = {}
    for count in (20, 80):
        define(sandbox, count)
        counted[count] = []
        for words in (["spec", "mcps", "sync"], ["spec", "mcps", "sync"], ["spec", "mcps", "status"]):
            with calls() as said:
                assert cli(*words).code == 0
                counted[count].append(said())
    for few, many in zip(counted[20], counted[80], strict=True):
        assert many < few * 4.6


@requirement("PRF-7", "PRF-8")
def test_a_command_with_nothing_to_do_writes_nothing(cli: Callable[..., Any], sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool").code == 0
    written: list[str] = []

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        if listening and event == "open" and isinstance(arguments[2], int) and arguments[2] & 0o3:
            written.append(str(arguments[0]))

    listening = True
    sys.addaudithook(audit)
    try:
        for words in (["spec", "mcps", "status"], ["spec", "mcps", "sync"], ["sync"], ["install"]):
            assert cli(*words).code == 0
    finally:
        listening = False
    assert written == []
