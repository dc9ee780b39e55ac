"""Open the vault for a verb that may be a dry run, and show afterwards what such a run would have changed."""

from __future__ import annotations

from vaultspec_core.dry_run import DryDisk
from vaultspec_core.report import Diff, Report
from vaultspec_core.vault.snapshot import Snapshot
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call


def open_vault(call: Call) -> Vault:
    """The vault of the workspace; with `--dry-run` one on whose disk nothing is written."""
    return Vault.open(call.target, DryDisk() if call.dry_run else None, snapshot=Snapshot(call.target, call.environ))


def with_diff(report: Report, vault: Vault) -> Report:
    """The report as it is; of a dry run one of status `unchanged` that shows the diff, to a person and as `data.diff`."""
    report.data["dry_run"] = isinstance(vault.disk, DryDisk)
    if not isinstance(vault.disk, DryDisk):
        return report
    report.data["diff"] = vault.disk.diff(vault.root)
    return report._replace(status="unchanged", body=[*report.body, Diff(report.data["diff"])])
