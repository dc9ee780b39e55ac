"""Run the validators, and let them repair: what was repaired is told as repaired, and the answer is what a later check says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from vaultspec_core.checks.contract import ERROR, INFO, WARNING, Check, Finding
from vaultspec_core.checks.mending import Mending
from vaultspec_core.checks.pace import Pace
from vaultspec_core.checks.registry import suite
from vaultspec_core.checks.survey import Survey, repaired
from vaultspec_core.plan.settle import settle
from vaultspec_core.tool import Progress, unreported
from vaultspec_core.vault import names
from vaultspec_core.vault.vault import Vault

ROUNDS = 8
"""A repair can bring out another fault (a mended tag makes a feature, a renamed document an index); so often it is looked again."""


class Row(NamedTuple):
    """What one validator says: its findings, and how many others were repaired."""

    check: Check
    findings: tuple[Finding, ...]
    fixed: int = 0

    def count(self, severity: str) -> int:
        return sum(finding.severity == severity for finding in self.findings)


def run(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The `check` tool. Raises Refusal `busy`, and Cancelled between two documents: each is then whole, repaired or not."""
    answer = check(vault, arguments["feature"], bool(arguments.get("fix")), progress)
    return answer, f"{_counted(answer['total_errors'], 'error')}, {_counted(answer['total_warnings'], 'warning')}"


def check(
    vault: Vault, feature: str | None = None, fix: bool = False, progress: Progress = unreported
) -> dict[str, Any]:
    """The answer of the suite. Raises Refusal `busy` when another process keeps the vault's lock from a repair."""
    rows = examined(vault, suite(), feature, fix=fix, progress=progress)
    findings = [finding for row in rows for finding in row.findings if finding.severity != INFO]
    errors = sum(row.count(ERROR) for row in rows)
    return {
        "status": "ok" if errors == 0 else "failed",
        "fixed": fix,
        "total_errors": errors,
        "total_warnings": sum(row.count(WARNING) for row in rows),
        "total_fixed": sum(row.fixed for row in rows),
        "checks": [_row(row) for row in rows],
        "findings": [_told(finding) for finding in findings],
        "findings_total": len(findings),
    }


def examined(
    vault: Vault,
    checks: Sequence[Check],
    feature: str | None = None,
    *,
    fix: bool = False,
    progress: Progress = unreported,
) -> list[Row]:
    """What the validators say, in their order; with `fix` after their repairs. `feature` with or without `#`."""
    feature = names.normal_tag(feature) if feature else None
    if not fix:
        vault.corpus.refresh(progress)
        return _rows(vault, Survey.of(vault, Pace(progress)), checks, feature)
    with vault.hold():
        settle(vault)
        vault.corpus.refresh(progress)
        return _repaired(vault, checks, feature, Pace(progress))


def _rows(vault: Vault, survey: Survey, checks: Sequence[Check], feature: str | None) -> list[Row]:
    return [Row(one, tuple(_findings(vault, survey, one, feature))) for one in checks]


def _findings(vault: Vault, survey: Survey, check: Check, feature: str | None) -> list[Finding]:
    found = list(survey.findings.get(check.name, ()))
    if check.disk is not None:
        found += check.disk(vault)
    if feature is None or check.everywhere:
        return found
    return [finding for finding in found if finding.feature == feature]


def _repaired(vault: Vault, checks: Sequence[Check], feature: str | None, pace: Pace) -> list[Row]:
    survey = Survey.of(vault, pace)
    rows = _rows(vault, survey, checks, feature)
    fixed: Counter[str] = Counter()
    for _ in range(ROUNDS):
        wanted = [finding for row in rows for finding in row.findings if finding.fixable]
        if not wanted:
            break
        mending = Mending(vault, survey, pace)
        _mend(survey, checks, wanted, mending, pace)
        mending.commit()
        vault.corpus.refresh()
        survey = Survey.of(vault, pace)
        rows = _rows(vault, survey, checks, feature)
        fixed += _gone(wanted, rows, mending.renamed)
        if not mending.written:
            break
    return [row._replace(fixed=fixed[row.check.name]) for row in rows]


def _mend(survey: Survey, checks: Sequence[Check], wanted: Sequence[Finding], mending: Mending, pace: Pace) -> None:
    places: dict[str, set[str]] = {}
    for finding in wanted:
        if finding.path is not None:
            places.setdefault(finding.path, set()).add(finding.check)
    pace.begin(len(places))
    for relative, involved in places.items():
        pace.step(relative)
        document = survey.corpus.documents.get(relative)
        for one in checks if document is not None else ():
            page = mending.page(document) if document is not None and one.repair and one.name in involved else None
            if page is not None:
                mending.put(page, repaired(one, page), stamped=one.stamps)
    for one in checks:
        own = [finding for finding in wanted if finding.check == one.name]
        if own and one.mend is not None:
            one.mend(survey, own, mending)


def _gone(wanted: Sequence[Finding], rows: Sequence[Row], renamed: Mapping[str, str]) -> Counter[str]:
    """How many of the findings are no longer there, by validator."""
    left = Counter((one.check, one.path, one.message) for row in rows for one in row.findings)
    gone: Counter[str] = Counter()
    for finding in wanted:
        key = (finding.check, renamed.get(finding.path or "", finding.path), finding.message)
        if left[key]:
            left[key] -= 1
        else:
            gone[finding.check] += 1
    return gone


def _row(row: Row) -> dict[str, Any]:
    return {
        "check": row.check.name,
        "error_count": row.count(ERROR),
        "warning_count": row.count(WARNING),
        "info_count": row.count(INFO),
        "fixed_count": row.fixed,
        "clean": not row.findings,
    }


def _told(finding: Finding) -> dict[str, Any]:
    return {
        "check": finding.check,
        "path": finding.path,
        "message": finding.told(),
        "severity": finding.severity,
        "fixable": finding.fixable,
    }


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
