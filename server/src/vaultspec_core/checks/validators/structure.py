"""`structure`: only folders of the vault at its top, file names that say date, feature and type, and no links that are not followed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from vaultspec_core.checks.contract import ERROR, WARNING, Check, Finding
from vaultspec_core.checks.mending import Mending
from vaultspec_core.checks.survey import Survey
from vaultspec_core.vault import names
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.vault import Vault
from vaultspec_core.vault.walk import LINKED

NAME = "structure"

_FOLDERS = frozenset((*names.TYPES, *names.RUNTIME_FOLDERS, names.ARCHIVE))
_OTHER = re.compile(r"[^a-z0-9]+")


def _documents(survey: Survey) -> Iterator[Finding]:
    renames = _renames(survey)
    for relative, document in survey.corpus.documents.items():
        name = relative.rpartition("/")[2]
        if document.type == names.UNKNOWN:
            yield Finding(NAME, relative, "the document lies in no folder of a type", ERROR)
        elif document.type == "index" and not relative.startswith(f"{names.VAULT}/index/"):
            yield Finding(NAME, relative, "a feature index lies outside `index/`", WARNING)
        elif not names.name_fits(document.type, name):
            new = renames.get(relative)
            due = f"; it should be {new.rpartition('/')[2]}" if new else ""
            yield Finding(NAME, relative, f"the file name does not fit its type {document.type}{due}", ERROR, bool(new))
    for stray in sorted(survey.corpus.strays):
        if stray.problem.code == LINKED:
            yield Finding(NAME, stray.path, stray.problem.message, WARNING)


def _top(vault: Vault) -> Iterator[Finding]:
    try:
        entries = sorted(os.scandir(vault.folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        name = entry.name.encode("utf-8", "replace").decode("utf-8")
        if name[0] == "." or (name.lower() == "readme.md" and entry.is_file()) or name.endswith(".md"):
            continue
        if entry.is_dir(follow_symlinks=False):
            if name not in _FOLDERS:
                yield Finding(NAME, f"{names.VAULT}/{name}", "the vault has no such folder", ERROR)
        elif name not in _FOLDERS:
            yield Finding(NAME, f"{names.VAULT}/{name}", "this does not belong at the top of the vault", ERROR)


def _renames(survey: Survey) -> dict[str, str]:
    """The path that each badly named document should have, where that is free and no guess."""
    wrong = [
        document
        for document in survey.corpus.documents.values()
        if document.type not in (names.UNKNOWN, "index")
        and not names.name_fits(document.type, document.relative.rpartition("/")[2])
    ]
    taken: set[str] = set(survey.corpus.archived)
    renames: dict[str, str] = {}
    for document in wrong:
        stem = _stem(document, survey.today)
        own = (document,) if stem and stem.casefold() == document.stem.casefold() else ()
        if stem is None or stem in taken or survey.corpus.stems.get(stem.casefold(), own) != own:
            continue
        taken.add(stem)
        renames[document.relative] = f"{document.relative.rpartition('/')[0]}/{stem}.md"
    return renames


def _stem(document: Document, today: str) -> str | None:
    """The stem in lower case and hyphens, with date and type where they lack; None when it names another type."""
    plain = _OTHER.sub("-", document.stem.lower()).strip("-")
    if not plain.isascii() or not plain:
        return None
    tail = plain.rpartition("-")[2]
    if tail in names.TYPES and tail != document.type:
        return None
    if names.date_in_name(plain) is None and not names.is_day(plain):
        date = document.date if document.date and names.is_day(document.date) else today
        plain = f"{date}-{plain}"
    candidates = [plain] if document.type == "exec" else [plain, f"{plain}-{document.type}"]
    fitting = (stem for stem in candidates if names.name_fits(document.type, f"{stem}.md"))
    return next((stem for stem in fitting if len(stem) <= names.STEM_LIMIT), None)


def _mend(survey: Survey, findings: Sequence[Finding], mending: Mending) -> None:
    wanted = {finding.path for finding in findings}
    mending.rename({old: new for old, new in _renames(survey).items() if old in wanted})


CHECK = Check(NAME, 1, vault=_documents, disk=_top, mend=_mend, everywhere=True)
