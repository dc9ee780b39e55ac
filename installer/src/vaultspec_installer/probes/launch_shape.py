"""Is any server started in a way that is known to break: through a console executable, or on Windows through a script?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from vaultspec_providers.contract import Launch

from ..finding import WARNING, Code, Finding
from ..launched import launched
from ..mode import CORE
from ..probe import Patient, Probe

CONSOLE = Code(
    "launch-console-exe",
    WARNING,
    "The server is started by a console executable. Windows locks it while a client is connected, and an upgrade then leaves the tool uninstalled.",
    "Leave the launch to the install mode, which starts the server as a module.",
    "client.json: vaultspec-core is started by the console executable vaultspec-core.exe",
)
SCRIPT = Code(
    "launch-script-shim",
    WARNING,
    "On Windows the command is a script, not a program, and clients that start it without a shell fail (ENOENT, EINVAL).",
    "Start it through the shell: command `cmd`, arguments `/c` and the old command.",
    "client.json: search is started by npx, which is a script on Windows",
)
SHIMS = frozenset({"npx", "npm", "pnpm", "pnpx", "yarn", "bunx"})


def look(patient: Patient) -> Iterable[Finding]:
    for entry in launched(patient):
        console = _console(entry.launch)
        if console:
            yield CONSOLE.found(
                f"{entry.file}: {entry.name} is started by the console executable {console}",
                entry.file,
                f"vaultspec-core spec mcps remove {entry.name} --force",
            )
        elif patient.windows and _is_script(entry.launch.command):
            yield SCRIPT.found(
                f"{entry.file}: {entry.name} is started by {entry.launch.command}, which is a script on Windows",
                entry.file,
                f"vaultspec-core spec mcps add {entry.name} --force --command cmd --arg /c --arg {entry.launch.command}",
            )


def _console(launch: Launch) -> str | None:
    """The console executable of core that a launch starts, itself or through uv."""
    words = [launch.command] if launch.command not in ("uv", "uvx") else [launch.command, *launch.args[-1:]]
    for word in words:
        name = PurePath(word.replace("\\", "/")).name
        if name.lower().removesuffix(".exe") in (CORE, "vaultspec-mcp"):
            return name
    return None


def _is_script(command: str) -> bool:
    name = PurePath(command.replace("\\", "/")).name.lower()
    return name in SHIMS or name.endswith((".cmd", ".bat", ".ps1"))


PROBE = Probe(120, (CONSOLE, SCRIPT), look)
