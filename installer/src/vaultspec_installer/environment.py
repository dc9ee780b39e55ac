"""The environment variables that the product reads, for the reference page."""

from __future__ import annotations

from typing import NamedTuple


class Variable(NamedTuple):
    """One variable: what holds without it, and what it decides."""

    name: str
    default: str
    controls: str


VARIABLES = (
    Variable(
        "VAULTSPEC_TARGET_DIR",
        "the current folder or its nearest parent that holds a workspace",
        "The workspace, for the command line and for the server. `--target` wins over it.",
    ),
    Variable(
        "VAULTSPEC_STDIO_WATCHDOG",
        "enabled",
        "`0`, `false`, `off` or `no` leaves the end of the server to its client closing stdin.",
    ),
    Variable(
        "VAULTSPEC_EDITOR",
        "`VISUAL`, then `EDITOR`",
        "The editor that editing verbs open at a terminal. `--editor` and the `editor` setting win over it.",
    ),
    Variable(
        "VAULTSPEC_STATE_DIR",
        "the platform's folder for the state of applications",
        "Where this machine's own state lies: reports of faults, and what `undo` needs.",
    ),
    Variable(
        "VAULTSPEC_MCP_GATEWAY_INVOCATION",
        "unset",
        "Set by the server for the verbs that `invoke` runs: nothing interactive is started.",
    ),
    Variable(
        "VAULTSPEC_LOCK_TIMEOUT_SECONDS",
        "30",
        "How long a command waits for another one that works on the same workspace.",
    ),
    Variable("NO_COLOR", "unset", "Any value takes the colours out of terminal output."),
    Variable("COLUMNS", "the terminal's width", "How wide tables may be."),
)
