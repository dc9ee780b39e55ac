"""`.vaultspec/providers.json`: what is installed on this machine. Git ignores it; a clone starts without one.

Schema "2.0" of earlier releases: `installed` (provider names), `provider_state`, `vaultspec_version` (how far migrations ran),
`serial` (one more at each write). Unknown keys survive.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.report import Refusal
from vaultspec_core.workspace import FRAMEWORK

FILE = "providers.json"
_FIRST = ("version", "vaultspec_version", "installed_at", "serial", "installed", "provider_state")


class Manifest(NamedTuple):
    """The record of one machine. `present`: there is a file. `said`: all its keys as read."""

    present: bool
    installed: tuple[str, ...] = ()
    said: dict[str, Any] = {}

    @property
    def version(self) -> str:
        """The release whose migrations have all run here; empty when none is recorded."""
        version = self.said.get("vaultspec_version", "")
        return version if isinstance(version, str) else ""

    @property
    def states(self) -> dict[str, Any]:
        """What is remembered of each provider."""
        states = self.said.get("provider_state")
        return states if isinstance(states, dict) else {}

    def with_providers(self, names: Iterable[str], now: str, plugins: Iterable[str] = ()) -> Manifest:
        """The same with these providers installed, each with the time `now` (ISO 8601) if it is new.

        `plugins`: those that another distribution brings; only they are looked for among installed entry points.
        """
        others = set(plugins)
        states = {
            name: self.states.get(
                name, {"installed_at": now, "last_synced": now} | ({"plugin": True} if name in others else {})
            )
            for name in sorted(names)
        }
        return self._replace(
            installed=tuple(states), said={**self.said, "installed": list(states), "provider_state": states}
        )

    def with_value(self, key: str, value: Any) -> Manifest:
        return self._replace(said={**self.said, key: value})

    def to_bytes(self, now: str) -> bytes:
        """The file's text with the serial counted up."""
        serial = self.said.get("serial", 0)
        said = {"version": "2.0", "vaultspec_version": "", "installed_at": now, **self.said}
        said["serial"] = serial + 1 if isinstance(serial, int) else 1
        ordered = {key: said[key] for key in _FIRST if key in said} | said
        return (json.dumps(ordered, indent=2) + "\n").encode()


def path_of(workspace: Path) -> Path:
    return workspace / FRAMEWORK / FILE


def load_manifest(workspace: Path, read: Callable[[Path], bytes | None]) -> Manifest:
    """The manifest; an absent one when there is no file. Raises Refusal `bad-manifest`."""
    path = path_of(workspace)
    data = read(path)
    if data is None:
        return Manifest(present=False)
    hint = f"Delete {path}; vaultspec-core install --upgrade writes it anew."
    try:
        said = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Refusal("bad-manifest", f"{path} is not JSON", hint) from error
    installed = said.get("installed", []) if isinstance(said, dict) else None
    if not isinstance(installed, list) or not all(isinstance(name, str) for name in installed):
        raise Refusal("bad-manifest", f"{path}: `installed` is not a list of names", hint)
    return Manifest(True, tuple(installed), said)
