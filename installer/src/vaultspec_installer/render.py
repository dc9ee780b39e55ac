"""A Report or a Refusal for a person: plain text anywhere; colours and fitted tables on a terminal, drawn by `terminal`."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from vaultspec_core.load import load
from vaultspec_core.report import Diff, Line, Refusal, Report, Table

if TYPE_CHECKING:
    from .cli import World

_STEERING = (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
"""Line and paragraph separators, and what turns the direction of text round."""

_UNPRINTABLE = {
    **{code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))},
    **{code: f"\\u{code:04x}" for code in _STEERING},
    9: "\t",
}


def show_report(report: Report, world: World) -> tuple[str, str]:
    """The report's body for stdout, its warnings for stderr."""
    body: list[Line | Diff | Table] = list(report.body)
    if report.hint:
        body.append(Line(f"{report.hint[0]} {report.hint[1]}", "hint"))
    draw = load("vaultspec_installer.terminal:draw") if world.stdout.isatty() else _plain
    shown = [draw(block, world.stdout) for block in body]
    return (report.text or "") + "".join(shown), "".join(warning(text, world) for text in report.warnings)


def show_refusal(refusal: Refusal, world: World) -> str:
    """What was refused and what mends it, one line each."""
    hint = _labelled("hint", refusal.hint, world) if refusal.hint else ""
    return _labelled("error", refusal.message, world) + hint


def warning(text: str, world: World) -> str:
    """One line for stderr."""
    return _labelled("warning", text, world)


def visible(text: str) -> str:
    """The text on one line, its control characters spelled out: what a file holds never steers a terminal."""
    return text if text.isprintable() else text.translate(_UNPRINTABLE)


def _labelled(label: str, text: str, world: World) -> str:
    if not world.stderr.isatty():
        return f"{label}: {visible(text)}\n"
    shown: str = load("vaultspec_installer.terminal:labelled")(label, visible(text), world.stderr)
    return shown


def _plain(block: Line | Diff | Table, stream: IO[str]) -> str:
    match block:
        case Line(text=text):
            return f"{visible(text)}\n"
        case Diff(text=text):
            return text
        case Table(columns=columns, rows=rows):
            cells = [columns, *(tuple(map(visible, row)) for row in rows)]
            widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
            return "".join("  ".join(map(str.ljust, row, widths)).rstrip() + "\n" for row in cells)
