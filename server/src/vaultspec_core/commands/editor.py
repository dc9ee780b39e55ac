"""Open a person's editor on a body: only at a terminal, never for a program (CLI-5)."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path

from vaultspec_core.report import USAGE, Refusal
from vaultspec_core.tracked import is_tracked
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK

GATEWAY = "VAULTSPEC_MCP_GATEWAY_INVOCATION"
FALLBACK = "vi"


def editor_command(option: str | None, root: Path, environ: Mapping[str, str]) -> list[str]:
    """The editor and its arguments: `--editor`, `.vaultspec/config.toml`, VAULTSPEC_EDITOR, VISUAL, EDITOR, `vi`.

    Raises Refusal as the setting does.
    """
    said = option or _configured(root, environ)
    for variable in ("VAULTSPEC_EDITOR", "VISUAL", "EDITOR"):
        said = said or environ.get(variable, "").strip()
    return shlex.split(said or FALLBACK)


def _configured(root: Path, environ: Mapping[str, str]) -> str | None:
    """The workspace's setting. Raises Refusal `bad-config`, or `editor-came-along` when it came with the repository."""
    path = root / FRAMEWORK / "config.toml"
    if not path.is_file():
        return None
    import tomllib

    try:
        value = tomllib.loads(path.read_text(encoding="utf-8")).get("editor")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(
            "bad-config", f"{path} is not valid TOML: {error}", "vaultspec-core config unset editor"
        ) from error
    if not isinstance(value, str) or not value.strip():
        return None
    if is_tracked(path, environ):
        raise Refusal(
            "editor-came-along",
            f"{path} is tracked by git, so that its editor, {value!r}, may be anybody's choice and is not started",
            f"Pass --editor, or run: git rm --cached {FRAMEWORK}/config.toml",
        )
    return value


def edited_in_editor(call: Call, text: str, document: Document) -> str:
    """The body as the person left it. Raises Refusal where nobody can edit, or the editor failed."""
    if not call.terminal or call.environ.get(GATEWAY):
        raise Refusal(
            "no-terminal",
            "an editor is opened only at a terminal",
            f"vaultspec-core vault set-body {document.stem} --body-stdin",
            exit_code=USAGE,
        )
    import subprocess

    with tempfile.TemporaryDirectory(prefix="vaultspec-") as folder:
        path = Path(folder, f"{document.stem}.md")
        path.write_text(text[split(text).body_start :].lstrip("\r\n"), encoding="utf-8", newline="")
        command = [*editor_command(call["editor"], call.target, call.environ), str(path)]
        try:
            code = subprocess.run(command, check=False).returncode
        except OSError as error:
            raise Refusal(
                "no-editor", f"{command[0]} cannot be started: {error.strerror}", "Set EDITOR, or pass --editor."
            ) from error
        if code != 0:
            raise Refusal("editor-failed", f"{command[0]} ended with {code}; the document stays as it was")
        return path.read_text(encoding="utf-8")
