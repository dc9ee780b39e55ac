"""`spec gitignore | gitattributes | precommit ...`: what vaultspec keeps in the repository's own files, on and off."""

from __future__ import annotations

from collections.abc import Callable

from vaultspec_core.changeset import Changeset
from vaultspec_core.lock import hold
from vaultspec_core.report import FINDINGS, OK, Block, Line, Refusal, Report
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK, lock_seconds

from .. import declaration as declarations
from ..blocks import converge_part, remove_part
from ..committing import committed, composed
from ..framework import FileRow
from ..narrate import diff as diff_of
from ..precommit import PART as PRECOMMIT
from ..precommit import PREK, launch_prefix
from ..prek import block, migrated


def enable_gitignore(call: Call) -> Report:
    return _switch(call, "gitignore", on=True)


def disable_gitignore(call: Call) -> Report:
    return _switch(call, "gitignore", on=False)


def enable_gitattributes(call: Call) -> Report:
    return _switch(call, "gitattributes", on=True)


def disable_gitattributes(call: Call) -> Report:
    return _switch(call, "gitattributes", on=False)


def enable_precommit(call: Call) -> Report:
    return _switch(call, PRECOMMIT, on=True)


def disable_precommit(call: Call) -> Report:
    return _switch(call, PRECOMMIT, on=False)


def _switch(call: Call, part: str, *, on: bool) -> Report:
    """Record the choice in workspace.json and follow it at once."""

    def compose(files: Changeset) -> list[FileRow]:
        path = declarations.path_of(call.target)
        before = files.read(path)
        declaration = declarations.load(call.target, files.read).with_opt_out([part], out=not on)
        text = declaration.to_bytes()
        if text is not None and text != before:
            files.write(path, text)
        if on:
            return [converge_part(files, call.target, part, declaration)]
        return [remove_part(files, call.target, part)]

    return _run(call, part, "enabled" if on else "disabled", compose)


def migrate_precommit(call: Call) -> Report:
    """Write the block into prek.toml, and on request take the YAML one out."""

    def compose(files: Changeset) -> list[FileRow]:
        path = call.target / PREK
        before = files.read(path)
        prefix = launch_prefix(declarations.load(call.target, files.read))
        if before is None:
            raise Refusal(
                "no-prek",
                f"there is no {PREK} in this workspace",
                "vaultspec-core spec precommit enable",
                data={"status": "no_prek_config"},
            )
        try:
            after = migrated(before, prefix)
        except Refusal as refusal:
            refusal.data["block"] = block(prefix)
            raise
        if after != before:
            files.write(path, after)
        rows = [FileRow(PREK, "unchanged" if after == before else "updated")]
        return rows + ([remove_part(files, call.target, PRECOMMIT)] if call["remove_yaml"] else [])

    return _run(call, PRECOMMIT, "migrated", compose)


def _run(call: Call, part: str, word: str, compose: Callable[[Changeset], list[FileRow]]) -> Report:
    rows, changes = composed(compose)
    if changes and not call.dry_run:
        with hold(call.target / FRAMEWORK, lock_seconds(call.environ)):
            rows, _ = committed(compose)
    kept = [row for row in rows if row.outcome == "kept"]
    data = {"part": part, "state": word, "files": [row.data() for row in rows], "dry_run": call.dry_run}
    lines: list[Block] = [Line(f"{part} {'would be ' if call.dry_run else ''}{word}")]
    lines += [Line(f"  {row.outcome} {row.path}" + (f": {row.reason}" if row.reason else "")) for row in rows]
    if call["diff"] or call.dry_run:
        shown = diff_of(changes, call.target)
        data["diff"] = shown.text
        lines.append(shown)
    status = "failed" if kept else "unchanged" if call.dry_run or not changes else "updated"
    return Report(status, data, lines, exit_code=FINDINGS if kept else OK)
