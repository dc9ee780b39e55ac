"""What the doctor finds: a code that never changes its meaning, where, and the command that mends it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

ERROR, WARNING, INFO = "error", "warning", "info"


class Code(NamedTuple):
    """One kind of finding. `meaning`: what is wrong. `mend`: how to put it right. `example`: a message as it is printed.

    `fails` False: a warning about what vaultspec cannot converge itself, which leaves the exit code alone.
    """

    name: str
    severity: str
    meaning: str
    mend: str
    example: str
    fails: bool = True

    def found(
        self, message: str, file: str | None = None, command: str | None = None, line: int | None = None
    ) -> Finding:
        """A finding of this kind. `file`: relative to the workspace, else absolute. `line` counts from 1."""
        return Finding(self, message, file, command, line)


class Finding(NamedTuple):
    """One thing that a person should know. `command`: what mends it, a command where one can, else the act; None where the message says it all."""

    code: Code
    message: str
    file: str | None = None
    command: str | None = None
    line: int | None = None

    def data(self) -> dict[str, Any]:
        """The finding as JSON."""
        return {
            "code": self.code.name,
            "severity": self.code.severity,
            "fails": self.fails,
            "file": self.file,
            "line": self.line,
            "message": self.message,
            "command": self.command,
        }

    @property
    def fails(self) -> bool:
        """Whether it counts for the exit code."""
        return self.code.fails and self.code.severity != INFO


def exit_code(findings: Iterable[Finding]) -> int:
    """2 with an error, 1 with a warning that counts, else 0."""
    severities = {finding.code.severity for finding in findings if finding.fails}
    return 2 if ERROR in severities else 1 if WARNING in severities else 0
