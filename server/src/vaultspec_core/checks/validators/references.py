"""`references`: research that led to a decision is linked by it."""

from __future__ import annotations

from collections.abc import Iterator

from vaultspec_core.checks.contract import WARNING, Check, Finding
from vaultspec_core.checks.survey import Survey


def _findings(survey: Survey) -> Iterator[Finding]:
    decided = {document.feature for document in survey.corpus.of_type("adr")}
    for document in survey.corpus.of_type("research"):
        if document.feature is not None and document.feature in decided and not survey.graph.sources(document):
            message = f"the feature {document.feature} has decision records, but nothing links to this research"
            yield Finding("references", document.relative, message, WARNING, feature=document.feature)


CHECK = Check("references", 14, vault=_findings)
