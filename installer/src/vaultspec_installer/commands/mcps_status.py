"""`spec mcps status`: judge, and write nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vaultspec_core.files import Disk
from vaultspec_core.report import FINDINGS, OK, Block, Line, Refusal, Report, Table
from vaultspec_core.verb import Call
from vaultspec_providers.contract import Scope

from ..health import others_warnings, status_data
from ..preconditions import floor_warning, secret_warnings
from ..reconcile import Action, Command, action
from ..shadowing import shadowed
from ..survey import Survey, survey

COUNTED = ("missing", "drifted", "stale_managed", "conflicts", "external")


def status(call: Call) -> Report:
    """Judge and say; exit 0 only when the aggregate is `ok`. Starts nothing, locks nothing, writes nothing."""
    scope = Scope(call["scope"])
    try:
        found = survey(call.target, call.environ, scope, call["provider"] or "all", Disk().read)
    except Refusal as refusal:
        if refusal.code not in ("bad-ownership", "unsupported-scope", "not-installed"):
            raise
        failed: dict[str, Any] = {
            "status": "invalid_target",
            "scope": scope.value,
            "providers": {},
            "warnings": [refusal.message],
        }
        raise Refusal(
            refusal.code, refusal.message, refusal.hint, exit_code=refusal.exit_code, data=failed
        ) from refusal
    data = status_data(found)
    shadows = shadowed(found, call.environ, Disk().read)
    data["shadowed"] = shadows
    secrets = secret_warnings(found)
    floor = floor_warning(found)
    data["warnings"] += [
        *others_warnings(found),
        *secrets,
        *(shadow["message"] for shadow in shadows),
        *([floor] if floor else []),
    ]
    if (floor or (secrets and call["strict_secrets"])) and data["status"] == "ok":
        data["status"] = "partial"
    healthy = data["status"] == "ok"
    return Report(
        "unchanged",
        data,
        _status_body(found, data),
        warnings=data["warnings"],
        exit_code=OK if healthy else FINDINGS,
        hint=None if healthy else _remedy(found, data),
    )


def _remedy(found: Survey, data: Mapping[str, Any]) -> tuple[str, str] | None:
    """The next step: a plain sync where that changes something, else what overwrites or prunes."""
    scope = "" if found.scope is Scope.PROJECT else f" --scope {found.scope.value}"
    sync = f"vaultspec-core spec mcps sync{scope}"
    if data["status"] == "no_providers":
        return "Add clients with:", "vaultspec-core install all"
    if data["status"] == "invalid_config":
        return "Mend the file named above, then run:", sync
    sides = [item.side for surveyed in found.targets for item in surveyed.items]
    displaced = any(row["layout"] == "displaced" for row in data["providers"].values())
    if displaced or any(action(side, Command.SYNC, force=False) is Action.WRITE for side in sides):
        return "Reconcile with:", sync
    if data["drifted"] or data["conflicts"]:
        return "Look at what --force would overwrite:", f"vaultspec-core spec mcps diff{scope} --force"
    if data["stale_managed"]:
        return "Take out what has no definition:", f"{sync} --prune"
    if data["invalid"]:
        return "See what is wrong with the definitions:", "vaultspec-core spec mcps list"
    return None


def _status_body(found: Survey, data: Mapping[str, Any]) -> list[Block]:
    if data.get("opted_out") and not found.targets:
        return [
            Line("Enrollment is opted out in this workspace; nothing is judged."),
            Line("vaultspec-core install --no-skip mcp ends that.", "hint"),
        ]
    if not found.targets:
        return [Line("No client is installed in this workspace.")]
    rows = data["providers"].values()
    # A count that is nought everywhere says nothing and costs the width that a file name needs.
    words = ["managed", *(word for word in COUNTED if any(row[word] for row in rows))]
    table = [
        (name, row["status"], row["config_path"], *(str(len(row[word])) for word in words))
        for name, row in data["providers"].items()
    ]
    lines: list[Block] = [
        Table(("provider", "status", "file", *(word.replace("_managed", "") for word in words)), table)
    ]
    for word in ("missing", "drifted", "stale_managed", "conflicts", "invalid"):
        if data[word]:
            lines.append(Line(f"{word.replace('_', ' ')}: {', '.join(data[word])}", "warn"))
    for name, row in data["providers"].items():
        if row["layout"] == "displaced":
            lines.append(Line(f"displaced: the marked region of {name} in {row['config_path']}", "warn"))
    tone = "good" if data["status"] == "ok" else "warn"
    return [
        *lines,
        Line(
            f"{data['status']}: {len(table)} target{'s' if len(table) != 1 else ''} at {found.scope.value} scope", tone
        ),
    ]
