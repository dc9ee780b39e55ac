"""Claude Code.

Project: `.mcp.json`. User: `mcpServers` of `~/.claude.json` (or `$CLAUDE_CONFIG_DIR/.claude.json`); local: the same file,
`projects[<absolute path>].mcpServers`. Hooks of a repository: `.claude/settings.json`
(https://docs.claude.com/en/docs/claude-code/hooks).
"""

from __future__ import annotations

from pathlib import Path

from vaultspec_providers.contract import HookLocation, Location, Provider, Scope, Surroundings, configured_folder
from vaultspec_providers.formats.json_hooks import JsonHooks
from vaultspec_providers.formats.json_member import JsonMember


def _user_file(surroundings: Surroundings) -> Path:
    return configured_folder(surroundings, "CLAUDE_CONFIG_DIR", "") / ".claude.json"


def _project(surroundings: Surroundings) -> Location:
    return Location(surroundings.workspace / ".mcp.json", JsonMember(("mcpServers",)))


def _local(surroundings: Surroundings) -> Location:
    return Location(_user_file(surroundings), JsonMember(("projects", surroundings.workspace.as_posix(), "mcpServers")))


def _user(surroundings: Surroundings) -> Location:
    return Location(_user_file(surroundings), JsonMember(("mcpServers",)))


_EVENTS = {
    "session-start": "SessionStart",
    "session-end": "SessionEnd",
    "prompt": "UserPromptSubmit",
    "before-tool": "PreToolUse",
    "after-tool": "PostToolUse",
    "before-compact": "PreCompact",
    "notification": "Notification",
    "subagent-stop": "SubagentStop",
    "stop": "Stop",
}


def _hooks(surroundings: Surroundings) -> HookLocation:
    return HookLocation(surroundings.workspace / ".claude/settings.json", JsonHooks(_EVENTS))


PROVIDER = Provider(
    name="claude",
    title="Claude Code",
    locations={Scope.PROJECT: _project, Scope.LOCAL: _local, Scope.USER: _user},
    next_step="Approve the server when Claude Code asks, or run `/mcp` in an open session to reconnect.",
    source="https://docs.claude.com/en/docs/claude-code/mcp",
    checked_against="2.1.197",
    refuses=frozenset({"comments", "trailing-commas", "bom"}),
    aliases=("claude-code",),
    by_default=True,
    hooks=_hooks,
)
