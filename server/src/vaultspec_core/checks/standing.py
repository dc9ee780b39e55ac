"""What other documents' validators want to know of a document beyond its record."""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultspec_core.checks.page import Page

_APPROVED = re.compile(r"Approved \d{4}-\d\d-\d\d[ \t]*\r?\n?\Z")


class Standing(NamedTuple):
    """`approved`: a plan whose description begins with its approval. `superseded`: the frontmatter names a successor."""

    approved: bool = False
    superseded: bool = False


_PLAIN = Standing()


def standing(page: Page) -> Standing:
    approved = page.document.type == "plan" and "\nApproved " in page.body and _approved(page)
    superseded = bool(page.front.texts("superseded_by"))
    return Standing(approved, superseded) if approved or superseded else _PLAIN


def _approved(page: Page) -> bool:
    structure = page.structure
    for heading in structure.headings:
        if heading.level == 2 and heading.text == "Description":
            for number in structure.section(heading):
                if not structure.opaque(number) and structure.lines[number].strip():
                    return _APPROVED.match(structure.lines[number]) is not None
    return False
