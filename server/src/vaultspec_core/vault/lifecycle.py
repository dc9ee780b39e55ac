"""How far a feature is: one rule for every answer that names it."""

from __future__ import annotations

from collections.abc import Collection

from vaultspec_core.plan.ledger import evidence_of
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document

WORDS = ("Completed", "In Progress", "Planned", "Specified", "Researching", "Unknown")


def lifecycle(corpus: Corpus, documents: Collection[Document]) -> str:
    """The word for a feature with these documents. Steps are counted, never rounded."""
    total = closed = 0
    kinds = set()
    for document in documents:
        kinds.add(document.type)
        if document.plan is not None:
            total += document.plan.total
            closed += document.plan.closed
    if total and closed == total:
        return "Completed"
    if closed or any(corpus.detail(document, evidence_of) for document in documents if document.type == "exec"):
        return "In Progress"
    if "plan" in kinds:
        return "Planned"
    if "adr" in kinds:
        return "Specified"
    return "Researching" if kinds & {"research", "reference"} else "Unknown"


def percent(closed: int, total: int) -> float:
    """One decimal; 100.0 only when every step is closed."""
    if not total:
        return 0.0
    rounded = round(100 * closed / total, 1)
    return rounded if closed == total or rounded < 100 else 99.9
