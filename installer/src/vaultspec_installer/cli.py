"""The command line: understand the words, run the verb, and say what came of it, as text or as one JSON document."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from vaultspec_core.load import load
from vaultspec_core.report import FINDINGS, USAGE, Refusal, Report
from vaultspec_core.verb import Call, Verb
from vaultspec_core.workspace import FRAMEWORK, find_workspace, target_folder

from .parser import asks, understand
from .pending import pending_warning
from .progress import Progress
from .render import show_refusal, show_report, warning

INTERRUPTED, TERMINATED = 130, 143
"""Exit codes of a command that SIGINT or SIGTERM ended."""


class World(NamedTuple):
    """Everything a command line depends on besides its words. `terminal`: a person is there to be asked."""

    environ: Mapping[str, str]
    folder: Path
    stdin: Callable[[], bytes]
    stdout: IO[str]
    stderr: IO[str]
    terminal: bool


class _Terminated(KeyboardInterrupt):
    """SIGTERM; what lets go on Ctrl-C lets go on this too."""


def main(words: list[str]) -> int:
    """Run one command line in this process's own world and give its exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    out, err = (_stream(stream) for stream in (sys.stdout, sys.stderr))
    terminal = sys.stdin is not None and sys.stdin.isatty() and out.isatty()
    try:
        return run(words, World(os.environ, _folder(), _read_stdin, out, err, terminal))
    except _Terminated:
        return TERMINATED
    except KeyboardInterrupt:
        return INTERRUPTED


def run(words: list[str], world: World) -> int:
    """Run one command line and give its exit code: 0 ok, 1 findings or failure, 2 usage, 3 our own fault, 130 and 143 signals."""
    code, out, err = _answer(words, world)
    try:
        world.stdout.write(out)
        world.stdout.flush()
    except BrokenPipeError:
        pass  # The reader has seen enough; what was done is done.
    except OSError as error:
        code = code or FINDINGS
        err += f"error: the output cannot be written: {error.strerror}\n"
    with suppress(OSError):
        world.stderr.write(err)
        world.stderr.flush()
    return code


def _answer(words: list[str], world: World) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command line. Every outcome has one, so that `--json` always gets its document."""
    as_json = asks(words, "--json")
    verb: Verb | None = None
    progress = Progress(world.stderr, world.environ)
    try:
        verb, options = understand(words)
        as_json = verb.json and options["json"]
        call = _call(verb, options, world, progress)
        report: Report = _with_pending(load(verb.run)(call), call)
        if world.terminal and not as_json and (call.target / FRAMEWORK / "triggers").is_dir():
            report = load("vaultspec_installer.trigger:after")(report, call)
        progress.clear()
        if as_json:
            return report.exit_code, _document(envelope(verb, report)), _deprecation(verb, world)
        out, err = show_report(report, world)
        return report.exit_code, out, _deprecation(verb, world) + err
    except Refusal as error:
        refusal = error
    except _Terminated:
        refusal = Refusal("terminated", "stopped by SIGTERM", exit_code=TERMINATED)
    except KeyboardInterrupt:
        refusal = Refusal("interrupted", "stopped by SIGINT", exit_code=INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the one edge where a fault of ours becomes a sentence
        refusal = load("vaultspec_installer.fault:report")(error, verb, words, world.environ)
    progress.clear()
    code, out, err = _refuse(refusal, as_json, world)
    return code, out, _deprecation(verb, world) + err


def _deprecation(verb: Verb | None, world: World) -> str:
    return warning(f"`{verb.name}` is deprecated: {verb.deprecated}", world) if verb and verb.deprecated else ""


def _refuse(refusal: Refusal, as_json: bool, world: World) -> tuple[int, str, str]:
    if not as_json:
        return refusal.exit_code, "", show_refusal(refusal, world)
    data = {**refusal.data, "code": refusal.code, "message": refusal.message}
    if refusal.hint:
        data["hint"] = refusal.hint
    document = _document({"schema": "vaultspec.error.v1", "status": "failed", "data": data})
    line = show_refusal(Refusal(refusal.code, refusal.message), world) if refusal.exit_code == USAGE else ""
    return refusal.exit_code, document, line


def envelope(verb: Verb, report: Report) -> dict[str, Any]:
    """The one JSON document of a verb that ran."""
    document: dict[str, Any] = {
        "schema": report.schema or verb.document,
        "status": report.status,
        "data": report.data,
    }
    if report.hint:
        document["hints"] = {"text": report.hint[0], "command": report.hint[1]}
    return document


def _document(value: object) -> str:
    import json

    return json.dumps(value, separators=(",", ":"), allow_nan=False) + "\n"


def _call(verb: Verb, options: dict[str, Any], world: World, progress: Progress) -> Call:
    find = find_workspace if verb.workspace else target_folder
    target = find(options["target"], world.environ, world.folder)

    def ask(question: str) -> bool:
        if not world.terminal:
            return False
        progress.clear()
        world.stderr.write(f"{question} [y/N] ")
        world.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    return Call(verb, options, target, world.environ, world.terminal, world.stdin, ask, progress)


def _with_pending(report: Report, call: Call) -> Report:
    """The report with a warning of pending migrations, in its JSON where that has warnings. What converges leaves none."""
    if not call.verb.workspace or call.verb.words[0] == "migrations":
        return report
    text = pending_warning(call.target, call.environ)
    if text is None:
        return report
    said = report.data.get("warnings")
    data = {**report.data, "warnings": [*said, text]} if isinstance(said, list) else report.data
    return report._replace(data=data, warnings=[*report.warnings, text])


def _terminate(number: int, frame: object) -> NoReturn:
    raise _Terminated


def _stream(stream: Any) -> IO[str]:
    """The stream, never failing on a character; a closed one swallows what it gets."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    stream.reconfigure(errors="backslashreplace")
    found: IO[str] = stream
    return found


def _read_stdin() -> bytes:
    return b"" if sys.stdin is None else sys.stdin.buffer.read()


def _folder() -> Path:
    """The current folder; its last known name when it was deleted under us."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path(os.environ.get("PWD") or os.sep)
