"""Which commands of a workspace an operator has approved: on this machine, for these bytes, in this folder.

Hook and trigger files come along with a repository, so the approval cannot lie in it. It stands in this machine's state
folder, keyed by the workspace's real path, and is bound to a digest of each file: any change of either ends it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from vaultspec_core.files import Changed, Disk
from vaultspec_core.lock import hold
from vaultspec_core.report import Refusal
from vaultspec_core.state import state_folder
from vaultspec_core.workspace import lock_seconds

from .digest import digest

FILE = "trust.json"

Standing = Literal["trusted", "untrusted", "changed"]


def approvals(root: Path, environ: Mapping[str, str], read: Callable[[Path], bytes | None]) -> Mapping[str, str]:
    """Digests by `hooks/NAME` or `triggers/NAME` that were approved in the workspace. Raises Refusal `bad-trust`, `trust-inside`."""
    path = _path(root, environ)
    return _parsed(path, read(path)).get(str(root), {})


def standing(approved: Mapping[str, str], key: str, data: bytes) -> Standing:
    """How an approval and the file's bytes stand to each other."""
    if key not in approved:
        return "untrusted"
    return "trusted" if approved[key] == digest(data) else "changed"


def record(root: Path, environ: Mapping[str, str], changes: Mapping[str, str | None]) -> bool:
    """Approve digests by key, or with None withdraw them. Says whether anything changed. The caller has asked a person."""
    path = _path(root, environ)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    disk = Disk()
    with hold(path.parent, lock_seconds(environ)):
        before = disk.read(path)
        workspaces = _parsed(path, before)
        old = workspaces.pop(str(root), {})
        new = {key: mark for key, mark in {**old, **changes}.items() if mark is not None}
        if new == old:
            return False
        if new:
            workspaces[str(root)] = new
        text = json.dumps({"version": 1, "workspaces": workspaces}, indent=2, sort_keys=True) + "\n"
        try:
            disk.write(path, text.encode(), expected=before, private=True)
        except Changed as moved:
            raise Refusal("busy", f"{path} was being changed by another program", "Run the command again.") from moved
        return True


def _path(root: Path, environ: Mapping[str, str]) -> Path:
    """Raises Refusal where the file would lie in the workspace, for then a repository could bring its own approval along."""
    folder = state_folder(environ).resolve()
    if folder.is_relative_to(root):
        raise Refusal(
            "trust-inside",
            f"the state folder {folder} lies in the workspace, which cannot vouch for itself",
            "Set VAULTSPEC_STATE_DIR to a folder outside of it.",
        )
    return folder / FILE


def _parsed(path: Path, data: bytes | None) -> dict[str, dict[str, str]]:
    if data is None:
        return {}
    try:
        document = json.loads(data)
        if document["version"] != 1:
            raise ValueError("another version")
        return {
            root: {str(key): str(mark) for key, mark in said.items()} for root, said in document["workspaces"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Refusal(
            "bad-trust", f"{path} is no record of approvals that can be used", "Move it away and trust again."
        ) from error
