"""The verbs of execution records: `vault exec log`, on the function of the tool `log`, and the repair of records of single steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from vaultspec_core.commands.opening import open_vault, with_diff
from vaultspec_core.plan.fold import Folded, archive, fold
from vaultspec_core.plan.log import Entry, lines_of, log
from vaultspec_core.plan.lookup import find_step
from vaultspec_core.plan.records import find_record, plan_of, read_plan, step_of
from vaultspec_core.plan.rewrite import existing, rewrite
from vaultspec_core.plan.settle import settle
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report, counted
from vaultspec_core.vault import names
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.splice import remove_field, set_scalar
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call


def log_step(call: Call) -> Report:
    """Append the evidence of a step to its plan's ledger."""
    _needed(call, "feature", "step")
    entry = Entry(call["row"], call["verify"], call["by"], call["note"])
    vault = open_vault(call)
    answer = log(vault, call["feature"], call["related"] or call["feature"], call["step"], entry)
    rows, notes = lines_of(answer["step"], entry)
    data = {**answer, "rows": [row.line() for row in rows], "notes": [text for _, text in notes]}
    what = f"{counted(len(rows), 'row')} and {counted(len(notes), 'note')} of {answer['step']}"
    said = f"{'Would log' if call.dry_run else 'Logged'} {what} in {answer['path']}"
    if not answer["changed"]:
        said = f"Nothing new: {answer['path']} says this of {answer['step']} already"
    body: list[Block] = [Line(said, "good" if answer["changed"] else "dim")]
    body += [Line(f"  {line.removeprefix('- ')}") for line in (*data["rows"], *data["notes"])]
    word = "created" if answer["created"] else "updated" if answer["changed"] else "unchanged"
    return with_diff(Report(word, data, body, answer.get("warnings", ())), vault)


def fold_records(call: Call) -> Report:
    """Rows into the ledger, records into the archive."""
    _needed(call, "feature")
    feature = names.valid_tag(call["feature"])
    if not call["force"] and not call.dry_run:
        raise Refusal(
            "needs-force",
            f"folding the records of {feature} moves them to the archive",
            f"vaultspec-core vault exec fold --feature {feature} --dry-run shows it, --force does it.",
        )
    vault = open_vault(call)
    with vault.hold():
        settle(vault)
        vault.corpus.refresh()
        folded = fold(vault, feature)
    return with_diff(_told(call, folded), vault)


@contextmanager
def _record(call: Call) -> Iterator[tuple[Vault, Document]]:
    """The record that is to be mended, under the vault's lock."""
    vault = open_vault(call)
    with vault.hold():
        settle(vault)
        vault.corpus.refresh()
        yield vault, find_record(vault.corpus, call["record"])


def relink(call: Call) -> Report:
    """Let a record claim another live step of its plan."""
    _needed(call, "record", "step")
    with _record(call) as (vault, record):
        step = find_step(read_plan(vault, plan_of(vault.corpus, record)), call["step"]).id
        _rewritten(vault, record.relative, lambda text: set_scalar(text, "step_id", step, after=("date", "tags")))
    said = {"step_id": step, "changed": step != record.step}
    return _repaired(call, vault, record.relative, record.step, said, f"about {step}")


def retire(call: Call) -> Report:
    """Archive a record whose step its plan has retired."""
    _needed(call, "record")
    with _record(call) as (vault, record):
        plan = plan_of(vault.corpus, record)
        step = step_of(record)
        if step not in read_plan(vault, plan).retired:
            raise Refusal(
                "step-not-retired",
                f"{plan.stem} has not retired {record.step}, so its record stays",
                f"vaultspec-core vault plan status {plan.stem}",
            )
        target = archive(vault, record)
    said = {"step_id": step, "changed": True, "archive_path": target}
    return _repaired(call, vault, record.relative, record.step, said, f"archived as {target}")


def detach(call: Call) -> Report:
    """Take the claim of a step out of a record whose plan has never had that step."""
    _needed(call, "record")
    with _record(call) as (vault, record):
        document = plan_of(vault.corpus, record)
        plan, step = read_plan(vault, document), step_of(record)
        if step in plan.named or step in plan.retired:
            raise Refusal(
                "step-known",
                f"{document.stem} knows {record.step}, so its record keeps it",
                f"vaultspec-core vault exec fold --feature {record.feature} --dry-run",
            )
        _rewritten(vault, record.relative, lambda text: remove_field(text, "step_id"))
    said = {"step_id": None, "changed": True}
    return _repaired(call, vault, record.relative, record.step, said, "about no step")


def _rewritten(vault: Vault, relative: str, change: Any) -> None:
    rewrite(vault, relative, lambda text: (change(existing(relative, text)), None))


def _repaired(
    call: Call, vault: Vault, relative: str, before: str | None, said: dict[str, Any], outcome: str
) -> Report:
    data = {"record": relative, "previous_step_id": before, **said}
    word = "would be" if call.dry_run else "is now" if said["changed"] else "is already"
    text = f"{relative} {word} {outcome}"
    return with_diff(Report("updated" if said["changed"] else "unchanged", data, [Line(text, "good")]), vault)


def _told(call: Call, folded: Folded) -> Report:
    made, skipped = folded.ledgers, folded.skipped
    data = {
        "path": made[0].path if len(made) == 1 else None,
        "folded": sum(len(one.records) for one in made),
        "summaries_removed": sum(len(one.summaries) for one in made),
        "rows": sum(one.rows for one in made),
        "notes": sum(one.notes for one in made),
        "recovered_paths": sum(one.paths for one in made),
        "skipped": len(skipped),
        "ledgers": [one._asdict() for one in made],
        "skipped_records": [{"record": record, "reason": reason} for record, reason in skipped],
    }
    verb = "Would fold" if call.dry_run else "Folded"
    body: list[Block] = [
        Line(
            f"{verb} {counted(len(one.records) + len(one.summaries), 'record')} into {one.path}: "
            f"{counted(one.rows, 'row')}, {counted(one.notes, 'note')}",
            "good",
        )
        for one in made
    ]
    if not made:
        body.append(Line("Nothing to fold.", "dim"))
    body += [Line(f"  left {record}: {reason}", "warn") for record, reason in skipped]
    return Report("folded" if made else "unchanged", data, body)


def _needed(call: Call, *keys: str) -> None:
    missing = [f"--{key}" for key in keys if not call[key]]
    if missing:
        said = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} required"
        raise Refusal("usage", said, f"vaultspec-core {call.verb.name} --help", exit_code=USAGE)
