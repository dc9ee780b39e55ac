"""`vault repair` and `vault feature index`: bring the workspace up to date, repair what can be repaired, regenerate indexes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vaultspec_core.checks.contract import ERROR, WARNING
from vaultspec_core.checks.registry import suite
from vaultspec_core.checks.run import Row, examined
from vaultspec_core.convergence import Converged, converge
from vaultspec_core.dry_run import DryDisk
from vaultspec_core.files import Changed, Disk
from vaultspec_core.plan.settle import settle
from vaultspec_core.report import FINDINGS, OK, Block, Diff, Line, Refusal, Report, counted
from vaultspec_core.vault import names
from vaultspec_core.vault.index import write_index
from vaultspec_core.vault.resolve import suggestion
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call


class _NotingDisk(Disk):
    """A disk that remembers what was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: dict[Path, None] = {}

    def write(self, path: Path, data: bytes, *, expected: bytes | None, private: bool = False) -> None:
        super().write(path, data, expected=expected, private=private)
        self.noted[path] = None

    def remove(self, path: Path, *, expected: bytes) -> None:
        super().remove(path, expected=expected)
        self.noted[path] = None


def repair(call: Call) -> Report:
    """Convergence, checks with their repairs, indexes, and what is left (which a dry run cannot know). A convergence that fails ends the run."""
    disk = DryDisk() if call.dry_run else _NotingDisk()
    vault = Vault.open(call.target, disk)
    feature = _known(vault, call["feature"])
    phases: list[dict[str, Any]] = []
    converged = converge(vault.root, disk)
    failed = converged.schema_error is not None
    detail = converged.schema_error or f"launches refreshed: {len(converged.converged)}"
    phases.append(_phase("converge", "failed" if failed else "done", detail))
    planned: list[dict[str, Any]] = []
    rows: list[Row] = []
    indexes: list[str] = []
    if not failed:
        before = examined(vault, suite(), feature, progress=call.progress)
        planned = [_planned(row, finding) for row in before for finding in row.findings if finding.fixable]
        with vault.hold():
            settle(vault)
            mended = examined(vault, suite(), feature, fix=True, progress=call.progress)
            fixed = len(planned) if call.dry_run else sum(row.fixed for row in mended)
            said = "can be repaired" if call.dry_run else "repaired"
            phases.append(_phase("check", "done", f"{counted(fixed, 'finding')} {said}"))
            if call["include_index"] is not False:
                indexes, warnings = _indexes(vault, feature)
                detail = f"indexes {'to write' if call.dry_run else 'written'}: {len(indexes)}"
                phases.append(_phase("index", "failed" if warnings else "done", "; ".join([detail, *warnings])))
        if not call.dry_run:
            left_over = examined(vault, suite(), feature, progress=call.progress)
            rows = [row._replace(fixed=was.fixed) for row, was in zip(left_over, mended, strict=True)]
            errors, left = (sum(row.count(severity) for row in rows) for severity in (ERROR, WARNING))
            phases.append(_phase("postcheck", "done", f"{counted(errors, 'error')}, {counted(left, 'warning')}"))
    return _told(call, vault, disk, converged, phases, planned, rows, indexes)


def regenerate_indexes(call: Call) -> Report:
    """The index of one feature, or of all."""
    disk = DryDisk() if call.dry_run else Disk()
    vault = Vault.open(call.target, disk)
    converged = converge(vault.root, disk)
    if converged.schema_error is not None:
        raise Refusal(
            "schema-convergence",
            f"the workspace could not be brought up to date: {converged.schema_error}",
            "vaultspec-core migrations status, then vaultspec-core migrations run",
        )
    feature = _known(vault, call["feature"])
    with vault.hold():
        settle(vault)
        vault.corpus.refresh()
        chosen = [feature] if feature else sorted(vault.corpus.features)
        written, warnings = _indexes(vault, feature)
    rows = [
        {"feature": one, "path": names.index_path(one), "changed": names.index_path(one) in written} for one in chosen
    ]
    data: dict[str, Any] = {"indexes": rows, "updated": len(written), "converged": converged.converged}
    data |= {"warnings": [*converged.warnings, *warnings], "dry_run": call.dry_run}
    word = "Would write" if call.dry_run else "Wrote"
    body: list[Block] = [Line(f"{word} {path}", "good") for path in written]
    if not written and not warnings:
        body.append(Line("Every index is up to date." if chosen else "There is no feature yet.", "dim"))
    if isinstance(disk, DryDisk):
        data["diff"] = disk.diff(vault.root)
        body.append(Diff(data["diff"]))
    status = "failed" if warnings else "updated" if written and not call.dry_run else "unchanged"
    return Report(status, data, body, data["warnings"], FINDINGS if warnings else OK)


def _known(vault: Vault, said: str | None) -> str | None:
    if not said:
        return None
    feature = names.normal_tag(said)
    vault.corpus.refresh()
    if feature not in vault.corpus.features:
        message = f"no document has the feature {feature}.{suggestion(vault.corpus, feature)}"
        raise Refusal("unknown-feature", message, "vaultspec-core vault feature list")
    return feature


def _indexes(vault: Vault, feature: str | None) -> tuple[list[str], list[str]]:
    """The indexes that were written, and why others were not."""
    written, warnings = [], []
    for one in [feature] if feature else sorted(vault.corpus.features):
        try:
            path = write_index(vault, one)
        except (Refusal, Changed) as error:
            warnings.append(f"the index of {one} was not regenerated: {error}")
            continue
        written += [path] if path else []
    return written, warnings


def _phase(name: str, status: str, detail: str) -> dict[str, Any]:
    return {"phase": name, "status": status, "detail": detail}


def _planned(row: Row, finding: Any) -> dict[str, Any]:
    return {"check": row.check.name, "path": finding.path, "message": finding.message}


def _told(
    call: Call,
    vault: Vault,
    disk: DryDisk | _NotingDisk,
    converged: Converged,
    phases: list[dict[str, Any]],
    planned: Sequence[dict[str, Any]],
    rows: Sequence[Row],
    indexes: Sequence[str],
) -> Report:
    paths = [change.path for change in disk.kept.changes()] if isinstance(disk, DryDisk) else list(disk.noted)
    errors = sum(row.count(ERROR) for row in rows)
    partial = any(phase["status"] == "failed" for phase in phases)
    data: dict[str, Any] = {
        "dry_run": call.dry_run,
        "feature": call["feature"],
        "include_index": call["include_index"] is not False,
        "partial_failure": partial,
        "phases": phases,
        "converged": converged.converged,
        "planned_fixes": list(planned),
        "changed_files": sorted(
            {_shown(vault, path) for path in paths if not path.is_relative_to(vault.folder / "data")}
        ),
        "generated_indexes": list(indexes),
        "error_count": errors,
        "warning_count": sum(row.count(WARNING) for row in rows),
        "fixed_count": sum(row.fixed for row in rows),
        "warnings": list(converged.warnings),
    }
    width = max(len(phase["phase"]) for phase in phases)
    tones = {"done": "good", "failed": "bad"}
    body: list[Block] = [Line(f"{one['phase']:<{width}}  {one['detail']}", tones[one["status"]]) for one in phases]
    if call["verbose"]:
        body += [Line(f"  {one['check']}  {one['path'] or 'the vault'}: {one['message']}") for one in planned]
    verb = "would change" if call.dry_run else "changed"
    body += [Line(f"  {verb} {path}") for path in data["changed_files"]]
    if isinstance(disk, DryDisk):
        data["diff"] = disk.diff(vault.root)
        body.append(Diff(data["diff"]))
    bad = partial or errors > 0
    status = "failed" if bad else "updated" if data["changed_files"] and not call.dry_run else "unchanged"
    hint = ("See what is left:", "vaultspec-core vault check all") if errors else None
    return Report(status, data, body, data["warnings"], FINDINGS if bad else OK, hint)


def _shown(vault: Vault, path: Path) -> str:
    return path.relative_to(vault.root).as_posix() if path.is_relative_to(vault.root) else str(path)
