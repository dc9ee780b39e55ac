"""What `vault check` and `vault sanitize` say: findings by document, a line that sums up, and the command that comes next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vaultspec_core.checks.contract import ERROR, INFO, WARNING, Finding
from vaultspec_core.checks.registry import all_checks, suite
from vaultspec_core.checks.run import Row, examined
from vaultspec_core.report import FINDINGS, OK, USAGE, Block, Line, Refusal, Report
from vaultspec_core.vault.snapshot import Snapshot
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call

_TONES = {ERROR: "bad", WARNING: "warn", INFO: "dim"}
_WHOLE_VAULT = "the vault"


def check_all(call: Call) -> Report:
    """Every validator of the suite."""
    rows = examined(_vault(call), suite(), call["feature"], fix=bool(call["fix"]), progress=call.progress)
    data = {"checks": [_data(call, row) for row in rows]}
    return _report(call, rows, data, "vaultspec-core vault check all", fixing=bool(call["fix"]))


def check_one(call: Call) -> Report:
    """The validator that the last word names."""
    return _one(call, call.verb.words[-1], fix=bool(call.options.get("fix")))


def sanitize_annotations(call: Call) -> Report:
    """Take out what templates left; with `--dry-run` only say where it is."""
    return _one(call, "annotations", fix=not call.dry_run)._replace(exit_code=OK)


def _one(call: Call, name: str, *, fix: bool) -> Report:
    check = next(check for check in all_checks() if check.name == name)
    rows = examined(_vault(call), [check], call.options.get("feature"), fix=fix, progress=call.progress)
    return _report(call, rows, _data(call, rows[0]), f"vaultspec-core vault check {name}", fixing=fix)


def _vault(call: Call) -> Vault:
    for key in ("limit", "offset"):
        if (value := call.options.get(key)) is not None and value < 0:
            raise Refusal("usage", f"--{key} must not be negative: {value}", exit_code=USAGE)
    return Vault.open(call.target, snapshot=Snapshot(call.target, call.environ))


def _report(call: Call, rows: Sequence[Row], data: dict[str, Any], command: str, *, fixing: bool) -> Report:
    errors, fixed = sum(row.count(ERROR) for row in rows), sum(row.fixed for row in rows)
    status = "failed" if errors else "updated" if fixed else "ok"
    fixable = sum(finding.fixable for row in rows for finding in row.findings)
    body = [*_documents(call, rows), *_summary(call, rows, fixed, fixable)]
    hint = None
    if fixable and not fixing and not call.options.get("no_hints"):
        hint = ("Repair what can be repaired:", _with_feature(call, f"{command} --fix"))
    return Report(status, data, body, exit_code=FINDINGS if errors else OK, hint=hint)


def _with_feature(call: Call, command: str) -> str:
    feature = call.options.get("feature")
    return f"{command} --feature {feature}" if feature else command


def _shown(call: Call, row: Row) -> list[Finding]:
    return [finding for finding in row.findings if finding.severity != INFO or call["verbose"]]


def _page(call: Call, row: Row) -> list[Finding]:
    """The findings that `--offset` and `--limit` leave."""
    found = _shown(call, row)
    first = call.options.get("offset") or 0
    limit = call["limit"]
    return found[first:] if limit is None else found[first : first + limit]


def _data(call: Call, row: Row) -> dict[str, Any]:
    found, page = _shown(call, row), _page(call, row)
    following = (call.options.get("offset") or 0) + len(page)
    more = following < len(found)
    return {
        "check_name": row.check.name,
        "diagnostics": {
            "items": [_item(finding) for finding in page],
            "paging": {
                "returned": len(page),
                "total": len(found),
                "truncated": more,
                "next_offset": following if more else None,
            },
        },
        "fixed_count": row.fixed,
        "supports_fix": row.check.fixes,
    }


def _item(finding: Finding) -> dict[str, Any]:
    return {
        "path": finding.path,
        "line": finding.line,
        "message": finding.message,
        "severity": finding.severity,
        "fixable": finding.fixable,
    }


def _documents(call: Call, rows: Sequence[Row]) -> list[Block]:
    """The findings under the document that they are about, in columns."""
    places: dict[str, list[Finding]] = {}
    for row in rows:
        for finding in _page(call, row):
            places.setdefault(finding.path or _WHOLE_VAULT, []).append(finding)
    listed = [finding for found in places.values() for finding in found]
    width = max((len(finding.check) for finding in listed), default=0)
    body: list[Block] = []
    for place in sorted(places):
        body.append(Line(place, "title"))
        for finding in places[place]:
            mark = "  (--fix)" if finding.fixable else ""
            text = f"  {finding.severity:<7}  {finding.check:<{width}}  {finding.told()}{mark}"
            body.append(Line(text, _TONES[finding.severity]))
    if call["verbose"]:
        body += [Line(f"{row.check.name}: no findings", "good") for row in rows if not row.findings]
    return body


def _summary(call: Call, rows: Sequence[Row], fixed: int, fixable: int) -> list[Block]:
    errors, warnings = (sum(row.count(severity) for row in rows) for severity in (ERROR, WARNING))
    hidden = sum(len(_shown(call, row)) - len(_page(call, row)) for row in rows)
    said = f"{_counted(errors, 'error')}, {_counted(warnings, 'warning')}"
    if fixable:
        said += f", {fixable} can be repaired"
    if fixed:
        said += f", {fixed} repaired"
    if hidden:
        said += f", {hidden} not shown"
    tone = "bad" if errors else "warn" if warnings else "good"
    return [*([Line("")] if errors or warnings else []), Line(said, tone)]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
