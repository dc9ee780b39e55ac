"""Antigravity (IDE and `agy`). Project: `.agents/mcp_config.json`; broader scopes are unsupported."""

from __future__ import annotations

from vaultspec_providers.contract import Location, Provider, Scope, Surroundings
from vaultspec_providers.formats.json_member import JsonMember


def _project(surroundings: Surroundings) -> Location:
    return Location(surroundings.workspace / ".agents" / "mcp_config.json", JsonMember(("mcpServers",)))


PROVIDER = Provider(
    name="antigravity",
    title="Antigravity",
    locations={Scope.PROJECT: _project},
    next_step="Refresh the server list in Antigravity's MCP settings.",
    source="https://antigravity.google/docs/mcp",
    checked_against="2.0",
    refuses=frozenset({"comments", "trailing-commas", "bom"}),
    by_default=True,
)
