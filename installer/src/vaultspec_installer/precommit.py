"""Our hooks in the user's `.pre-commit-config.yaml`: one marked block at the end of `repos:`, spliced into the text.

YAML is parsed only to prove that nothing else changed. With prek.toml present nothing is written here: that program has its own file.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import real_target
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
_ENTRY = rf"^\s*(?:-\s*)?entry:\s*[\"']?(.*?\b{CORE}\b.*?)[\"']?\s*$"
_REPOS = r"repos[ \t]*:[ \t]*(\[[ \t]*\])?[ \t]*(#.*)?$"
_EMPTIED = r"^(repos[ \t]*:)([ \t]*(?:#[^\r\n]*)?)(?=\r?$)"
_PREFIX = rf"(?:uvx --from (?:'[^']+'|[^\s']+)|uv run --no-sync) {CORE}"
_EARLIER_PREFIXES = (f"uvx --from {CORE} {CORE}", f"uv run --no-sync {CORE}")
_EARLIER = (
    "- repo: local",
    "hooks:",
    *("- id: vault-fix", "name: Vault gate", "entry: PREFIX vault check all"),
    *("types:", "- markdown", "language: system", "pass_filenames: false"),
    *(
        "- id: vault-sanitize-annotations",
        "name: Vault sanitize annotations",
        "entry: PREFIX vault sanitize annotations",
    ),
    *("types:", "- markdown", "language: system", "pass_filenames: false"),
    *("- id: check-provider-artifacts", "name: Check provider artifacts", "entry: PREFIX check-providers"),
    *("always_run: true", "language: system", "pass_filenames: false"),
    *("- id: spec-check", "name: Spec check", "entry: PREFIX spec doctor --gate-errors"),
    *("types:", "- markdown", "language: system", "pass_filenames: false"),
)
"""The item that an earlier release wrote, stripped."""


def hook_lines(root: Path, read: Callable[[Path], bytes | None]) -> list[str]:
    """The `entry:` values that start our command, as they stand: evidence of how a workspace runs us."""
    data = read(root / FILE) or b""
    return [match.group(1) for match in re.finditer(_ENTRY, data.decode("utf-8", "replace"), re.MULTILINE)]


def launch_prefix(declaration: Declaration) -> str:
    """How a hook starts our command in the recorded mode of core."""
    record = declaration.package(CORE)
    if record is None or record.mode is Mode.TOOL:
        return f"uvx --from {shlex.quote((record and record.tool_requirement) or CORE)} {CORE}"
    return f"uv run --no-sync {CORE}"


def block(prefix: str, indent: str = "", *, whole: bool = False) -> list[str]:
    """The block's lines, without line ends, as an item of `repos:` at that indent; `whole` brings the `repos:` along."""
    lines = [BEGIN, *(["repos:"] if whole else []), "- repo: local", "  hooks:"]
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
    path = real_target(root / FILE, (root,))
    before = files.read(path)
    if files.read(root / PREK) is not None or (before is None and not os.path.lexists(root / ".git")):
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
    path = real_target(root / FILE, (root,))
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
    """The file with one block of ours; the same bytes when nothing is to be done. It stands at the end of `repos:`, and brings
    the `repos:` along where the file has none.

    Raises Refusal `hooks-kept` with the reason why the file stays as it is.
    """
    text = _decoded(data)
    lines = text.splitlines(keepends=True)
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    span = _span(lines)
    if span is not None:
        said = [line.rstrip("\r\n") for line in lines[span.start : span.end]]
        if said == block(prefix, span.indent, whole=span.whole):
            return data or b""
    document = _load(text)
    if span is None:
        if _ids(document) & {hook.id for hook in HOOKS}:
            raise _kept("it has hooks of vaultspec's names that vaultspec did not write")
        span = _place(document, lines, newline)
    new = [line + newline for line in block(prefix, span.indent, whole=span.whole)]
    if span.start and not lines[span.start - 1].endswith("\n"):
        lines[span.start - 1] += newline
    return _proven(document, "".join([*lines[: span.start], *new, *lines[span.end :]]))


def without_hooks(data: bytes | None) -> bytes | None:
    """The file without our block; None when the block was all of it. Raises Refusal `hooks-kept`."""
    text = _decoded(data)
    lines = text.splitlines(keepends=True)
    span = _span(lines)
    if span is None:
        return data
    document = _load(text)
    above, below = "".join(lines[: span.start]), "".join(lines[span.end :])
    if span.whole and not (above + below).strip().lstrip("\ufeff"):
        return None
    if span.whole and below.lstrip("\r\n").startswith(("-", " ")):
        # Somebody went on with our list: its key stays.
        return _proven(document, f"{above}{lines[span.start + 1]}{below}")
    if span.whole:
        return _proven(document, above + below)
    emptied = re.search(_EMPTIED, above, re.MULTILINE) if not _load(above + below).get("repos") else None
    if emptied:
        above = f"{above[: emptied.end(1)]} []{emptied[2].removeprefix(' ')}{above[emptied.end(2) :]}"
    return _proven(document, above + below)


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
    lists = [repo.get("hooks") for repo in repos]
    hooks = [hook for hooks in lists if isinstance(hooks, list) for hook in hooks if isinstance(hook, dict)]
    return {str(hook.get("id")) for hook in hooks}


class _Span(NamedTuple):
    """Lines `start` to `end` and their indent. `whole`: the `repos:` key is among them."""

    start: int
    end: int
    indent: str
    whole: bool


def _span(lines: list[str]) -> _Span | None:
    """The lines of our block, or of the one that an earlier release wrote without marks. Raises Refusal for a block that is half,
    doubled or edited by hand."""
    said = [line.strip() for line in lines]
    starts = [index for index, line in enumerate(said) if line == BEGIN]
    ends = [index for index, line in enumerate(said) if line == END]
    if not starts and not ends:
        return _earlier(lines, said)
    if len(starts) != 1 or len(ends) != 1 or ends[0] < starts[0]:
        raise _kept("the marks of vaultspec's block are half or doubled")
    start, end = starts[0], ends[0] + 1
    whole = said[start + 1] == "repos:"
    entry = next((line.removeprefix("entry: ") for line in said[start:end] if line.startswith("entry: ")), "")
    prefix = entry.removesuffix(f" {HOOKS[0].command}")
    ours = [line.strip() for line in block(prefix, whole=whole)]
    if said[start:end] != ours or not re.fullmatch(_PREFIX, prefix):
        raise _kept("the block was edited by hand")
    return _Span(start, end, lines[start][: len(lines[start]) - len(lines[start].lstrip())], whole)


def _earlier(lines: list[str], said: list[str]) -> _Span | None:
    for prefix in _EARLIER_PREFIXES:
        wanted = [line.replace("PREFIX", prefix) for line in _EARLIER]
        for start, line in enumerate(said):
            if line == wanted[0] and said[start : start + len(wanted)] == wanted:
                indent = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
                return _Span(start, start + len(wanted), indent, False)
    return None


def _place(document: dict[str, Any], lines: list[str], newline: str) -> _Span:
    """Where the block goes. A `repos: []` loses its brackets."""
    if "repos" not in document:
        return _Span(len(lines), len(lines), "", True)
    for index, line in enumerate(lines):
        match = re.match(_REPOS, line.rstrip("\r\n").lstrip("\ufeff"))
        if match is None:
            continue
        if match[1]:
            lines[index] = line.replace(match[1], "", 1).rstrip() + newline
        last, indent = index, ""
        for number in range(index + 1, len(lines)):
            text = lines[number]
            if text[:1] not in (" ", "\t", "-", "#", "\r", "\n"):
                break
            if text.strip() and not text.lstrip().startswith("#"):
                if last == index:
                    indent = text[: len(text) - len(text.lstrip())]
                last = number
        return _Span(last + 1, last + 1, indent, False)
    raise _kept("its `repos` is written in a way that cannot be added to safely")


def _proven(before: dict[str, Any], text: str) -> bytes:
    """The new text, once it is known to say the same about everything that is not ours."""
    after = _load(text)

    def foreign(document: dict[str, Any]) -> dict[str, Any]:
        ours = {hook.id for hook in HOOKS}
        repos = [repo for repo in document.get("repos") or [] if not (ours & _ids({"repos": [repo]}))]
        return {**document, "repos": repos}

    try:
        same = _same(foreign(after), foreign(before), set())
    except RecursionError:
        same = False
    if not same:
        raise _kept("vaultspec's block cannot be placed without changing something else")
    return text.encode("utf-8")


def _same(left: Any, right: Any, met: set[tuple[int, int]]) -> bool:
    """Equality that looks at each pair once: what stands under many aliases would be compared over and over."""
    if (id(left), id(right)) in met:
        return True
    met.add((id(left), id(right)))
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(_same(left[key], right[key], met) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(_same(a, b, met) for a, b in zip(left, right, strict=True))
    return bool(type(left) is type(right) and left == right)


def _kept(reason: str) -> Refusal:
    return Refusal("hooks-kept", f"left as it is: {reason}", "vaultspec-core spec precommit disable")
