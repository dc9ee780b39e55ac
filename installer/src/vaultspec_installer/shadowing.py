"""One name that a client reaches through several scopes or files with different launches (SYN-9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vaultspec_core.report import Refusal
from vaultspec_providers.contract import HostFileError, Launch, Scope, Surroundings

from .launch import same_launch
from .survey import Read, Survey
from .target import locate


def shadowed(found: Survey, environ: Mapping[str, str], read: Read) -> list[dict[str, Any]]:
    """Names of ours that another scope of the same client says differently, one row each.

    A file at another scope that cannot be read is passed over: it is its own command's finding.
    """
    rows: list[dict[str, Any]] = []
    surroundings = Surroundings(found.root, found.home, environ)
    for surveyed in found.targets:
        here = {
            item.name: item.actual_launch
            for item in surveyed.items
            if item.name in found.definitions.valid and item.actual_launch is not None
        }
        for scope in surveyed.target.provider.locations:
            if scope is not found.scope:
                rows += _compare(found, surveyed.target.provider.name, scope, here, surroundings, read)
    return rows


def _compare(
    found: Survey, provider: str, scope: Scope, here: Mapping[str, Launch], surroundings: Surroundings, read: Read
) -> list[dict[str, Any]]:
    surveyed = next(row for row in found.targets if row.target.provider.name == provider)
    try:
        there = locate(surveyed.target.provider, scope, surroundings)
        data = read(there.path)
        # Most other files do not hold our names at all; then there is nothing to parse.
        if data is None or not any(name.encode() in data for name in here):
            return []
        entries = there.format.read(data).entries
    except (Refusal, HostFileError):
        return []
    rows = []
    for name, launch in here.items():
        other = surveyed.target.provider.launch(entries.get(name))
        if name in entries and (other is None or not same_launch(other, launch)):
            file = there.said(found.root)
            rows.append(
                {
                    "name": name,
                    "provider": provider,
                    "scopes": [found.scope.value, scope.value],
                    "file": file,
                    "message": f"{name}: {file} ({scope.value} scope) launches something else under the same name",
                }
            )
    return rows
