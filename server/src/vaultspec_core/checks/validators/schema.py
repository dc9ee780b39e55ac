"""`schema`: decisions rest on something, and a plan that is being carried out rests on decisions that hold."""

from __future__ import annotations

from collections.abc import Iterator

from vaultspec_core.checks.contract import ERROR, Check, Finding
from vaultspec_core.checks.survey import Survey
from vaultspec_core.vault.document import Document

NAME = "schema"

_GROUNDS = ("research", "reference", "audit")


def _findings(survey: Survey) -> Iterator[Finding]:
    for document in survey.corpus.documents.values():
        if document.type == "adr" and not _grounded(survey, document):
            yield _finding(document, "the decision record links no research, reference or audit")
        elif document.type == "plan" and survey.standing(document).approved and not _finished(document):
            for decision in survey.targets(document):
                if decision.type == "adr" and (reason := _shaky(survey, decision)):
                    yield _finding(document, f"the plan is approved, but its decision {decision.stem} {reason}")


def _finding(document: Document, message: str) -> Finding:
    return Finding(NAME, document.relative, message, ERROR, feature=document.feature)


def _grounded(survey: Survey, document: Document) -> bool:
    if any(other.type in _GROUNDS for other in survey.targets(document)):
        return True
    archived = (target.casefold() for target in document.related if target.casefold() in survey.corpus.archived)
    return any(stem.endswith(tuple(f"-{kind}" for kind in _GROUNDS)) for stem in archived)


def _finished(document: Document) -> bool:
    plan = document.plan
    return plan is not None and plan.total > 0 and plan.closed == plan.total


def _shaky(survey: Survey, decision: Document) -> str | None:
    if survey.standing(decision).superseded:
        return "has a successor"
    return None if decision.status == "accepted" else f"is {decision.status or 'without a status'}"


CHECK = Check(NAME, 15, vault=_findings)
