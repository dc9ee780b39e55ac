"""Fold the records of single steps into the ledgers of their plans. What they say in rows and notes goes there; they themselves go to
the archive as they are, so that no prose is lost. Ledgers and records change together or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Changed
from vaultspec_core.plan import ledger
from vaultspec_core.plan.ledger import evidence_of
from vaultspec_core.plan.log import date_of, demand_own, ledger_of
from vaultspec_core.plan.model import Plan
from vaultspec_core.plan.records import archive_path, phase_of, plan_of, read_plan, said_by, step_of
from vaultspec_core.plan.rewrite import decoded
from vaultspec_core.plan.settle import journal
from vaultspec_core.report import Refusal
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.resolve import suggestion
from vaultspec_core.vault.stamp import stamped
from vaultspec_core.vault.vault import Vault

_ATTEMPTS = 10


class Ledger(NamedTuple):
    """What was folded into the ledger of one plan. `rows`, `notes`: how many it got that it did not have."""

    plan: str
    path: str
    records: tuple[str, ...]
    summaries: tuple[str, ...]
    rows: int
    notes: int
    paths: int


class Folded(NamedTuple):
    """What became of the records. `skipped`: path and reason of those that were left where they are."""

    ledgers: tuple[Ledger, ...]
    skipped: tuple[tuple[str, str], ...]


class _Folder(NamedTuple):
    """One attempt: the files as they will be."""

    vault: Vault
    files: Changeset
    skipped: list[tuple[str, str]]

    def text(self, relative: str) -> str | None:
        data = self.files.read(self.vault.path(relative))
        return None if data is None else decoded(relative, data)

    def archive(self, record: Document) -> None:
        target = archive_path(record)
        try:
            self.files.rename(self.vault.path(record), self.vault.path(target))
        except FileExistsError as error:
            raise Refusal(
                "archived-already", f"{target} exists already", "Give one of the two another name."
            ) from error


def archive(vault: Vault, record: Document) -> str:
    """Move one record to the archive and give its new path. The caller holds the vault's lock. Raises Refusal `archived-already`."""
    folder = _Folder(vault, Changeset(vault.disk), [])
    folder.archive(record)
    folder.files.commit(journal(vault))
    vault.corpus.update(record.relative)
    return archive_path(record)


def fold(vault: Vault, feature: str) -> Folded:
    """Fold the records of a feature. The caller holds the vault's lock and has settled and refreshed.

    Raises Refusal `unknown-feature`, `archived-already`, `foreign-ledger`, `busy`, those of a plan or ledger that cannot be read or edited, and those
    of the file system; nothing is then changed.
    """
    records = [
        record
        for record in vault.corpus.of_feature(feature)
        if record.type == "exec" and (record.step is not None or phase_of(record) is not None)
    ]
    if feature not in vault.corpus.features:
        message = f"no document has the feature {feature}.{suggestion(vault.corpus, feature)}"
        raise Refusal("unknown-feature", message, "vaultspec-core status")
    for _ in range(_ATTEMPTS):
        folder = _Folder(vault, Changeset(vault.disk), [])
        done = _fold(folder, records)
        try:
            folder.files.commit(journal(vault))
        except Changed:
            continue
        for record in records:
            vault.corpus.update(record.relative)
        for one in done:
            vault.corpus.update(one.path)
        return Folded(tuple(done), tuple(folder.skipped))
    raise Refusal(
        "busy", "the records are being changed by another program all the time", "Try again when it has ended."
    )


def _fold(folder: _Folder, records: Sequence[Document]) -> list[Ledger]:
    plans: dict[str, Document] = {}
    members: dict[str, list[Document]] = {}
    for record in records:
        try:
            plan = plan_of(folder.vault.corpus, record)
        except Refusal as refusal:
            folder.skipped.append((record.relative, refusal.message))
            continue
        plans[plan.relative] = plan
        members.setdefault(plan.relative, []).append(record)
    made = [_into_ledger(folder, plan, members[path]) for path, plan in plans.items()]
    return [one for one in made if one.records or one.summaries]


def _into_ledger(folder: _Folder, document: Document, members: Sequence[Document]) -> Ledger:
    plan = read_plan(folder.vault, document)
    steps = _foldable(folder, plan, [record for record in members if record.step is not None])
    path = ledger_of(folder.vault.corpus, document)
    old = folder.text(path)
    if old is not None:
        demand_own(old, path, document)
    before = old if old is not None else ledger.new_ledger(document.feature or "", document.stem, date_of(document))
    said = [said_by(folder.text(record.relative) or "", step, archive_path(record)) for record, step in steps.items()]
    text = ledger.append(
        before, [row for one in said for row in one.rows], [note for one in said for note in one.notes]
    )
    if steps and text != old:
        folder.files.write(folder.vault.path(path), stamped(text, folder.vault.today()).encode("utf-8"))
    for record in steps:
        folder.archive(record)
    sums = _sums(folder, plan, text, [record for record in members if record.step is None])
    for record in sums:
        folder.archive(record)
    was, now = ledger.read(before), ledger.read(text)
    fresh = now.rows[len(was.rows) :]
    return Ledger(
        document.stem,
        path,
        tuple(record.relative for record in steps),
        tuple(record.relative for record in sums),
        len(fresh),
        len(now.notes) - len(was.notes),
        sum(row.kind not in (ledger.VERIFY, ledger.BY) for row in fresh),
    )


def _foldable(folder: _Folder, plan: Plan, records: Sequence[Document]) -> Mapping[Document, str]:
    """The records whose step the plan has or had, with the step, in the order of the steps."""
    found: dict[Document, str] = {}
    for record in records:
        step = step_of(record)
        if step is None or (step not in plan.named and step not in plan.retired):
            reason = (
                f"its step {record.step} is none of the plan; vaultspec-core vault exec relink or detach mends that"
            )
            folder.skipped.append((record.relative, reason))
        else:
            found[record] = step
    return dict(sorted(found.items(), key=lambda item: int(item[1][1:])))


def _sums(folder: _Folder, plan: Plan, text: str, records: Sequence[Document]) -> list[Document]:
    """The summaries of phases of which every step has rows."""
    known = evidence_of(text)
    done = []
    for record in records:
        lacking = [step.path for step in plan.steps if step.phase == phase_of(record) and step.id not in known]
        if lacking:
            folder.skipped.append((record.relative, f"steps of its phase have no rows yet: {', '.join(lacking)}"))
        else:
            done.append(record)
    return done
