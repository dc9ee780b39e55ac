"""Where the workspace is: `--target`, then VAULTSPEC_TARGET_DIR, then the current directory or its nearest parent that holds one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from vaultspec_core.report import Refusal

FRAMEWORK = ".vaultspec"
VAULT = ".vault"
TARGET_VARIABLE = "VAULTSPEC_TARGET_DIR"
LOCK_VARIABLE = "VAULTSPEC_LOCK_TIMEOUT_SECONDS"
LOCK_SECONDS = 120.0


def lock_seconds(environ: Mapping[str, str]) -> float:
    """How long a command waits for a lock: what the variable says, else LOCK_SECONDS. Raises Refusal `bad-variable`."""
    said = environ.get(LOCK_VARIABLE, "").strip()
    if not said:
        return LOCK_SECONDS
    try:
        seconds = float(said)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e6:
        raise Refusal("bad-variable", f"{LOCK_VARIABLE} is not a number of seconds: {said!r}", f"unset {LOCK_VARIABLE}")
    return seconds


def home_folder(environ: Mapping[str, str]) -> Path:
    """The user's home as an absolute, existing folder. Raises Refusal `home-unusable`: nothing may be written by guess."""
    value = environ.get("HOME", "") or environ.get("USERPROFILE", "")
    if not value:
        raise Refusal("home-unusable", "HOME is not set", "Set HOME to your home folder and run the command again.")
    home = Path(value)
    if not home.is_absolute():
        raise Refusal("home-unusable", f"HOME is a relative path: {value!r}", "Set HOME to an absolute path.")
    if not home.is_dir():
        raise Refusal("home-unusable", f"HOME does not exist: {home}", "Set HOME to an existing folder.")
    return home


def holds_workspace(folder: Path, environ: Mapping[str, str]) -> bool:
    """Whether the folder holds `.vaultspec/` itself, not a link that leads out of it; the user's own `~/.vaultspec` is state, never a workspace."""
    framework = folder / FRAMEWORK
    if not os.path.isdir(framework) or not Path(os.path.realpath(framework)).is_relative_to(os.path.realpath(folder)):
        return False
    home = environ.get("HOME", "") or environ.get("USERPROFILE", "")
    return not (home and Path(home).is_absolute() and _same(folder, Path(home)))


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder and its parents; no fault if it is there. Raises Refusal `unwritable`."""
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error.__class__.__name__
        hint = "Mend the permissions or the disk and run the command again."
        raise Refusal("unwritable", f"{folder} cannot be made: {reason}", hint) from error


def _as_text(folder: Path) -> Path:
    """The folder, if its path can be written down. Raises Refusal `path-not-utf8`."""
    try:
        str(folder).encode("utf-8")
    except UnicodeEncodeError as error:
        hint = "Rename the folder; records and clients' files hold its path as text."
        raise Refusal("path-not-utf8", f"{str(folder)!r} is not UTF-8", hint) from error
    return folder


def _same(left: Path, right: Path) -> bool:
    try:
        return left.samefile(right)
    except OSError:
        return False


def demand_inside(root: Path) -> Path:
    """The root itself. Raises Refusal `link-outside` when `.vaultspec`, or a folder directly in it, is a link that leaves the workspace.

    A repository can bring such a link along; what we write below would land there.
    """
    framework = root / FRAMEWORK
    try:
        with os.scandir(framework) as entries:
            links = [Path(entry.path) for entry in entries if entry.is_symlink() and entry.is_dir()]
    except OSError:
        links = []
    for path in (framework, *links):
        if path.is_symlink() and not path.resolve().is_relative_to(root):
            raise Refusal(
                "link-outside",
                f"{path} is a link that leaves the workspace, to {path.resolve()}",
                "Put the folder itself in its place.",
            )
    return root


def target_folder(option: str | None, environ: Mapping[str, str], start: Path) -> Path:
    """The real path of the folder that a command acts on when it does not look in parents (`install`). Raises Refusal `link-outside`."""
    return demand_inside(_as_text((start / Path(option or environ.get(TARGET_VARIABLE) or ".")).resolve()))


def find_workspace(option: str | None, environ: Mapping[str, str], start: Path) -> Path:
    """The real path of the workspace root. Raises Refusal `no-workspace`, `link-outside`.

    A named folder must itself be one. Otherwise the search goes up from `start` and stops at the repository's root,
    which is where a `.git` folder or file stands. A workspace further up that belongs to another user of the machine is
    passed over: a shared folder such as `/tmp` must not decide for whoever works below it.
    """
    named = option or environ.get(TARGET_VARIABLE)
    if named:
        root = _as_text((start / named).resolve())
        if holds_workspace(root, environ):
            return demand_inside(root)
        source = "--target" if option else TARGET_VARIABLE
        what = "holds no workspace" if root.is_dir() else "does not exist"
        raise Refusal("no-workspace", f"{root} ({source}) {what}", f"vaultspec-core install --target {root}")
    folder = _as_text(start.resolve())
    for candidate in (folder, *folder.parents):
        if holds_workspace(candidate, environ) and (candidate == folder or _is_own(candidate / FRAMEWORK)):
            return demand_inside(candidate)
        if os.path.lexists(candidate / ".git"):
            break
    raise Refusal("no-workspace", f"no workspace in {folder} or above it", "vaultspec-core install --mode tool")


def _is_own(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
