"""The words of a plan: what may stand in a row, a heading or an intent, and how those are written."""

from __future__ import annotations

import re

from vaultspec_core.report import Refusal
from vaultspec_core.vault.markdown import TEXT, scan, split_lines

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What would end a line or cannot be written: no text of a plan or ledger holds it."""


def action(text: str) -> str:
    """The action of a step, trimmed. Raises Refusal `bad-text`."""
    return _line("action", text)


def scope(text: str) -> str:
    """The scope of a step without backticks around it. Raises Refusal `bad-text`."""
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] == "`":
        bare = bare[1:-1]
    bare = _line("scope", bare)
    for mark in ("`", ";"):
        if mark in bare:
            raise Refusal("bad-text", f"the scope must not hold {mark}: {bare}")
    return bare


def title(text: str) -> str:
    """The title of a phase or wave, trimmed. Raises Refusal `bad-text`."""
    bare = _line("title", text)
    headings = scan(f"# {bare}\n").headings
    if not headings or headings[0].text != bare:
        raise Refusal("bad-text", f"the title does not survive as a heading: {bare}")
    return bare


def intent(text: str) -> list[str]:
    """The lines of an intent, which must be plain paragraphs. Raises Refusal `bad-text`."""
    lines = [line.rstrip() for line in split_lines(text.strip())]
    if not lines:
        raise Refusal("bad-text", "the intent is empty")
    for line in lines:
        if CONTROL.search(line) or "<!--" in line or "-->" in line:
            raise Refusal("bad-text", f"the intent must not hold control characters or comment marks: {line}")
    structure = scan("\n".join(lines) + "\n")
    for number, line in enumerate(lines):
        if structure.kinds[number] != TEXT or re.match(r"[-*+] ", line):
            raise Refusal("bad-text", f"the intent must be plain paragraphs, not code or lists: {line}")
    if structure.headings:
        raise Refusal("bad-text", f"the intent must not hold a heading: {structure.headings[0].text}")
    return lines


def _line(noun: str, text: str) -> str:
    bare = text.strip()
    if not bare:
        raise Refusal("bad-text", f"the {noun} is empty")
    if CONTROL.search(bare):
        raise Refusal("bad-text", f"the {noun} must be one line without control characters")
    if "<!--" in bare or "-->" in bare:
        raise Refusal("bad-text", f"the {noun} must not hold comment marks: {bare}")
    return bare


def row(path: str, checked: bool, action: str, scope: str) -> str:
    """A step row without its line end."""
    return f"- [{'x' if checked else ' '}] `{path}` - {action}; `{scope}`."


def phase_heading(path: str, title: str) -> str:
    """The heading of a phase."""
    return f"### Phase `{path}` - {title}"


def wave_heading(identifier: str, title: str) -> str:
    """The heading of a wave."""
    return f"## Wave `{identifier}` - {title}"
