"""`config get | set | unset | list`: settings of the workspace, each written without touching anything else in the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Changed, Disk
from vaultspec_core.lock import hold
from vaultspec_core.report import FINDINGS, USAGE, Block, Line, Refusal, Report
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK, lock_seconds

from ..narrate import diff as diff_of

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

FILE = "config.toml"
SETTINGS = ("editor",)


def list_settings(call: Call) -> Report:
    """Every setting; null for one that is not set."""
    document = _document(Disk().read(_path(call)), _path(call))
    values = {key: _value(document, key, _path(call)) for key in SETTINGS}
    lines = [Line(f"{key} = {value}" if value is not None else f"{key} is not set") for key, value in values.items()]
    return Report("ok", {"settings": values}, lines)


def get(call: Call) -> Report:
    """One setting."""
    key = call["key"]
    value = _value(_document(Disk().read(_path(call)), _path(call)), key, _path(call))
    if value is None:
        return Report("ok", {"key": key, "value": None}, [Line(f"{key} is not set")], exit_code=FINDINGS)
    return Report("ok", {"key": key, "value": value}, [Line(value)])


def set_setting(call: Call) -> Report:
    """Write one setting."""
    value = call["value"]
    if not value.strip() or not value.isprintable():
        raise Refusal("usage", "the value must be one line that says something", exit_code=USAGE)
    return _write(call, value)


def unset(call: Call) -> Report:
    """Take one setting out; the file goes with the last thing in it."""
    return _write(call, None)


def _path(call: Call) -> Path:
    return call.target / FRAMEWORK / FILE


def _document(data: bytes | None, path: Path) -> TOMLDocument:
    """The file as it stands. Raises Refusal `bad-config`."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse((data or b"").decode("utf-8"))
    except (UnicodeDecodeError, TOMLKitError) as error:
        raise Refusal(
            "bad-config", f"{path} is not valid TOML: {error}", f"Correct it by hand, or: rm {path}"
        ) from error


def _value(document: TOMLDocument, key: str, path: Path) -> str | None:
    value: Any = document.get(key)
    if value is None or isinstance(value, str):
        return None if value is None else str(value)
    raise Refusal("bad-config", f"{path}: `{key}` is no string", f"vaultspec-core config unset {key}")


def _write(call: Call, value: str | None) -> Report:
    key, path = call["key"], _path(call)

    def compose() -> Changeset:
        files = Changeset(Disk())
        before = files.read(path)
        document = _document(before, path)
        if value is None:
            document.pop(key, None)
        elif document.get(key) != value:
            document[key] = value
        after = document.as_string().encode("utf-8")
        if before is not None and not after.strip():
            files.remove(path)
        elif after != (before or b""):
            files.write(path, after)
        return files

    changes = compose().changes()
    if changes and not call.dry_run:
        try:
            with hold(call.target / FRAMEWORK, lock_seconds(call.environ)):
                changes = compose().commit()
        except Changed as error:
            raise Refusal(
                "changed", f"{error.path} changed while it was being written", "Run the command again."
            ) from error
    said = f"{key} {'unset' if value is None else f'set to {value}'}" if changes else f"{key} is so already"
    body: list[Block] = [Line(f"would be done: {said}" if call.dry_run and changes else said)]
    data: dict[str, Any] = {"key": key, "value": value, "dry_run": call.dry_run}
    if call["diff"]:
        shown = diff_of(changes, call.target)
        data["diff"] = shown.text
        body.append(shown)
    return Report("updated" if changes and not call.dry_run else "unchanged", data, body)
