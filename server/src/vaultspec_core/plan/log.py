"""`log`: append the evidence of one step to the ledger of its plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from vaultspec_core.batch import demand_at_most
from vaultspec_core.plan import ledger
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.lookup import find_step
from vaultspec_core.plan.rewrite import decoded, existing, rewrite
from vaultspec_core.plan.settle import settle
from vaultspec_core.report import Refusal, counted
from vaultspec_core.tool import Progress, unreported
from vaultspec_core.vault import names
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document, link_target
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.index import refreshed_index
from vaultspec_core.vault.resolve import resolve_plan
from vaultspec_core.vault.vault import Vault

ROWS, NOTES = 1000, 200
"""How many of each one call brings at most."""


class Entry(NamedTuple):
    """What to log of a step. `rows`: `OP:path`; `verify`: `<command>=pass|fail`."""

    rows: Sequence[str] = ()
    verify: str | None = None
    by: str | None = None
    notes: Sequence[str] = ()


def run(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The tool; every failure is one of the whole call, with nothing written."""
    entry = Entry(
        arguments.get("rows") or (), arguments.get("verify"), arguments.get("by"), arguments.get("notes") or ()
    )
    answer = log(vault, arguments["feature"], arguments["plan"], arguments["step"], entry, progress)
    said = f"{answer['step']}: {counted(answer['rows'], 'row')}, {counted(answer['notes'], 'note')}"
    return answer, said if answer["changed"] else f"{said}, nothing new"


def log(
    vault: Vault, feature: str, plan: str, step: str, entry: Entry, progress: Progress = unreported
) -> dict[str, Any]:
    """Append the entry to the plan's ledger, which is made when there is none, and let the feature's index list it.

    Raises Refusal `batch-too-large`, `invalid-name`, `unresolved-plan`, `ambiguous-plan`, `feature-mismatch`, `unknown-step`,
    `ambiguous-step`, `bad-row`, `bad-verify`, `bad-by`, `bad-note`, `nothing-to-log`, `foreign-ledger`, `ledger-guard`, and those
    of `rewrite`.
    """
    demand_at_most(ROWS, "log", "rows", entry.rows)
    demand_at_most(NOTES, "log", "notes", entry.notes)
    tag = names.valid_tag(feature)
    with vault.hold():
        settle(vault)
        vault.corpus.refresh()
        document = resolve_plan(vault.corpus, plan)
        if document.feature != tag:
            theirs = f"feature {document.feature}" if document.feature else "no feature"
            raise Refusal("feature-mismatch", f"{document.stem} is a plan of {theirs}, not of {tag}")
        text = decoded(document.relative, vault.read(document) or b"")
        identifier = find_step(parse_text(existing(document.relative, text)), step).id
        rows, notes = lines_of(identifier, entry)
        if not rows and not notes:
            raise Refusal("nothing-to-log", "nothing to log: give rows, verify, by or notes")
        relative = ledger_of(vault.corpus, document)
        progress(1, 2, relative)
        changed, created = rewrite(vault, relative, lambda old: _compose(old, relative, document, rows, notes))
        warnings = refreshed_index(vault, tag)
    return {
        "path": relative,
        "step": identifier,
        "rows": len(rows),
        "notes": len(notes),
        "changed": changed,
        "created": created,
        **({"warnings": warnings} if warnings else {}),
    }


def ledger_of(corpus: Corpus, plan: Document) -> str:
    """The path of a plan's ledger: of the one that is there, else where it is to be."""
    due = names.ledger_path(plan.feature or "", date_of(plan))
    if due in corpus.documents:
        return due
    linked = [
        document.relative
        for document in corpus.of_type("exec")
        if document.stem.endswith("-ledger") and document.feature == plan.feature and plan.stem in document.related
    ]
    return linked[0] if linked else due


def date_of(plan: Document) -> str:
    """The day of a plan, which the name of its ledger begins with. Raises Refusal `plan-without-date`."""
    if plan.date is not None:
        try:
            return names.calendar_date(plan.date)
        except Refusal:
            pass
    named = names.date_in_name(plan.stem)
    if named is None:
        raise Refusal("plan-without-date", f"{plan.relative} has no date, which the name of its ledger needs")
    return named


def lines_of(step: str, entry: Entry) -> tuple[list[ledger.Row], list[tuple[str, str]]]:
    """The rows and notes that an entry of a step offers. Raises Refusal `bad-row`, `bad-verify`, `bad-by`, `bad-note`."""
    rows = [ledger.row_from(step, spec) for spec in entry.rows]
    if entry.verify and entry.verify.strip():
        rows.append(ledger.verify_from(step, entry.verify))
    if entry.by and entry.by.strip():
        rows.append(ledger.by_from(step, entry.by))
    return rows, [ledger.note_from(step, note) for note in entry.notes if note.strip()]


def _compose(
    old: str | None, relative: str, plan: Document, rows: Sequence[ledger.Row], notes: Sequence[tuple[str, str]]
) -> tuple[str, tuple[bool, bool]]:
    """The new text of the ledger; whether it changed, whether it is new."""
    if old is None:
        return ledger.append(ledger.new_ledger(plan.feature or "", plan.stem, date_of(plan)), rows, notes), (True, True)
    demand_own(old, relative, plan)
    new = ledger.append(old, rows, notes)
    return new, (new != old, False)


def demand_own(text: str, relative: str, plan: Document) -> None:
    """Raises Refusal `foreign-ledger` when the ledger's text links another plan and not this one."""
    linked = [link_target(entry) for entry in split(text).texts("related")]
    plans = [stem for stem in linked if stem.endswith("-plan")]
    if plans and plan.stem not in linked:
        raise Refusal("foreign-ledger", f"{relative} is the ledger of {plans[0]}, not of {plan.stem}")
