"""What other documents' validators want to know of a document beyond its record."""

from __future__ import annotations

import re
from sys import intern
from typing import NamedTuple

from vaultspec_core.checks.page import Page
from vaultspec_core.plan.grammar import parse as parse_plan
from vaultspec_core.plan.ledger import evidence
from vaultspec_core.plan.ledger import parse as parse_ledger
from vaultspec_core.plan.model import Plan

_APPROVED = re.compile(r"Approved \d{4}-\d\d-\d\d[ \t]*\r?\n?\Z")


class Steps(NamedTuple):
    """The steps of a plan: closed and open ones in its order, and those that are gone."""

    closed: tuple[str, ...]
    opened: tuple[str, ...]
    retired: frozenset[str]


class Standing(NamedTuple):
    """`approved`: a plan whose description begins with its approval. `superseded`: the frontmatter names a successor.

    `steps`: of a plan. `recorded`: the steps that a ledger has rows of.
    """

    approved: bool = False
    superseded: bool = False
    steps: Steps | None = None
    recorded: tuple[str, ...] = ()


_PLAIN = Standing()


def standing(page: Page) -> Standing:
    match page.document.type:
        case "plan":
            approved = "\nApproved " in page.body and _approved(page)
            return Standing(approved, steps=_steps(parse_plan(page.structure, page.front.text("tier"))))
        case "exec":
            return Standing(recorded=tuple(map(intern, evidence(parse_ledger(page.structure).rows))))
        case _:
            return Standing(superseded=True) if page.front.texts("superseded_by") else _PLAIN


def _steps(plan: Plan) -> Steps:
    closed = tuple(intern(step.id) for step in plan.steps if step.checked)
    return Steps(closed, tuple(intern(step.id) for step in plan.steps if not step.checked), plan.retired)


def _approved(page: Page) -> bool:
    structure = page.structure
    for heading in structure.headings:
        if heading.level == 2 and heading.text == "Description":
            for number in structure.section(heading):
                if not structure.opaque(number) and structure.lines[number].strip():
                    return _APPROVED.match(structure.lines[number]) is not None
    return False
