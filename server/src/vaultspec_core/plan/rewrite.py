"""Read a document of the vault, make a new text of it and write that, under one lock, so that no edit of anybody is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Changed
from vaultspec_core.report import Refusal
from vaultspec_core.vault.document import demand_fitting
from vaultspec_core.vault.stamp import stamped
from vaultspec_core.vault.vault import Vault

T = TypeVar("T")

_ATTEMPTS = 10
"""How often a file that another program keeps changing is read again."""


def rewrite(vault: Vault, relative: str, compose: Callable[[str | None], tuple[str, T]]) -> T:
    """Let `compose` make the new text of a document (from None: there is no such file) and give what it answers.

    The caller holds the vault's lock. A text that is not the old one gets a fresh stamp and is written at once. Raises Refusal
    `not-utf8`, `too-large`, `busy`, and those of `compose` and of the file system; the file is then whole and unchanged.
    """
    path = vault.path(relative)
    for _ in range(_ATTEMPTS):
        files = Changeset(vault.disk)
        data = files.read(path)
        old = None if data is None else decoded(relative, data)
        new, answer = compose(old)
        if new == old:
            return answer
        data = stamped(new, vault.today()).encode("utf-8")
        demand_fitting(data)
        files.write(path, data)
        try:
            files.commit()
        except Changed:
            continue
        vault.corpus.put(relative, data)
        return answer
    raise Refusal(
        "busy", f"{relative} is being changed by another program all the time", "Try again when it has ended."
    )


def decoded(relative: str, data: bytes) -> str:
    """The text of a document. Raises Refusal `not-utf8`."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refusal(
            "not-utf8", f"{relative} is no UTF-8 (line {line}) and is not edited", "Save it as UTF-8."
        ) from error


def existing(relative: str, text: str | None) -> str:
    """The text of a document that must be there. Raises Refusal `gone`."""
    if text is None:
        raise Refusal("gone", f"{relative} was deleted a moment ago")
    return text
