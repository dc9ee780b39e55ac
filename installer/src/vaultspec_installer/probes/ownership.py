"""Can the records of what we wrote be used, and are they about this machine and this folder?"""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.report import Refusal
from vaultspec_core.workspace import FRAMEWORK
from vaultspec_providers.contract import Scope

from ..finding import ERROR, WARNING, Code, Finding
from ..health import names_by_word
from ..ownership import FILE as NAME
from ..probe import Patient, Probe
from ..survey import load_ownership, ownership_path

FILE = f"{FRAMEWORK}/{NAME}"

BAD = Code(
    "bad-ownership",
    ERROR,
    "The record of which entries we wrote cannot be used. Until it is repaired, nothing is refreshed or removed.",
    "Repair it: the bad file is set aside, and what equals our rendering is recorded again.",
    "the ownership record /home/me/project/.vaultspec/mcp-ownership.json cannot be used: it is not JSON (JSONDecodeError)",
)
TRACKED = Code(
    "tracked-ownership",
    WARNING,
    "Git tracks the ownership record. On another machine it would claim entries that were never written there, so it is not believed.",
    "Take it out of the index; it stays on the disk.",
    ".vaultspec/mcp-ownership.json is tracked by git and is not believed",
)
MOVED = Code(
    "moved-workspace",
    WARNING,
    "The record is about a host file in another place: the workspace, or the client's folder, was moved.",
    "Sync; what equals our rendering is recorded where it is now.",
    "the record of example at project scope is about /home/me/old/client.json, which now is client.json",
)
LEFT = Code(
    "left-behind",
    WARNING,
    "A moved workspace left entries at local scope that point at the folder it came from, which is gone.",
    "Prune them.",
    "/home/me/client.json: left behind by /home/me/old, which is gone: vaultspec-core",
)


def look(patient: Patient) -> Iterable[Finding]:
    for scope in (Scope.PROJECT, Scope.USER):
        try:
            path = ownership_path(patient.root, scope, patient.environ)
            ownership = load_ownership(patient.root, scope, patient.environ, patient.read)
        except Refusal as refusal:
            if refusal.code != "home-unusable":
                more = "" if scope is Scope.PROJECT else f" --scope {scope.value}"
                yield BAD.found(
                    refusal.message, patient.said(path), f"vaultspec-core spec mcps sync{more} --repair-ownership"
                )
            continue
        if not ownership.believed:
            yield TRACKED.found(f"{FILE} is tracked by git and is not believed", FILE, f"git rm --cached {FILE}")
    for scope, found in patient.scopes.items():
        if isinstance(found, Refusal):
            continue
        command = "vaultspec-core spec mcps sync" + ("" if scope is Scope.PROJECT else f" --scope {scope.value}")
        for surveyed in found.targets:
            target = surveyed.target
            record = found.ownership.records.get(target.key)
            if scope is not Scope.USER and record is not None and record.path != str(target.shown):
                yield MOVED.found(
                    f"the record of {target.provider.name} at {scope.value} scope is about {record.path}, "
                    f"which now is {target.said(found.root)}",
                    FILE,
                    command,
                )
        for surveyed in found.left:
            file = surveyed.target.said(found.root)
            if names := names_by_word(surveyed)["stale_managed"]:
                yield LEFT.found(
                    f"{file}: left behind by {surveyed.target.left_by}, which is gone: {', '.join(names)}",
                    file,
                    f"{command} --prune",
                )


PROBE = Probe(40, (BAD, TRACKED, MOVED, LEFT), look)
