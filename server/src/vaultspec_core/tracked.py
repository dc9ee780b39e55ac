"""Whether git tracks a file, told from the index without starting git where that is certain.

What is tracked came with a clone: an ownership record would hand out ownership of files on a machine that it never saw, and an
editor setting would be a command that somebody else chose. Git is asked so that nothing in the clone makes it run a program.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_SAFE = ("-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit")
"""A bare repository that stands in a clone as plain files could bring a program for git to run."""

_UNKNOWN_TO_GIT = 1


def is_tracked(path: Path, environ: Mapping[str, str]) -> bool:
    """True when git tracks the file, or when that cannot be ruled out."""
    try:
        index = _index_of(path.parent)
        if index is None:
            return False
        data = index.read_bytes()
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
    # Version 4 shortens names and the `link` extension keeps them elsewhere: then only git can tell.
    plain = data[:4] == b"DIRC" and int.from_bytes(data[4:8], "big") in (2, 3) and b"link\x00\x00" not in data
    if plain and path.name.lower().encode() not in data.lower():
        return False
    return _ask_git(path, environ)


def _index_of(folder: Path) -> Path | None:
    for candidate in (folder, *folder.parents):
        mark = candidate / ".git"
        if mark.is_dir():
            return mark / "index"
        if mark.is_file():
            # A worktree or submodule: the file names the git folder that holds its own index.
            word, _, place = mark.read_text(encoding="utf-8", errors="replace").strip().partition(": ")
            return (candidate / place / "index") if word == "gitdir" else None
    return None


def _ask_git(path: Path, environ: Mapping[str, str]) -> bool:
    import subprocess

    keep = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
    try:
        answer = subprocess.run(
            ["git", *_SAFE, "-C", str(path.parent), "ls-files", "--error-unmatch", "--", f":(icase){path.name}"],
            env=keep,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=30,
        )
    except (OSError, subprocess.TimeoutExpired):
        return True
    return answer.returncode != _UNKNOWN_TO_GIT
