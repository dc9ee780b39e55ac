"""Drawing on a terminal: tones, tables that fit the width, coloured diffs. Loaded only when somebody looks.

NO_COLOR and TERM=dumb are honoured by rich. Nothing is cut: a long cell folds, and when even the column names do not fit side by side,
each row is drawn as lines of its own.
"""

from __future__ import annotations

import io
import os
from typing import IO, assert_never

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from vaultspec_core.report import Diff, Line, Table

from .render import visible

TONES = {
    "title": "bold",
    "good": "green",
    "change": "cyan",
    "warn": "yellow",
    "bad": "red",
    "dim": "dim",
    "hint": "dim",
}
LABELS = {"error": "bold red", "warning": "bold yellow", "hint": "bold cyan"}
GAP = 2
DIFF = {"+++": "bold", "---": "bold", "@@": "cyan", "+": "green", "-": "red"}


def draw(block: Line | Diff | Table, stream: IO[str]) -> str:
    """One block as the terminal behind the stream shows it best."""
    match block:
        case Line(text=text, tone=tone):
            return _print(stream, Text(visible(text), TONES.get(tone, "")))
        case Diff(text=text):
            return "".join(_print(stream, _diff_line(line)) for line in text.splitlines())
        case Table():
            return _table(block, stream)
        case _:
            assert_never(block)


def labelled(label: str, text: str, stream: IO[str]) -> str:
    """`error: ...`, `warning: ...`, `hint: ...`."""
    return _print(stream, Text.assemble((f"{label}:", LABELS[label]), f" {text}"))


def _diff_line(line: str) -> Text:
    style = next((style for start, style in DIFF.items() if line.startswith(start)), "")
    return Text(visible(line), style)


def _table(table: Table, stream: IO[str]) -> str:
    rows = [tuple(map(visible, row)) for row in table.rows]
    if sum(map(len, table.columns)) + GAP * (len(table.columns) - 1) > _width(stream):
        pairs = [
            Text.assemble((f"{name}: ", "bold"), cell)
            for row in rows
            for name, cell in zip(table.columns, row, strict=True)
            if cell
        ]
        return "".join(_print(stream, pair) for pair in pairs)
    grid = Grid(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
    for column in table.columns:
        grid.add_column(column, overflow="fold")
    for row in rows:
        grid.add_row(*map(Text, row))
    return _print(stream, grid, wrap=True)


def _print(stream: IO[str], what: Text | Grid, *, wrap: bool = False) -> str:
    """What rich would send to the stream's terminal. Lines are left to the terminal to wrap, so that they copy whole."""
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, width=_width(stream), height=25, highlight=False, markup=False, emoji=False
    )
    console.print(what, soft_wrap=not wrap)
    return out.getvalue()


def _width(stream: IO[str]) -> int:
    """Columns of the terminal; COLUMNS wins."""
    named = os.environ.get("COLUMNS", "")
    if named.isdigit() and int(named):
        return int(named)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
