"""`orphans`: documents that nothing links to, that link to nothing, and that are alone in their feature."""

from __future__ import annotations

from collections.abc import Iterator

from vaultspec_core.checks.contract import WARNING, Check, Finding
from vaultspec_core.checks.survey import Survey


def _findings(survey: Survey) -> Iterator[Finding]:
    for document in survey.graph.orphaned:
        if document.type != "index":
            message = "no link leads to or from the document, and its feature has no other"
            yield Finding("orphans", document.relative, message, WARNING, feature=document.feature)


CHECK = Check("orphans", 9, vault=_findings)
