"""`spec rules | skills | agents | system ...`: the user's own Markdown files in the framework folder.

They are kept, listed and renamed here. Nothing renders them into a client's folders: no client declares a place for them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.changeset import Changeset, unified_diff
from vaultspec_core.commands.editor import GATEWAY, editor_command
from vaultspec_core.dry_run import DryDisk
from vaultspec_core.files import Changed, Disk, real_target
from vaultspec_core.lock import hold
from vaultspec_core.report import USAGE, Block, Diff, Line, Refusal, Report, Table
from vaultspec_core.vault import names
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.splice import set_scalar
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK, lock_seconds

SKILL = "SKILL.md"
NOT_RENDERED = "no client has a place for them, so nothing is rendered"


class Resource(NamedTuple):
    """One file of a kind. `name`: of the file, or for a skill of its folder."""

    name: str
    root: Path
    relative: str

    @property
    def path(self) -> Path:
        """The file itself, links followed. Raises Refusal `link-outside`, `link-loop`."""
        return real_target(self.root / self.relative, (self.root,))


def list_resources(call: Call) -> Report:
    """All of a kind."""
    found = list(_all(call))
    rows = [{"name": one.name, "path": one.relative, "description": _said(one, "description")} for one in found]
    shown = [(row["name"] or "", row["description"] or "", row["path"] or "") for row in rows]
    body: list[Block] = [Table(("NAME", "DESCRIPTION", "FILE"), shown)] if rows else [Line(f"No {_kind(call)}.", "dim")]
    hint = None if rows else ("Add one:", f"vaultspec-core spec {_kind(call)} add my-name")
    return Report("unchanged", {"items": rows, "total": len(rows)}, body, hint=hint)


def show(call: Call) -> Report:
    """One file's text; of `system` all of them."""
    chosen = [_named(call, call["name"])] if "name" in call.options else list(_all(call))
    texts = {one.relative: _text(one) for one in chosen}
    if "name" in call.options:
        data: dict[str, Any] = {
            "name": chosen[0].name,
            "path": chosen[0].relative,
            "content": texts[chosen[0].relative],
        }
    else:
        data = {"files": [{"name": one.name, "path": one.relative, "content": texts[one.relative]} for one in chosen]}
    body: list[Block] = [Line(line) for text in texts.values() for line in text.splitlines()]
    if not chosen:
        body = [Line(f"No {_kind(call)} files.", "dim")]
        return Report("unchanged", data, body, hint=("They are:", f"{FRAMEWORK}/{_kind(call)}/*.md"))
    return Report("unchanged", data, body)


def add(call: Call) -> Report:
    """A new file, from text or from another file; without either a heading."""
    if call["body"] is not None and call["from_file"]:
        raise Refusal("usage", "give one of --body and --from-file", exit_code=USAGE)
    name = names.valid_tag(call["name"], "name")
    place = _place(call, name)
    data = _composed(call, name)
    disk = _disk(call)
    with hold(call.target / FRAMEWORK, lock_seconds(call.environ)):
        before = disk.read(place.path)
        if before is not None and before != data and not call["force"]:
            hint = f"vaultspec-core spec {_kind(call)} add {name} --force overwrites it."
            raise Refusal("already-exists", f"{place.relative} exists already", hint)
        if before != data:
            _written(disk, place, data, before)
    word = "updated" if before is not None else "created"
    said = f"{'Would write' if call.dry_run else 'Wrote'} {place.relative}"
    if before == data:
        word, said = "unchanged", f"{place.relative} says that already"
    return _changed(call, disk, word, {"name": name, "path": place.relative}, said)


def edit(call: Call) -> Report:
    """One file in an editor, at a terminal."""
    place = _named(call, call["name"])
    if not call.terminal or call.environ.get(GATEWAY):
        hint = f"vaultspec-core spec {_kind(call)} add {place.name} --from-file FILE --force"
        raise Refusal("no-terminal", "an editor is opened only at a terminal", hint, exit_code=USAGE)
    import subprocess

    before = Disk().read(place.path)
    command = [*editor_command(None, call.target, call.environ), str(place.path)]
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        raise Refusal("no-editor", f"{command[0]} cannot be started: {error.strerror}", "Set EDITOR.") from error
    if code != 0:
        raise Refusal("editor-failed", f"{command[0]} ended with {code}")
    changed = Disk().read(place.path) != before
    said = f"Changed {place.relative}" if changed else f"{place.relative} is as it was"
    return Report("updated" if changed else "unchanged", {"name": place.name, "path": place.relative}, [Line(said)])


def remove(call: Call) -> Report:
    """Delete one file; a skill's other files stay."""
    place = _named(call, call["name"])
    if not (call["yes"] or call["force"]) and not call.ask(f"Delete {place.relative}?"):
        hint = f"vaultspec-core spec {_kind(call)} remove {place.name} --yes"
        raise Refusal("needs-yes", f"{place.relative} was not deleted: nobody confirmed it", hint)
    disk = Disk()
    with hold(call.target / FRAMEWORK, lock_seconds(call.environ)):
        data = disk.read(place.path)
        if data is not None:
            _carried(place, lambda: disk.remove(place.path, expected=data))
    if place.path.name == SKILL:
        disk.remove_empty(place.path.parent)
    return Report(
        "removed", {"removed": place.name, "path": place.relative}, [Line(f"Deleted {place.relative}", "good")]
    )


def rename(call: Call) -> Report:
    """Another name, for the file and in its frontmatter. The new file stands before the old one goes."""
    old, name = _named(call, call["old_name"]), names.valid_tag(call["new_name"], "name")
    new = _place(call, name)
    said = {"old_name": old.name, "new_name": name, "old_path": old.relative, "path": new.relative}
    if old.relative == new.relative:
        return Report("unchanged", said, [Line(f"{old.relative} has that name already", "dim")])
    with hold(call.target / FRAMEWORK, lock_seconds(call.environ)):
        taken = new.path.parent if new.path.name == SKILL else new.path
        if os.path.lexists(taken):
            raise Refusal("name-taken", f"{new.relative} exists already", "Choose another name.")
        if new.path.name == SKILL:
            _moved(old.path.parent, new.path.parent)
            files = Changeset(Disk())
            files.write(new.path, _renamed(_text(new), old.name, name).encode("utf-8"))
        else:
            text = _text(old)
            files = Changeset(Disk())
            files.create(new.path, _renamed(text, old.name, name).encode("utf-8"))
            files.remove(old.path)
        _carried(new, files.commit)
    return Report("updated", said, [Line(f"Renamed {old.relative} to {new.relative}", "good")])


def restore(call: Call) -> Report:
    """There is nothing to restore from: this product ships no prose of its own."""
    raise Refusal(
        "nothing-shipped",
        f"vaultspec-core ships no {_kind(call)}, so {call['filename']} cannot be restored from it",
        f"git checkout -- {FRAMEWORK}/{_kind(call)}",
    )


def status(call: Call) -> Report:
    """How many there are, whose name does not fit, and that no client gets them."""
    found = list(_all(call))
    wrong = [one for one in found if _said(one, "name") not in (None, one.name)]
    data: dict[str, Any] = {
        "count": len(found),
        "names": [one.name for one in found],
        "misnamed": [one.relative for one in wrong],
        "reason": NOT_RENDERED,
    }
    body: list[Block] = [Line(f"{len(found)} {_kind(call)}; {NOT_RENDERED}")]
    body += [Line(f"  {one.relative} says another name of itself", "warn") for one in wrong]
    hint = ("Mend it:", "vaultspec-core vault check rename-integrity --fix") if wrong else None
    return Report("unchanged", data, body, hint=hint)


def sync(call: Call) -> Report:
    """Nothing is rendered, and that is said."""
    count = len(list(_all(call)))
    data: dict[str, Any] = {"provider": call["provider"] or "all", "count": count, "items": []}
    data["reason"] = NOT_RENDERED
    return Report(
        "unchanged", data | {"dry_run": call.dry_run}, [Line(f"{count} {_kind(call)}: {NOT_RENDERED}", "dim")]
    )


def _kind(call: Call) -> str:
    return call.verb.words[1]


def _place(call: Call, name: str) -> Resource:
    inside = f"{name}/{SKILL}" if _kind(call) == "skills" else f"{name}.md"
    relative = f"{FRAMEWORK}/{_kind(call)}/{inside}"
    return Resource(name, call.target, relative)


def _all(call: Call) -> Iterator[Resource]:
    top = call.target / FRAMEWORK / _kind(call)
    try:
        entries = sorted(os.listdir(top))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise Refusal("unreadable", f"{top} cannot be read: {error.strerror}") from error
    for entry in entries:
        if entry[0] == "." or not entry.isprintable():
            continue
        if _kind(call) == "skills":
            if (top / entry / SKILL).is_file():
                yield _place(call, entry)
        elif entry.endswith(".md") and (top / entry).is_file():
            yield _place(call, entry[:-3])


def _named(call: Call, said: str) -> Resource:
    found = list(_all(call))
    wanted = said.removesuffix(".md")
    for one in found:
        if one.name == wanted or one.relative == said:
            return one
    from difflib import get_close_matches

    close = get_close_matches(wanted, [one.name for one in found], 1)
    meant = f"; did you mean {close[0]}?" if close else ""
    noun = "no system file" if _kind(call) == "system" else f"none of the {_kind(call)}"
    hint = f"vaultspec-core spec {_kind(call)} list"
    raise Refusal("unknown-resource", f"{said!r} is {noun} in {FRAMEWORK}/{_kind(call)}{meant}", hint)


def _text(one: Resource) -> str:
    data = Disk().read(one.path)
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal("not-utf8", f"{one.relative} is no UTF-8", "Save it as UTF-8.") from error


def _said(one: Resource, field: str) -> str | None:
    """A field of the frontmatter; None also where the file cannot be read."""
    try:
        return split(_text(one)).text(field)
    except Refusal:
        return None


def _composed(call: Call, name: str) -> bytes:
    if call["from_file"]:
        data = Disk().read(Path(call["from_file"]).absolute())
        if data is None:
            raise Refusal("no-file", f"{call['from_file']} does not exist")
        return data
    text = f"---\nname: {name}\n---\n\n{(call['body'] or f'# {name}').rstrip()}\n"
    if call.options.get("description"):
        text = set_scalar(text, "description", call["description"], ("name",))
    return text.encode("utf-8")


def _renamed(text: str, old: str, new: str) -> str:
    """The text with the new name if it said the old one."""
    return set_scalar(text, "name", new) if split(text).text("name") == old else text


def _moved(old: Path, new: Path) -> None:
    try:
        os.rename(old, new)
    except OSError as error:
        raise Refusal("unwritable", f"{old} cannot be renamed: {error.strerror}") from error


def _disk(call: Call) -> Disk:
    return DryDisk() if call.dry_run else Disk()


def _written(disk: Disk, place: Resource, data: bytes, before: bytes | None) -> None:
    _carried(place, lambda: disk.write(place.path, data, expected=before))


def _carried(place: Resource, act: Any) -> None:
    try:
        act()
    except Changed as moved:
        message = f"{place.relative} was being changed by another program"
        raise Refusal("busy", message, "Run the command again.") from moved


def _changed(call: Call, disk: Disk, word: str, data: dict[str, Any], said: str) -> Report:
    body: list[Block] = [Line(said, "good" if word != "unchanged" else "dim")]
    data["dry_run"] = call.dry_run
    if isinstance(disk, DryDisk):
        data["diff"] = unified_diff(disk.kept.changes(), lambda path: path.relative_to(call.target).as_posix())
        return Report("unchanged", data, [*body, Diff(data["diff"])])
    return Report(word, data, body)
