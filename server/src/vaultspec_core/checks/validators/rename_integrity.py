"""`rename-integrity`: a rule, skill or agent of the framework is called what its own frontmatter says."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from vaultspec_core.checks.contract import ERROR, Check, Finding
from vaultspec_core.checks.mending import Mending
from vaultspec_core.checks.survey import Survey
from vaultspec_core.report import Refusal
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.splice import set_scalar
from vaultspec_core.vault.vault import Vault
from vaultspec_core.workspace import FRAMEWORK

NAME = "rename-integrity"

_KINDS = ("agents", "rules", "skills")
_SIZE_LIMIT = 1 << 20


def _files(vault: Vault) -> Iterator[tuple[str, str]]:
    """Path and due name of each rule, skill and agent of the user's; those in `builtin` folders, or so called, are ours."""
    for kind in _KINDS:
        for folder, folders, files in os.walk(vault.root / FRAMEWORK / kind):
            folders[:] = sorted(name for name in folders if name[0] != "." and name != "builtin")
            for name in sorted(files):
                if not name.endswith(".md") or name.endswith(".builtin.md"):
                    continue
                path = Path(folder, name)
                skill = kind == "skills" and name == "SKILL.md"
                if kind != "skills" or skill:
                    due = path.parent.name if skill else name[:-3]
                    yield path.relative_to(vault.root).as_posix(), due


def _text(vault: Vault, relative: str) -> str | None:
    try:
        path = vault.path(relative)
        data = vault.disk.read(path) if path.stat().st_size <= _SIZE_LIMIT else None
        return None if data is None else data.decode("utf-8")
    except (Refusal, OSError, UnicodeDecodeError):
        return None


def _named(text: str, name: str) -> str:
    try:
        return set_scalar(text, "name", name)
    except Refusal:
        return text


def _findings(vault: Vault) -> Iterator[Finding]:
    for relative, due in _files(vault):
        text = _text(vault, relative)
        said = split(text).text("name") if text is not None else None
        if text is not None and said is not None and said != due:
            message = f"the frontmatter says name: {said[:80]}, the file is called {due}"
            yield Finding(NAME, relative, message, ERROR, _named(text, due) != text)


def _mend(survey: Survey, findings: Sequence[Finding], mending: Mending) -> None:
    wanted = {finding.path for finding in findings}
    for relative, due in _files(mending.vault):
        text = _text(mending.vault, relative) if relative in wanted else None
        if text is not None:
            mending.write(relative, text, _named(text, due))


CHECK = Check(NAME, 18, disk=_findings, mend=_mend, everywhere=True)
