"""The comments that templates write into new documents: the only ones that a repair may take out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import vaultspec_core
from vaultspec_core.report import Refusal
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.template import filled
from vaultspec_core.vault.vault import Vault
from vaultspec_core.workspace import FRAMEWORK

_COMMENT = re.compile(r"<!--(?:[^-]|-(?!->))*+-->")
_PLACEHOLDER = re.compile(r"\{[a-z-]+\}|<[a-z-]+>")


class Comments(NamedTuple):
    """`plain`: comments as they stand, white space collapsed. `templated`: those with placeholders, which each document fills."""

    plain: frozenset[str]
    templated: tuple[str, ...]

    def wrote(self, comment: str, document: Document) -> bool:
        """Whether a template wrote this comment into this document."""
        comment = collapsed(comment)
        if comment in self.plain:
            return True
        if not self.templated:
            return False
        values = {"feature": document.feature, "date": document.date, "tier": document.tier}
        known = {name: value for name, value in values.items() if value}
        return any(collapsed(filled(template, known)) == comment for template in self.templated)


def collapsed(comment: str) -> str:
    return " ".join(comment.split())


def known_comments(vault: Vault) -> Comments:
    """The comments of the templates that we ship and of those that this workspace has."""
    return _read(_shipped() + _own(vault))


@cache
def _shipped() -> tuple[str, ...]:
    folder = Path(vaultspec_core.__file__).parent / "templates"
    return tuple(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md")))


def _own(vault: Vault) -> tuple[str, ...]:
    relative = f"{FRAMEWORK}/templates"
    try:
        found = sorted(name for name in os.listdir(vault.root / relative) if name.endswith(".md"))
    except OSError:
        return ()
    return tuple(_texts(vault, [f"{relative}/{name}" for name in found]))


def _texts(vault: Vault, paths: Iterable[str]) -> Iterable[str]:
    for path in paths:
        try:
            yield (vault.disk.read(vault.path(path)) or b"").decode("utf-8")
        except (Refusal, UnicodeDecodeError):
            continue


@cache
def _read(templates: tuple[str, ...]) -> Comments:
    comments = {collapsed(found) for template in templates for found in _COMMENT.findall(template)}
    templated = {comment for comment in comments if _PLACEHOLDER.search(comment[4:-3])}
    return Comments(frozenset(comments - templated), tuple(sorted(templated)))
