"""Execution records of a single step, as vaults had them before ledgers: which step one is about, and what it says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultspec_core.plan import ledger
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.model import Plan
from vaultspec_core.plan.rewrite import decoded, existing
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.markdown import TEXT, scan, split_lines
from vaultspec_core.vault.resolve import plans_of_feature, resolve
from vaultspec_core.vault.vault import Vault

SCOPE = "Scope"
"""The section in which the eldest records list the paths that were touched, without saying how."""

_SUMMARY = re.compile(r"-(?:W[0-9]{2,9}[a-z]?-)?(P[0-9]{2,9}[a-z]?)-summary\Z")
_STEP = re.compile(r"(?:[WP][0-9]{1,9}[a-z]?\.)*(S[0-9]{1,9})\Z")
_ITEM = re.compile(r"[-*+][ \t]+(.*?)[ \t\r\n]*\Z", re.DOTALL)


class Said(NamedTuple):
    """What a record says of its step, in the words of a ledger."""

    rows: tuple[ledger.Row, ...]
    notes: tuple[tuple[str, str], ...]


def step_of(record: Document) -> str | None:
    """The identifier of the step that a record claims, without the path before it."""
    match = _STEP.match((record.step or "").strip())
    return match[1] if match else None


def phase_of(record: Document) -> str | None:
    """The phase that a record sums up, as its name says."""
    match = _SUMMARY.search(record.stem)
    return match[1] if match else None


def find_record(corpus: Corpus, reference: str) -> Document:
    """The one record that the reference names. Raises Refusal `no-record`, and those of `resolve`."""
    record = resolve(corpus, reference)
    if record.type != "exec" or record.step is None:
        raise Refusal("no-record", f"{record.relative} is no execution record of a step")
    return record


def plan_of(corpus: Corpus, record: Document) -> Document:
    """The plan that a record belongs to: the one it links to, else the only one of its feature. Raises Refusal `no-parent-plan`."""
    linked = {plan.relative: plan for stem in record.related for plan in corpus.named(stem) if plan.type == "plan"}
    plans = list(linked.values()) or plans_of_feature(corpus, record.feature or "")
    if len(plans) != 1:
        number = "no plan" if not plans else f"{len(plans)} plans"
        raise Refusal("no-parent-plan", f"{record.relative} belongs to {number}; `related` must name one")
    return plans[0]


def read_plan(vault: Vault, plan: Document) -> Plan:
    """The plan as it stands on the disk. Raises Refusal `gone`, `not-utf8`."""
    data = vault.read(plan)
    return parse_text(existing(plan.relative, None if data is None else decoded(plan.relative, data)))


def said_by(text: str, step: str, archived: str) -> Said:
    """The rows and notes of a record's text. One that names no path has its own place, `archived`, as the path touched."""
    rows = [row for item in _items(text, ledger.CHANGES) if (row := _row(item, step)) is not None]
    rows += [
        ledger.Row(step, "T", (path,))
        for item in _items(text, SCOPE)
        for path in ledger.code_spans(item)
        if path.strip()
    ]
    if not any(row.kind not in (ledger.VERIFY, ledger.BY) for row in rows):
        rows.insert(0, ledger.Row(step, "T", (archived,)))
    notes = [_note(item, step) for item in _items(text, ledger.NOTES) if item]
    return Said(tuple(dict.fromkeys(rows)), tuple(dict.fromkeys(notes)))


def archive_path(record: Document) -> str:
    """Where a document goes when it is archived: the same place below the archive."""
    inside = record.relative.removeprefix(f"{names.VAULT}/")
    return f"{names.VAULT}/{names.ARCHIVE}/{inside}"


def _row(item: str, step: str) -> ledger.Row | None:
    """The row of a ledger that an item is; it may leave out its step."""
    return ledger.read_row(f"- {item}") or ledger.read_row(f"- `{step}` {item}")


def _note(item: str, step: str) -> tuple[str, str]:
    own = re.match(r"`(S[0-9]{1,9})` +(.+)", item)
    return ledger.note_from(own[1], own[2]) if own else ledger.note_from(step, item)


def _items(text: str, name: str) -> Iterator[str]:
    """The list items of a section of level 2, without their marks."""
    structure = scan(text, len(split_lines(text[: split(text).body_start])))
    heading = next((one for one in structure.headings if one.level == 2 and one.text == name), None)
    if heading is not None:
        for number in structure.section(heading):
            if structure.kinds[number] == TEXT and (match := _ITEM.match(structure.lines[number])):
                yield match[1]
