"""`encoding`: every document can be read, and is UTF-8."""

from __future__ import annotations

from collections.abc import Iterator

from vaultspec_core.checks.contract import ERROR, WARNING, Check, Finding
from vaultspec_core.checks.survey import Survey
from vaultspec_core.vault.walk import LINKED

_CODES = {"not-utf8": ERROR, "unreadable": WARNING, "too-large": WARNING}


def _findings(survey: Survey) -> Iterator[Finding]:
    for relative, document in survey.corpus.documents.items():
        for problem in document.problems:
            if problem.code in _CODES:
                yield Finding("encoding", relative, problem.message, _CODES[problem.code], line=problem.line)
    for stray in survey.corpus.strays:
        if stray.problem.code != LINKED:
            yield Finding("encoding", stray.path, stray.problem.message, WARNING)


CHECK = Check("encoding", 19, vault=_findings, everywhere=True)
