"""Our hooks in the user's `.pre-commit-config.yaml`: one marked block at the end of `repos:`, spliced into the text.

YAML is parsed only to prove that nothing else changed. With prek.toml present nothing is written here: that program has its own file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.changeset import Changeset
from vaultspec_core.report import Refusal

from .declaration import Declaration
from .framework import FileRow
from .mode import CORE, Mode

FILE = ".pre-commit-config.yaml"
PREK = "prek.toml"
PART = "precommit"
BEGIN = "# >>> vaultspec-managed hooks (do not edit this block) >>>"
END = "# <<< vaultspec-managed hooks <<<"


class Hook(NamedTuple):
    """One commit hook: `command` follows the launch prefix of the install mode."""

    id: str
    name: str
    command: str


HOOKS = (
    Hook("vault-fix", "vault: check and repair documents", "vault check all --fix"),
    Hook("spec-check", "vaultspec: check the workspace", "spec doctor --gate-errors"),
)
_ENTRY = re.compile(rf"^\s*(?:-\s*)?entry:\s*[\"']?(.*?\b{CORE}\b.*?)[\"']?\s*$", re.MULTILINE)
_REPOS = re.compile(r"repos[ \t]*:[ \t]*(\[[ \t]*\])?[ \t]*(#.*)?$")


def hook_lines(root: Path, read: Callable[[Path], bytes | None]) -> list[str]:
    """The `entry:` values that start our command, as they stand: evidence of how a workspace runs us."""
    data = read(root / FILE) or b""
    return [match.group(1) for match in _ENTRY.finditer(data.decode("utf-8", "replace"))]


def launch_prefix(declaration: Declaration) -> str:
    """How a hook starts our command in the recorded mode of core."""
    record = declaration.package(CORE)
    if record is None or record.mode is Mode.TOOL:
        return f"uvx --from {(record and record.tool_requirement) or CORE} {CORE}"
    return f"uv run --no-sync {CORE}"


def block(prefix: str, indent: str) -> list[str]:
    """The block's lines, without line ends, as an item of `repos:` at that indent."""
    lines = [BEGIN, "- repo: local", "  hooks:"]
    for hook in HOOKS:
        lines += [
            f"  - id: {hook.id}",
            f"    name: '{hook.name}'",
            f"    entry: {prefix} {hook.command}",
            "    language: system",
            "    types: [markdown]" if hook.id == "vault-fix" else "    always_run: true",
            "    pass_filenames: false",
        ]
    return [indent + line for line in [*lines, END]]


def converge_hooks(files: Changeset, root: Path, declaration: Declaration) -> FileRow:
    """Put the block in, or bring it up to date. What was edited by hand, cannot be parsed, or has our hooks already stays.

    A new file is made only in a git repository.
    """
    path = root / FILE
    before = files.read(path)
    if files.read(root / PREK) is not None or (before is None and not (root / ".git").exists()):
        return FileRow(FILE, "unchanged")
    try:
        after = with_hooks(before, launch_prefix(declaration))
    except Refusal as refusal:
        return FileRow(FILE, "kept", refusal.message)
    if after == before:
        return FileRow(FILE, "unchanged")
    files.write(path, after)
    return FileRow(FILE, "created" if before is None else "updated")


def remove_hooks(files: Changeset, root: Path) -> FileRow:
    """Take the block out; the file goes when only an empty `repos:` is left of it."""
    path = root / FILE
    before = files.read(path)
    try:
        after = without_hooks(before)
    except Refusal as refusal:
        return FileRow(FILE, "kept", refusal.message)
    if after == before or before is None:
        return FileRow(FILE, "unchanged")
    if after is None:
        files.remove(path)
        return FileRow(FILE, "removed")
    files.write(path, after)
    return FileRow(FILE, "updated")


def with_hooks(data: bytes | None, prefix: str) -> bytes:
    """The file with one block of ours at the end of `repos:`; the same bytes when nothing is to be done.

    Raises Refusal `hooks-kept` with the reason why the file stays as it is.
    """
    text = _decoded(data)
    lines = text.splitlines(keepends=True)
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    span = _span(lines)
    if span is not None:
        start, end = span
        _demand_untouched(lines[start:end])
        indent = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
        if [line.rstrip("\r\n") for line in lines[start:end]] == block(prefix, indent):
            return data or b""
    document = _load(text)
    if span is None:
        if {hook.id for hook in HOOKS} <= _ids(document):
            return data or b""
        lines, start, indent = _place(lines, newline)
        end = start
    new = [line + newline for line in block(prefix, indent)]
    if start and not lines[start - 1].endswith("\n"):
        lines[start - 1] += newline
    return _proven(document, "".join([*lines[:start], *new, *lines[end:]]))


def without_hooks(data: bytes | None) -> bytes | None:
    """The file without our block; None when nothing but an empty `repos:` is left. Raises Refusal `hooks-kept`."""
    text = _decoded(data)
    lines = text.splitlines(keepends=True)
    span = _span(lines)
    if span is None:
        return data
    document = _load(text)
    _demand_untouched(lines[span[0] : span[1]])
    rest = "".join([*lines[: span[0]], *lines[span[1] :]])
    if rest.strip().lstrip("\ufeff") in ("repos:", ""):
        return None
    match = re.search(r"^repos[ \t]*:[ \t]*(?=\r?$)", rest, re.MULTILINE)
    if match and not _load(rest).get("repos"):
        rest = f"{rest[: match.end()]} []{rest[match.end() :]}"
    return _proven(document, rest)


def _decoded(data: bytes | None) -> str:
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise _kept("it is not UTF-8") from error


def _load(text: str) -> dict[str, Any]:
    import yaml

    try:
        document = yaml.safe_load(text.lstrip("\ufeff")) if text.strip() else {}
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        raise _kept(f"it is not YAML{f' (line {mark.line + 1})' if mark else ''}") from error
    if document is None:
        return {}
    if not isinstance(document, dict) or not isinstance(document.get("repos") or [], list):
        raise _kept("it has no list of repositories")
    return document


def _ids(document: dict[str, Any]) -> set[str]:
    repos = [repo for repo in document.get("repos") or [] if isinstance(repo, dict) and repo.get("repo") == "local"]
    hooks = [hook for repo in repos for hook in repo.get("hooks") or [] if isinstance(hook, dict)]
    return {str(hook.get("id")) for hook in hooks}


def _span(lines: list[str]) -> tuple[int, int] | None:
    """The lines of our block, markers included. Raises Refusal for a block without its end, or two of them."""
    starts = [index for index, line in enumerate(lines) if line.strip() == BEGIN]
    ends = [index for index, line in enumerate(lines) if line.strip() == END]
    if not starts and not ends:
        return None
    if len(starts) != 1 or len(ends) != 1 or ends[0] < starts[0]:
        raise _kept("the marks of vaultspec's block are half or doubled")
    return starts[0], ends[0] + 1


def _demand_untouched(lines: list[str]) -> None:
    """Raises Refusal when the block is not one that we write: its launch prefix and indent may differ, nothing else."""
    said = [line.strip() for line in lines]
    entry = next((line.removeprefix("entry: ") for line in said if line.startswith("entry: ")), "")
    prefix = entry.removesuffix(f" {HOOKS[0].command}")
    if said != [line.strip() for line in block(prefix, "")]:
        raise _kept("the block was edited by hand")


def _place(lines: list[str], newline: str) -> tuple[list[str], int, str]:
    """The lines, with a `repos:` that can take an item, where the new item goes, and its indent."""
    for index, line in enumerate(lines):
        match = _REPOS.match(line.rstrip("\r\n").lstrip("\ufeff"))
        if match is None:
            continue
        if match.group(1):
            lines[index] = line.replace(match.group(1), "", 1).rstrip() + newline
        last, indent = index, ""
        for number in range(index + 1, len(lines)):
            text = lines[number]
            if text[:1] not in (" ", "\t", "-", "#", "\r", "\n"):
                break
            if text.strip() and not text.lstrip().startswith("#"):
                if last == index:
                    indent = text[: len(text) - len(text.lstrip())]
                last = number
        return lines, last + 1, indent
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline
    return [*lines, f"repos:{newline}"], len(lines) + 1, ""


def _proven(before: dict[str, Any], text: str) -> bytes:
    """The new text, once it is known to say the same about everything that is not ours."""
    after = _load(text)

    def foreign(document: dict[str, Any]) -> dict[str, Any]:
        ours = {hook.id for hook in HOOKS}
        repos = [repo for repo in document.get("repos") or [] if not (ours & _ids({"repos": [repo]}))]
        return {**document, "repos": repos}

    if foreign(after) != foreign(before):
        raise _kept("vaultspec's block cannot be placed without changing something else")
    return text.encode("utf-8")


def _kept(reason: str) -> Refusal:
    return Refusal("hooks-kept", f"left as it is: {reason}", "vaultspec-core spec precommit disable")
