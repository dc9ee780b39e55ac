"""Carry decisions out: record intent, write each host file, confirm. A stop at any instant leaves every file whole.

The next run settles what a stop left: an entry that carries a pending fingerprint is ours and complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from vaultspec_core.changeset import Change, Changeset
from vaultspec_core.files import Disk
from vaultspec_core.lock import hold
from vaultspec_core.report import Refusal
from vaultspec_core.workspace import FRAMEWORK, home_folder, lock_seconds, make_folder
from vaultspec_providers.contract import Scope

from . import ownership as owning
from .committing import until_still
from .decide import Decision, Edit, Wish, decide, edits
from .ownership import Ownership, Record, fingerprint
from .reconcile import Action, Command, Recorded
from .survey import Survey, load_ownership, ownership_path, survey


class Result:
    """What a run did or would do, in the order of targets. `done`: decisions that were written, by target and name."""

    def __init__(
        self, found: Survey, wish: Wish, edits: list[Edit], done: Mapping[tuple[str, str], Decision] | None = None
    ) -> None:
        self.found = found
        self.wish = wish
        self.edits = edits
        self.done = done or {}

    @property
    def decisions(self) -> list[Decision]:
        """Each name's decision; where the run had to start again, the one that wrote."""
        return [
            self.done.get((edit.surveyed.target.key, decision.item.name), decision)
            for edit in self.edits
            if edit.fault is None
            for decision in edit.decisions
        ]

    @property
    def faults(self) -> list[tuple[str, Refusal]]:
        return [(edit.surveyed.target.provider.name, edit.fault) for edit in self.edits if edit.fault is not None]

    @property
    def changes(self) -> list[Change]:
        return [edit.change for edit in self.edits if edit.change is not None]


def preview(
    root: Path,
    environ: Mapping[str, str],
    scope: Scope,
    chosen: str,
    wish: Wish,
    disk: Disk,
    *,
    skip: tuple[str, ...] = (),
) -> Result:
    """What `carry_out` would do. Takes no lock and writes nothing."""
    found = survey(
        root, environ, scope, chosen, Changeset(disk).read, skip=skip, opted_out_too=wish.command is Command.UNINSTALL
    )
    return Result(found, wish, edits(found, decide(found, wish)))


def carry_out(
    root: Path,
    environ: Mapping[str, str],
    scope: Scope,
    chosen: str,
    wish: Wish,
    disk: Disk,
    *,
    skip: tuple[str, ...] = (),
    repair: bool = False,
) -> Result:
    """Survey under the lock, decide, write. A host file that moves under us is read and judged again until the deadline.

    `repair`: set a bad ownership record aside first and rebuild it by equality.
    """
    with ExitStack() as locks:
        lock_for(root, environ, scope, locks)
        if repair:
            set_aside(root, environ, scope, disk)
        done: dict[tuple[str, str], Decision] = {}

        def attempt() -> Result:
            found = survey(
                root,
                environ,
                scope,
                chosen,
                Changeset(disk).read,
                adopting=repair,
                skip=skip,
                opted_out_too=wish.command is Command.UNINSTALL,
            )
            folders = (surveyed.target.path.parent for surveyed in found.targets)
            found.notes += [
                f"{path} was left by an interrupted write; it holds another program's bytes and was kept"
                for path in disk.sweep(found.ownership.path.parent, *folders)
            ]
            made = edits(found, decide(found, wish))
            write(found, made, disk, done)
            return Result(found, wish, made, done)

        return until_still(attempt)


def lock_for(root: Path, environ: Mapping[str, str], scope: Scope, locks: ExitStack) -> None:
    """Take the workspace's lock, and second the user's for anything outside the workspace."""
    seconds = lock_seconds(environ)
    locks.enter_context(hold(root / FRAMEWORK, seconds))
    if scope is not Scope.PROJECT:
        folder = home_folder(environ) / FRAMEWORK
        make_folder(folder, 0o700)
        locks.enter_context(hold(folder, seconds))


def write(found: Survey, made: list[Edit], disk: Disk, done: dict[tuple[str, str], Decision]) -> None:
    """Intent, host files, confirmation. Raises Changed when a host file moved; what was written until then is in `done`
    and proven by its pending fingerprint."""
    record = _Recorder(found.ownership, disk)
    writing = [edit for edit in made if edit.fault is None and edit.change is not None]
    for edit in writing:
        _intend(found, edit)
    if writing:
        record.save()
    for edit in made:
        if edit.fault is not None:
            continue
        if edit.change is not None:
            try:
                _replace(edit.change, disk, found.root)
            except Refusal as refusal:
                for other in made:  # another place in the same file builds on this one
                    if other.change is not None and other.change.path == edit.change.path:
                        other.fault = refusal
                # The file may be new all the same (its folder could not be synced), so that the intent stays on record
                # until the next judgement.
                continue
            for decision in edit.decisions:
                if decision.action in (Action.WRITE, Action.REMOVE):
                    done[(edit.surveyed.target.key, decision.item.name)] = decision
        _confirm(found, edit)
    record.save()


class _Recorder:
    """Writes the ownership file when its text changes."""

    def __init__(self, ownership: Ownership, disk: Disk) -> None:
        self._ownership = ownership
        self._disk = disk
        self._before = disk.read(ownership.path)

    def save(self) -> None:
        if not self._ownership.believed:
            return
        after = self._ownership.to_bytes()
        if after == self._before:
            return
        if after is not None:
            self._disk.write(self._ownership.path, after, expected=self._before, private=True)
        elif self._before is not None:
            self._disk.remove(self._ownership.path, expected=self._before)
        self._before = after


def _record_of(found: Survey, edit: Edit) -> Record:
    """The target's record inside the ownership file; one that was about another place is replaced."""
    target = edit.surveyed.target
    found.ownership.records[target.key] = edit.surveyed.record
    return edit.surveyed.record


def _intend(found: Survey, edit: Edit) -> None:
    record = _record_of(found, edit)
    for decision in edit.decisions:
        if decision.action is Action.WRITE:
            record.pending[decision.item.name] = fingerprint(decision.item.entry)
            if found.scope is not Scope.PROJECT:
                record.owners[decision.item.name] = str(found.root)
        elif decision.action is Action.REMOVE and (mark := record.managed.get(decision.item.name)):
            # Says nothing new; but a record that cannot be written is found out before the host file is touched.
            record.pending[decision.item.name] = mark


def _confirm(found: Survey, edit: Edit) -> None:
    record = _record_of(found, edit)
    for item in edit.surveyed.items:
        if item.name in record.pending and item.side.recorded is Recorded.MATCHES:
            record.managed.setdefault(item.name, fingerprint(item.actual))
    for decision in edit.decisions:
        item, name = decision.item, decision.item.name
        match decision.action:
            case Action.WRITE:
                record.confirm(name, fingerprint(item.entry))
            case Action.RECORD:
                settled = (
                    item.side.recorded is Recorded.MATCHES and name in record.managed and name not in record.pending
                )
                if not settled:
                    record.confirm(name, fingerprint(item.actual))
            case Action.REMOVE | Action.FORGET:
                record.forget(name)
            case Action.SKIP | Action.NOTHING:
                pass
        if decision.action in (Action.WRITE, Action.RECORD) and found.scope is not Scope.PROJECT:
            record.owners[name] = str(found.root)
    record.pending.clear()


def _replace(change: Change, disk: Disk, root: Path) -> None:
    if change.after is not None:
        disk.write(change.path, change.after, expected=change.before, private=change.private)
    elif change.before is not None:
        disk.remove(change.path, expected=change.before)
        if change.path.parent != root and change.path.is_relative_to(root):
            disk.remove_empty(change.path.parent)


def set_aside(root: Path, environ: Mapping[str, str], scope: Scope, disk: Disk) -> None:
    """Keep a bad ownership record as `mcp-ownership.json.bad`, numbered if there is one, and start a new one."""
    path = ownership_path(root, scope, environ)
    data = disk.read(path)
    try:
        load_ownership(root, scope, environ, disk.read)
        return
    except Refusal as refusal:
        if refusal.code != "bad-ownership" or data is None:
            raise
    number = 0
    while (copy := path.with_name(f"{owning.FILE}.bad{number or ''}")) and disk.read(copy) is not None:
        number += 1
    disk.write(copy, data, expected=None, private=True)
    disk.remove(path, expected=data)
