"""The trailers that tie a commit to the vault: `Vaultspec-Step: W01.P02.S06` and `Vaultspec-Feature: search-api`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultspec_core.report import Refusal
from vaultspec_core.vault import names

STEP, FEATURE = "Vaultspec-Step", "Vaultspec-Feature"

_ID = "[0-9]{2,9}"
_PATH = re.compile(rf"(?:(?:W{_ID}[a-z]?\.)?P{_ID}[a-z]?(?:\.S{_ID})?|S{_ID})\Z")
_TRAILER = re.compile(r"(vaultspec-[a-z]+)[ \t]*:[ \t]*(.*)\Z", re.IGNORECASE)
_SCISSORS = re.compile(r". -+ >8 -+\Z")
_KNOWN = {STEP.lower(): STEP, FEATURE.lower(): FEATURE}


class Fault(NamedTuple):
    """A trailer that ties to nothing. `line` counts from 1."""

    key: str
    value: str
    line: int
    reason: str


def step_trailer(path: str) -> str:
    """The trailer of a step or phase. Raises Refusal `bad-trailer`."""
    return f"{STEP}: {_demanded(STEP, path.strip())}"


def feature_trailer(feature: str) -> str:
    """The trailer of a feature. Raises Refusal `bad-trailer`."""
    return f"{FEATURE}: {_demanded(FEATURE, names.normal_tag(feature))}"


def faults(message: str) -> Iterator[Fault]:
    """The malformed trailers of a commit message; what git takes out of it (comments, the part below the scissors) is passed over."""
    for number, line in enumerate(message.splitlines(), 1):
        if _SCISSORS.match(line):
            return
        match = _TRAILER.match(line.rstrip())
        if match is None:
            continue
        key, value = match.groups()
        known = _KNOWN.get(key.lower())
        reason = f"no such trailer; {STEP} and {FEATURE} are known" if known is None else _fault(known, value)
        if reason is not None:
            yield Fault(key, value, number, reason)


def _demanded(key: str, value: str) -> str:
    reason = _fault(key, value)
    if reason is not None:
        raise Refusal("bad-trailer", f"{value!r} makes no {key} trailer: {reason}")
    return value


def _fault(key: str, value: str) -> str | None:
    if key == STEP:
        return None if _PATH.match(value) else "expected the path of a step or phase (S06, P02.S06, W01.P02.S06, P02)"
    return None if names.is_tag(value.removeprefix("#")) else "expected a feature tag (auth-refactor)"
