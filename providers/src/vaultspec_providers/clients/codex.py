"""Codex (CLI, IDE extension and app).

Project: `.codex/config.toml`, read for trusted projects only. User: `$CODEX_HOME/config.toml`, by default `~/.codex/config.toml`.
"""

from __future__ import annotations

from vaultspec_providers.contract import Location, Provider, Scope, Surroundings, configured_folder
from vaultspec_providers.formats.toml_region import TomlRegion


def _project(surroundings: Surroundings) -> Location:
    return Location(surroundings.workspace / ".codex" / "config.toml", TomlRegion("mcp_servers"))


def _user(surroundings: Surroundings) -> Location:
    folder = configured_folder(surroundings, "CODEX_HOME", ".codex")
    return Location(folder / "config.toml", TomlRegion("mcp_servers"))


PROVIDER = Provider(
    name="codex",
    title="Codex",
    locations={Scope.PROJECT: _project, Scope.USER: _user},
    next_step="Open the project in Codex and trust it; a running session must be restarted.",
    source="https://developers.openai.com/codex/mcp",
    checked_against="0.171.0",
    by_default=True,
)
