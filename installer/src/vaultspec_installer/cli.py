"""The command line: find the verb, parse its arguments, run it, and say what came of it, as text or as one JSON document."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from vaultspec_core.load import load
from vaultspec_core.report import BUG, USAGE, Refusal, Report
from vaultspec_core.verb import Call, Verb
from vaultspec_core.workspace import find_workspace, target_folder

from ._version import __version__
from .parser import UsageError, parse
from .table import find_verb


@dataclass(frozen=True, slots=True)
class World:
    """Everything a command line depends on besides its words."""

    environ: Mapping[str, str]
    folder: Path
    stdin: Callable[[], bytes]
    stdout: IO[str]
    stderr: IO[str]
    terminal: bool


def main() -> None:
    """The console script: this process's own world in, its exit code out."""
    world = World(
        os.environ,
        Path.cwd(),
        lambda: sys.stdin.buffer.read(),
        sys.stdout,
        sys.stderr,
        terminal=sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty(),
    )
    code = run(sys.argv[1:], world)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run(words: list[str], world: World) -> int:
    """Run one command line and give its exit code: 0 ok, 1 findings or failure, 2 usage, 3 our own fault, 130 interrupted."""
    if words[:1] == ["--version"]:
        world.stdout.write(f"vaultspec-core {__version__}\n")
        return 0
    as_json = "--json" in words
    verb: Verb | None = None
    try:
        verb, rest = find_verb(words)
        options = parse(verb, rest)
        call = _call(verb, options, world)
        report: Report = load(verb.run)(call)
    except UsageError as error:
        return _say_refusal(Refusal("usage", error.message, error.hint, exit_code=USAGE), as_json, world)
    except Refusal as refusal:
        return _say_refusal(refusal, as_json, world)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1
    except Exception as error:  # noqa: BLE001 - the one edge where a fault of ours becomes a sentence
        where = load("vaultspec_installer.fault:write")(error, words, world.environ)
        fault = Refusal(
            "internal", f"internal error: {error.__class__.__name__}", f"Please report it with {where}.", exit_code=BUG
        )
        return _say_refusal(fault, as_json, world)
    if as_json:
        _write_json(envelope(verb, report), world)
    else:
        load("vaultspec_installer.render:show")(report, world)
    return report.exit_code


def _call(verb: Verb, options: dict[str, Any], world: World) -> Call:
    option = options.get("target")
    find = find_workspace if verb.workspace else target_folder
    target = find(option, world.environ, world.folder)
    return Call(verb, options, target, world.environ, world.terminal, world.stdin)


def envelope(verb: Verb, report: Report) -> dict[str, Any]:
    """The one JSON document of a successful verb."""
    document: dict[str, Any] = {
        "schema": report.schema or verb.document,
        "status": report.status,
        "data": report.data,
    }
    if report.hint:
        document["hints"] = {"text": report.hint[0], "command": report.hint[1]}
    return document


def _write_json(document: object, world: World) -> None:
    world.stdout.write(json.dumps(document, separators=(",", ":")) + "\n")


def _say_refusal(refusal: Refusal, as_json: bool, world: World) -> int:
    if as_json:
        data = {**refusal.data, "code": refusal.code, "message": refusal.message}
        if refusal.hint:
            data["hint"] = refusal.hint
        _write_json({"schema": "vaultspec.error.v1", "status": "failed", "data": data}, world)
    if not as_json or refusal.exit_code == USAGE:
        world.stderr.write(f"error: {refusal.message}\n")
    if not as_json and refusal.hint:
        world.stderr.write(f"hint: {refusal.hint}\n")
    return refusal.exit_code
