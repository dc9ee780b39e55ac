"""`exec-mapping`: ledgers and plans agree: what is recorded is closed, what is closed is recorded."""

from __future__ import annotations

from collections.abc import Iterator

from vaultspec_core.checks.contract import ERROR, INFO, WARNING, Check, Finding
from vaultspec_core.checks.standing import Steps
from vaultspec_core.checks.survey import Survey
from vaultspec_core.vault.document import Document

NAME = "exec-mapping"

_SHOWN = 10


def _findings(survey: Survey) -> Iterator[Finding]:
    records: dict[str, list[Document]] = {}
    for record in survey.corpus.of_type("exec"):
        plans = [other for other in survey.targets(record) if other.type == "plan"]
        if not plans:
            plans = _standing_beside(survey, record)
        for plan in plans:
            records.setdefault(plan.relative, []).append(record)
        yield from _record(survey, record, plans)
    for plan in survey.corpus.of_type("plan"):
        steps = survey.standing(plan).steps
        if steps is not None:
            yield from _plan(survey, plan, steps, records.get(plan.relative, []))


def _standing_beside(survey: Survey, record: Document) -> list[Document]:
    """The plan that the name of a ledger without links says."""
    stem = f"{record.stem.removesuffix('-ledger')}-plan"
    return [other for other in survey.corpus.stems.get(stem.casefold(), ()) if other.type == "plan"]


def _record(survey: Survey, record: Document, plans: list[Document]) -> Iterator[Finding]:
    def finding(severity: str, message: str) -> Finding:
        return Finding(NAME, record.relative, message, severity, feature=record.feature)

    if record.step is not None:
        yield finding(ERROR, f"a record of the one step {record.step}; records belong into the plan's ledger")
    if not plans:
        archived = any(target.casefold() in survey.corpus.archived for target in record.related)
        if not archived:
            yield finding(WARNING, "its plan is neither in the vault nor in the archive")
        return
    for plan in plans:
        steps = survey.standing(plan).steps
        if steps is None:
            yield finding(WARNING, f"its plan {plan.stem} cannot be read")
            continue
        known = steps.retired.union(steps.closed, steps.opened)
        rows = survey.standing(record).recorded
        unknown = [step for step in rows if step not in known]
        still = set(steps.opened)
        opened = [step for step in rows if step in still]
        if unknown:
            yield finding(WARNING, f"rows for steps that {plan.stem} does not have: {_listed(unknown)}")
        if opened:
            yield finding(WARNING, f"rows for steps that are open in {plan.stem}: {_listed(opened)}")


def _plan(survey: Survey, plan: Document, steps: Steps, records: list[Document]) -> Iterator[Finding]:
    recorded = {step for record in records for step in survey.standing(record).recorded}
    single = {record.step for record in records if record.step is not None}
    missing = [step for step in steps.closed if step not in recorded and step not in single]
    if not missing:
        return
    if recorded:
        severity, lack = ERROR, "no row in the ledger"
    elif records:
        severity, lack = INFO, "no row that names them; the plan has legacy records"
    else:
        severity, lack = WARNING, "no ledger"
    message = f"closed steps have {lack}: {_listed(missing)}"
    yield Finding(NAME, plan.relative, message, severity, feature=plan.feature)


def _listed(steps: list[str]) -> str:
    more = f" and {len(steps) - _SHOWN} more" if len(steps) > _SHOWN else ""
    return ", ".join(steps[:_SHOWN]) + more


CHECK = Check(NAME, 11, vault=_findings)
