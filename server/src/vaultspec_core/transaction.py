"""Change several files together: all of them or none, also when the process is killed in between.

The journal says what every file was and what it is to be. It stands from before the first file is touched until after
the last one; whoever finds it finishes what it says. It is `FOLDER/data/NAME` and speaks of files in FOLDER alone, because a
repository can bring a journal along: it must not reach further than the documents that come with it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from vaultspec_core.exchange import Changed
from vaultspec_core.files import Change, Disk
from vaultspec_core.report import Refusal

_VERSION = 1


def carry_out(disk: Disk, changes: Sequence[Change], journal: Path) -> None:
    """Make all changes or none. The caller holds the lock of the folder.

    Raises Changed when a file is not what it was, Refusal when the system refuses one; what was done by then is undone. If
    even that is refused, the Refusal is `half-done`, and `recover` finishes the change.
    """
    recover(disk, journal)
    for change in changes:
        if not change.path.is_relative_to(_folder(journal)):
            raise Refusal(
                "link-outside",
                f"{change.path} lies outside {_folder(journal)} and cannot be changed together with files in it",
                "Put the file itself in the place of the link that leads there.",
            )
    for change in changes:
        if disk.read(change.path) != change.before:
            raise Changed(change.path)
    record = _to_bytes(changes, journal)
    disk.write(journal, record, expected=None)
    try:
        for change in changes:
            disk.apply(change)
    except (Changed, Refusal):
        _undo(disk, changes, journal)
        disk.remove(journal, expected=record)
        raise
    disk.remove(journal, expected=record)


def recover(disk: Disk, journal: Path) -> list[Path]:
    """Finish a change that was cut short; without a journal do nothing. The caller holds the lock of the folder.

    Gives the files that it left alone because they are neither what they were nor what they were to be: somebody else
    changed them since. Raises Refusal `bad-journal`, `half-done`.
    """
    disk.sweep(journal.parent)
    record = disk.read(journal)
    if record is None:
        return []
    changes = _from_bytes(record, journal)
    disk.sweep(*(change.path.parent for change in changes))
    try:
        left = _make(disk, changes)
        disk.remove(journal, expected=record)
    except Refusal as refusal:
        raise _half_done(journal, refusal) from refusal
    return left


def _make(disk: Disk, changes: Sequence[Change]) -> list[Path]:
    """Apply what is not applied yet. Gives the files that are neither before nor after."""
    left = []
    for change in changes:
        if disk.read(change.path) == change.after:
            continue
        try:
            disk.apply(change)
        except Changed:
            left.append(change.path)
    return left


def _undo(disk: Disk, changes: Sequence[Change], journal: Path) -> None:
    back = [Change(change.path, change.after, change.before, change.private) for change in reversed(changes)]
    try:
        _make(disk, back)
    except Refusal as refusal:
        raise _half_done(journal, refusal) from refusal


def _half_done(journal: Path, refusal: Refusal) -> Refusal:
    return Refusal(
        "half-done",
        f"{refusal.message}; the change that {journal} records is half done",
        f"{refusal.hint} That finishes it." if refusal.hint else None,
    )


def _to_bytes(changes: Sequence[Change], journal: Path) -> bytes:
    import json

    files = [
        {
            "path": change.path.relative_to(_folder(journal)).as_posix(),
            "before": _encoded(change.before),
            "after": _encoded(change.after),
            "private": change.private,
        }
        for change in changes
    ]
    return json.dumps({"version": _VERSION, "files": files}, indent=1).encode() + b"\n"


def _from_bytes(record: bytes, journal: Path) -> list[Change]:
    import json

    try:
        document = json.loads(record)
        if document["version"] != _VERSION:
            raise ValueError("another version")
        return [_change(file, journal) for file in document["files"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Refusal(
            "bad-journal",
            f"{journal} is no record of a change that can be finished",
            "Move it away and run the command again.",
        ) from error


def _change(file: Any, journal: Path) -> Change:
    relative = PurePosixPath(file["path"])
    path = _folder(journal) / relative
    # A hidden folder is never a document's: a vault that is a repository of its own keeps what git runs in one.
    hidden = any(part.startswith(".") for part in relative.parts)
    if hidden or relative.is_absolute() or os.path.realpath(path) != str(path):
        raise ValueError("outside the folder")
    return Change(path, _decoded(file["before"]), _decoded(file["after"]), bool(file["private"]))


def _folder(journal: Path) -> Path:
    return journal.parent.parent


def _encoded(data: bytes | None) -> str | None:
    from base64 import b64encode

    return None if data is None else b64encode(data).decode()


def _decoded(text: str | None) -> bytes | None:
    from base64 import b64decode

    return None if text is None else b64decode(text, validate=True)
