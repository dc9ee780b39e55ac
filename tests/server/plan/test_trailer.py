"""Trailers of commit messages: what is emitted is valid, what is malformed is told, nothing ever blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Sandbox
from tests.requirements import requirement
from vaultspec_core.plan.trailer import faults

GOOD = ("S06", "P02.S06", "W01.P02.S06", "W01a.P02b.S06", "P02", "W01.P02", "S123")
BAD = ("", "S1", "W01", "W01.S06", "s06", "P02.S06 x", "S06.P02", "S06\nX: y", "Sxx")


@requirement("CLI-1")
@pytest.mark.parametrize("step", GOOD)
def test_what_is_emitted_is_valid(cli: Callable[..., Any], step: str) -> None:
    result = cli("vault", "plan", "trailer", "emit", "--step", step)
    assert (result.code, result.out) == (0, f"Vaultspec-Step: {step}\n")
    assert list(faults(f"Subject\n\n{result.out}")) == []


@requirement("CLI-1", "SYN-8")
@pytest.mark.parametrize("step", BAD)
def test_no_malformed_trailer_is_emitted(cli: Callable[..., Any], step: str) -> None:
    assert (cli("vault", "plan", "trailer", "emit", "--step", step).code) == 2


def test_a_feature_is_written_as_its_tag(cli: Callable[..., Any]) -> None:
    assert cli("vault", "plan", "trailer", "emit", "--feature", "#Search-API").out == "Vaultspec-Feature: search-api\n"
    assert cli("vault", "plan", "trailer", "emit", "--feature", "a b").code == 2


@requirement("CLI-1")
def test_malformed_trailers_are_told_by_line_and_never_block(sandbox: Sandbox, cli: Callable[..., Any]) -> None:
    message = sandbox.root / "message"
    message.write_text(
        "Vaultspec is great: yes\n\n# Vaultspec-Step: nonsense\nVaultspec-Step: S1\nvaultspec-feature: ok\n"
        "Vaultspec-Feature: Foo Bar\nVaultspec-Plan: x\n# ---- >8 ----\nVaultspec-Step: below\n",
        encoding="utf-8",
    )
    result = cli("vault", "plan", "trailer", "validate", "message", "--json")
    assert result.code == 0
    assert [(one["line"], one["key"], one["value"]) for one in result.data["problems"]] == [
        (4, "Vaultspec-Step", "S1"),
        (6, "Vaultspec-Feature", "Foo Bar"),
        (7, "Vaultspec-Plan", "x"),
    ]


@pytest.mark.parametrize("content", [b"", b"Subject\n", b"\xff\xfe", b"Vaultspec-Step: P01.S01\r\n"])
def test_a_message_without_faults_has_no_problem(sandbox: Sandbox, cli: Callable[..., Any], content: bytes) -> None:
    (sandbox.root / "message").write_bytes(content)
    assert cli("vault", "plan", "trailer", "validate", "message", "--json").data == {"problems": [], "unread": None}


def test_a_message_that_is_not_there_is_told_and_does_not_block(cli: Callable[..., Any]) -> None:
    result = cli("vault", "plan", "trailer", "validate", "nowhere")
    assert (result.code, result.err) == (0, "warning: nowhere does not exist\n")
