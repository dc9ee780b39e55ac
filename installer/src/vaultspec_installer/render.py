"""A Report for a person: plain text anywhere, colours and tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultspec_core.report import Diff, Line, Report, Table

if TYPE_CHECKING:
    from .cli import World


def show(report: Report, world: World) -> None:
    """Write the report's body to stdout and its warnings to stderr."""
    if report.text is not None:
        world.stdout.write(report.text)
    for block in report.body:
        match block:
            case Line(text=text):
                world.stdout.write(f"{text}\n")
            case Diff(text=text):
                world.stdout.write(text)
            case Table() as table:
                world.stdout.write(_aligned(table))
    for warning in report.warnings:
        world.stderr.write(f"warning: {warning}\n")
    if report.hint:
        world.stdout.write(f"{report.hint[0]} {report.hint[1]}\n")


def _aligned(table: Table) -> str:
    rows = [table.columns, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.columns))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n" for row in rows
    )
