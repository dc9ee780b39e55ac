"""Run the trusted triggers of a workspace: by hand, or after a verb that a person ran at a terminal changed something.

A trigger gets one JSON object on stdin (`event`, `workspace`, `data`: what the verb reported), starts in the workspace's root, and
ends with its whole process group at its timeout. The server never starts one, and a command that the server runs does not either.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.commands.editor import GATEWAY
from vaultspec_core.files import Disk
from vaultspec_core.report import Block, Line, Refusal, Report
from vaultspec_core.verb import Call

from .declared import EVENTS, TRIGGERS, Declared, all_of
from .definition_faults import printable

DEFAULT_SECONDS = 60
SHOWN_BYTES = 16 * 1024


class Ran(NamedTuple):
    """One trigger's run. `code` is its exit code; None when it could not be started or was ended at its timeout."""

    name: str
    code: int | None
    output: str
    fault: str | None = None

    @property
    def failure(self) -> str | None:
        """Why it counts as failed; None when it went well."""
        return self.fault or (f"it ended with {self.code}" if self.code else None)

    def data(self) -> dict[str, Any]:
        return {"name": self.name, "exit_code": self.code, "output": self.output, "fault": self.fault}

    def lines(self) -> list[Block]:
        """The run for a person."""
        head = f"trigger {self.name}: {self.failure or 'done'}"
        body: list[Block] = [Line(head, "bad" if self.failure else "good")]
        return body + [Line(f"  {printable(line)}", "dim") for line in self.output.splitlines()]


def for_event(root: Path, event: str, environ: Mapping[str, str]) -> tuple[list[Declared], list[Declared]]:
    """The triggers of the event: those that may run, and those that are not trusted."""
    found = [one for one in all_of(root, TRIGGERS, environ, Disk().read) if one.said.get("event") == event]
    return [one for one in found if one.trusted], [one for one in found if not one.trusted]


def run_all(
    root: Path, environ: Mapping[str, str], triggers: Iterable[Declared], event: str, data: Mapping[str, Any]
) -> list[Ran]:
    """Run them one after the other, whatever becomes of each. The caller has made sure that they are trusted."""
    said = json.dumps({"event": event, "workspace": str(root), "data": data}).encode() + b"\n"
    return [_run(root, environ, one, said) for one in triggers]


def after(report: Report, call: Call) -> Report:
    """The report of a verb that a person ran, once the triggers of its event have run; the same report where there are none."""
    event = next((event for event, verbs in EVENTS.items() if call.verb.words in verbs), None)
    settled = report.exit_code != 0 or report.status in ("unchanged", "failed") or call.dry_run
    if event is None or settled or call.environ.get(GATEWAY):
        return report
    try:
        ready, waiting = for_event(call.target, event, call.environ)
    except Refusal as refusal:
        return report._replace(warnings=[*report.warnings, f"no trigger was run: {refusal.message}"])
    ran = run_all(call.target, call.environ, ready, event, report.data)
    warnings = [
        f"trigger {one.name} is {'invalid' if one.faults else one.standing} and was not run; "
        f"vaultspec-core spec triggers show {one.name}"
        for one in waiting
    ]
    lines = [line for one in ran for line in one.lines()]
    return report._replace(body=[*report.body, *lines], warnings=[*report.warnings, *warnings])


def _run(root: Path, environ: Mapping[str, str], trigger: Declared, said: bytes) -> Ran:
    import subprocess
    import tempfile

    command = trigger.said["command"]
    seconds = trigger.said.get("timeout", DEFAULT_SECONDS)
    # Files instead of pipes: a child that outlives the command cannot keep us waiting for the end of its output.
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as output:
        stdin.write(said)
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                command,
                shell=isinstance(command, str),
                cwd=root,
                env=dict(environ),
                stdin=stdin,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            return Ran(trigger.name, None, "", f"it cannot be started: {error.strerror}")
        try:
            code: int | None = process.wait(seconds)
            fault = None
        except subprocess.TimeoutExpired:
            code, fault = None, f"it was ended after {seconds} s"
        finally:
            if process.poll() is None:
                _end(process)
        output.seek(max(0, output.seek(0, os.SEEK_END) - SHOWN_BYTES))
        return Ran(trigger.name, code, output.read().decode("utf-8", "replace"), fault)


def _end(process: Any) -> None:
    """End the process with all that it started, as far as the system can."""
    import signal

    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
