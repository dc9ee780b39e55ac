"""The only two things a verb can say: a `Report`, or a `Refusal`.

Both are data; `vaultspec_installer.cli` turns them into text or into one JSON document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

OK, FINDINGS, USAGE, BUG = 0, 1, 2, 3
"""Exit codes: done, findings or failure, wrong usage, our own fault."""


class Refusal(Exception):
    """Something the user can mend. Nothing was written, or what was written is whole.

    `code`: stable, kebab-case. `message`: one line, the user's words, says what and where. `hint`: the exact command or act
    that mends it. `data` is added to the JSON document.
    """

    def __init__(
        self,
        code: str,
        message: str,
        hint: str | None = None,
        *,
        exit_code: int = FINDINGS,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
        self.data = dict(data or {})


class Line(NamedTuple):
    """One line of human text. `tone`: plain, title, good, change, warn, bad, dim, hint."""

    text: str
    tone: str = "plain"


class Table(NamedTuple):
    """Rows under column names; a terminal draws a table, anything else gets aligned columns."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


class Diff(NamedTuple):
    """A unified diff, secrets already taken out."""

    text: str


Block = Line | Table | Diff


class Report(NamedTuple):
    """What a verb did or found.

    `status`: the envelope's word (created, updated, unchanged, removed, failed, mixed ...). `data`: the JSON body.
    `body`: the same for a person. `warnings`: for a person only, one line each on stderr; a verb that promises them in JSON puts them in `data` as well.
    `hint`: (sentence, command), the next step. `text`: raw stdout for verbs that print a document of their own (completion, SARIF).
    """

    status: str
    data: dict[str, Any]
    body: Sequence[Block] = ()
    warnings: Sequence[str] = ()
    exit_code: int = OK
    hint: tuple[str, str] | None = None
    schema: str | None = None
    text: str | None = None


def counted(number: int, noun: str) -> str:
    """`1 step`, `2 steps`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
