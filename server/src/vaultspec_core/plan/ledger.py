"""The execution ledger of a plan: what was done for each step, one line per row, only ever appended to.

    ## Changes
    - `S01` `A` `path`                        added; M modified, D deleted
    - `S01` `R` `old` -> `new`                renamed
    - `S01` `verify:` `command` -> `pass`     or `fail`; the last one of a command counts
    - `S01` `by:` `persona`                   the last one counts
    ## Notes
    - `S01` what did not go as planned

A row is one list line with code spans, so two branches that both appended merge by lines. Text that holds backticks stands in a
longer fence, and nothing that could end a line or open a comment gets in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultspec_core.plan.wording import CONTROL
from vaultspec_core.report import Refusal
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.inline import covered
from vaultspec_core.vault.lines import Lines
from vaultspec_core.vault.markdown import TEXT, Heading, Structure, scan, split_lines

OPERATIONS = ("A", "M", "D", "R")
VERIFY, BY = "verify:", "by:"
CHANGES, NOTES = "Changes", "Notes"

_SIMPLE = re.compile(r"[-*+] +`(S[0-9]{1,9})` +`([^`]+)` +`([^`]+)`(?: *-> *`([^`]+)`)?[ \t\r\n]*$")
_SKELETON = re.compile(r"[-*+] +\0 +\0 +\0(?: *-> *\0)?[ \t\r\n]*")
"""A row with a NUL in the place of each code span."""

_STEP = re.compile(r"S[0-9]{1,9}$")
_KNOWN = frozenset((*OPERATIONS, "T", VERIFY, BY))


class Row(NamedTuple):
    """One row. `kind`: A, M, D, R (T only from migrations), `verify:` or `by:`. `cells`: path; old and new path; command and result; persona."""

    step: str
    kind: str
    cells: tuple[str, ...]

    def line(self) -> str:
        """The row as written."""
        return f"- `{self.step}` `{self.kind}` {' -> '.join(map(_cell, self.cells))}"


class Evidence(NamedTuple):
    """What a ledger says of a step: how many rows name a path, the last verify's result, the last persona."""

    rows: int
    verify: str | None
    by: str | None


class Ledger(NamedTuple):
    """A ledger that was read. `notes`: (step, text)."""

    structure: Structure
    changes: Heading | None
    notes_heading: Heading | None
    rows: tuple[Row, ...]
    notes: tuple[tuple[str, str], ...]


def read(text: str) -> Ledger:
    """Read a ledger; lines that are no rows are passed over."""
    return parse(scan(text, len(split_lines(text[: split(text).body_start]))))


def parse(structure: Structure) -> Ledger:
    """Read a ledger that was scanned."""
    changes = _section(structure, CHANGES)
    notes = _section(structure, NOTES)
    rows = tuple(row for line in _items(structure, changes) if (row := read_row(line)) is not None)
    return Ledger(
        structure, changes, notes, rows, tuple(note for line in _items(structure, notes) if (note := _note(line)))
    )


def read_row(line: str) -> Row | None:
    """The row that a list line is; None when it is none."""
    simple = _SIMPLE.match(line)
    cells: tuple[str, ...]
    if simple is not None:
        step, kind, first, second = simple.groups()
        cells = (first,) if second is None else (first, second)
    else:
        spans = covered(line)
        ends = [0, *(end for _, end in spans)]
        gaps = [line[end:start] for end, (start, _) in zip(ends, [*spans, (len(line), 0)], strict=True)]
        if _SKELETON.fullmatch("\0".join(gaps)) is None:
            return None
        step, kind, *rest = (_content(line[start:end]) for start, end in spans)
        cells = tuple(rest)
        if _STEP.match(step) is None:
            return None
    if kind not in _KNOWN or len(cells) != (2 if kind in ("R", VERIFY) else 1):
        return None
    return Row(step, kind, cells)


def evidence(rows: Sequence[Row]) -> dict[str, Evidence]:
    """What the rows say, by step."""
    counts: dict[str, int] = {}
    verified: dict[str, str] = {}
    closed: dict[str, str] = {}
    for step, kind, cells in rows:
        counts.setdefault(step, 0)
        if kind == VERIFY:
            verified[step] = cells[1]
        elif kind == BY:
            closed[step] = cells[0]
        else:
            counts[step] += 1
    return {step: Evidence(count, verified.get(step), closed.get(step)) for step, count in counts.items()}


def evidence_of(text: str) -> dict[str, Evidence]:
    """What a ledger says, by step."""
    return evidence(read(text).rows)


def new_ledger(feature: str, plan: str, date: str) -> str:
    """The text of a ledger without rows; `plan` is the stem, `date` the plan's."""
    link = json.dumps(f"[[{plan}]]", ensure_ascii=False)
    return (
        f"---\ntags:\n  - '#exec'\n  - '#{feature}'\ndate: '{date}'\nmodified: '{date}'\nbody_schema: 'body-v2'\n"
        f"related:\n  - {link}\n---\n\n# `{feature}` ledger\n\n## {CHANGES}\n"
    )


def append(text: str, rows: Sequence[Row], notes: Sequence[tuple[str, str]]) -> str:
    """The ledger with the rows and notes that it does not say already. Raises Refusal `ledger-guard` when they would not be seen there."""
    ledger = read(text)
    fresh, fresh_notes = _fresh(ledger.rows, rows), [note for note in dict.fromkeys(notes) if note not in ledger.notes]
    if not fresh and not fresh_notes:
        return text
    lines = Lines(ledger.structure.lines)
    if fresh:
        _put(lines, ledger, ledger.changes, CHANGES, [row.line() for row in fresh])
    if fresh_notes:
        _put(lines, ledger, ledger.notes_heading, NOTES, [f"- `{step}` {note}" for step, note in fresh_notes])
    text = lines.text()
    after = read(text)
    if after.rows != (*ledger.rows, *fresh) or after.notes != (*ledger.notes, *fresh_notes):
        raise Refusal(
            "ledger-guard", "the ledger has an open code fence or comment in which new rows would be lost", "Close it."
        )
    return text


def row_from(step: str, spec: str) -> Row:
    """A row from `OP:path` or `R:old->new`. Raises Refusal `bad-row`."""
    word, colon, path = spec.partition(":")
    operation, path = word.strip().upper(), path.strip()
    if not colon:
        raise _bad_row(spec, "expected OP:path")
    if operation not in OPERATIONS:
        raise _bad_row(spec, f"unknown operation {word.strip()}; use A, M, D or R")
    cells = tuple(part.strip() for part in path.split("->", 1)) if operation == "R" else (path,)
    if operation == "R" and len(cells) != 2:
        raise _bad_row(spec, "a rename needs R:old->new")
    return Row(step, operation, tuple(_plain(cell, "bad-row", f"invalid row {_shown(spec)}") for cell in cells))


def verify_from(step: str, spec: str) -> Row:
    """A row from `<command>=pass` or `<command>=fail`. Raises Refusal `bad-verify`."""
    command, equals, result = spec.rpartition("=")
    result = result.strip().lower()
    if not equals or result not in ("pass", "fail") or not command.strip():
        raise Refusal("bad-verify", f"invalid verify {_shown(spec)}: expected <command>=pass or <command>=fail")
    return Row(step, VERIFY, (_plain(command, "bad-verify", f"invalid verify {_shown(spec)}"), result))


def by_from(step: str, persona: str) -> Row:
    """A row that names who closed the step. Raises Refusal `bad-by`."""
    return Row(step, BY, (_plain(persona, "bad-by", f"invalid by {_shown(persona)}"),))


def note_from(step: str, text: str) -> tuple[str, str]:
    """A note on one line, its white space collapsed. Raises Refusal `bad-note`."""
    return step, _plain(" ".join(text.split()), "bad-note", f"invalid note {_shown(text)}")


def _plain(text: str, code: str, what: str) -> str:
    """Text that can stand in a row, trimmed."""
    text = text.strip()
    if not text:
        raise Refusal(code, f"{what}: it is empty")
    if CONTROL.search(text):
        raise Refusal(code, f"{what}: line breaks and control characters are not allowed")
    if "<!--" in text:
        raise Refusal(code, f"{what}: it must not open a comment")
    return text


def _bad_row(spec: str, reason: str) -> Refusal:
    return Refusal("bad-row", f"invalid row {_shown(spec)}: {reason}")


def _shown(text: str) -> str:
    return CONTROL.sub("?", text if len(text) <= 80 else f"{text[:77]}...")


def _fresh(known: Sequence[Row], offered: Sequence[Row]) -> list[Row]:
    """The rows that say something new. Of a verify or persona the last one counts, so that a change back is news again."""
    seen, latest = set(known), dict(_subjects(known))
    fresh = []
    for row in offered:
        subject = _subject(row)
        if (latest.get(subject) != row) if subject is not None else (row not in seen):
            fresh.append(row)
            seen.add(row)
            if subject is not None:
                latest[subject] = row
    return fresh


def _subjects(rows: Sequence[Row]) -> Iterator[tuple[tuple[str, str, str], Row]]:
    for row in rows:
        subject = _subject(row)
        if subject is not None:
            yield subject, row


def _subject(row: Row) -> tuple[str, str, str] | None:
    """What a later row of the same subject overrules: the result of a command, the persona of a step."""
    if row.kind == VERIFY:
        return row.step, VERIFY, row.cells[0]
    return (row.step, BY, "") if row.kind == BY else None


def _cell(text: str) -> str:
    """A code span that holds exactly this text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def code_spans(line: str) -> list[str]:
    """The texts of the code spans in a line."""
    return [_content(line[start:end]) for start, end in covered(line) if line[start] == "`"]


def _content(span: str) -> str:
    """The text of a code span."""
    text = span.strip("`")
    fence = len(span) - len(span.lstrip("`"))
    text = span[fence : len(span) - fence]
    if len(text) > 2 and text[0] == text[-1] == " " and text.strip(" "):
        text = text[1:-1]
    return text


def _section(structure: Structure, name: str) -> Heading | None:
    return next((item for item in structure.headings if item.level == 2 and item.text == name), None)


def _items(structure: Structure, heading: Heading | None) -> Iterator[str]:
    if heading is not None:
        for number in structure.section(heading):
            if structure.kinds[number] == TEXT and structure.lines[number][0] in "-*+":
                yield structure.lines[number]


def _note(line: str) -> tuple[str, str] | None:
    match = re.match(r"[-*+] +`(S[0-9]{1,9})` +([^\r\n]*)", line)
    return (match[1], match[2].rstrip(" \t")) if match else None


def _put(lines: Lines, ledger: Ledger, heading: Heading | None, name: str, texts: Sequence[str]) -> None:
    """Put lines at the end of a section, which is made when there is none: changes before the notes, notes at the end."""
    if heading is None:
        before = ledger.notes_heading if name == CHANGES else None
        at = before.line if before else lines.content_end(ledger.structure.start, len(lines))
        lines.insert_block(at, [f"## {name}", "", *texts])
        return
    section = ledger.structure.section(heading)
    at = lines.content_end(heading.line + 1, section.stop)
    if at > heading.line + 1 and lines[at - 1][0] in "-*+ ":
        lines.insert(at, texts)
    else:
        lines.insert_block(at, texts)
