"""Drawing on a terminal: tones, tables that fit the width, coloured diffs. Loaded only when somebody looks.

NO_COLOR and TERM=dumb are honoured by rich. Nothing is cut: the longest column of a table folds, and where there is no room for that either,
each row is drawn as lines of its own.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import IO, assert_never

from rich.cells import cell_len
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
READABLE = 20
"""Columns of text that a folded cell must have."""
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
    widths = [max(map(cell_len, column)) for column in zip(table.columns, *rows, strict=True)]
    others = sum(widths) - max(widths) + GAP * (len(widths) - 1)
    if others + min(max(widths), READABLE) > _width(stream):
        return "".join(_print(stream, line) for row in rows for line in _record(table.columns, row, _width(stream)))
    grid = Grid(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
    for column in table.columns:
        grid.add_column(column, overflow="fold")
    for row in rows:
        grid.add_row(*map(Text, row))
    return _print(stream, grid, wrap=True)


def _record(columns: tuple[str, ...], row: tuple[str, ...], width: int) -> Iterator[Text]:
    """A row that is too wide for a table: its first cell, and below it the others with their names, as many to a line as fit."""
    yield Text(row[0], "bold")
    line = ""
    for piece in (f"{name}: {cell}" for name, cell in zip(columns[1:], row[1:], strict=True) if cell):
        if line and cell_len(line) + GAP + cell_len(piece) > width:
            yield Text(line)
            line = ""
        line += f"  {piece}"
    if line:
        yield Text(line)


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
