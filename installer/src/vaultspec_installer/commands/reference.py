"""`spec reference verbs` and `generate`: the verb table for programs, and the marked sections of the documentation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Disk
from vaultspec_core.report import FINDINGS, OK, Line, Refusal, Report, Table
from vaultspec_core.verb import Call, Flag, Verb

from ..reference import SECTIONS
from ..table import all_verbs

MARKED = re.compile(r"(<!-- vaultspec:(\S+) -->\r?\n)(.*?)(<!-- /vaultspec:(\S+) -->)", re.DOTALL)
"""A section of a page: between two comment lines that name it."""


def verbs(call: Call) -> Report:
    """The catalogue of verbs: what each takes, whether it speaks JSON, and why the gateway does not run it (null when it does)."""
    table = [verb for verb in all_verbs() if not verb.hidden]
    rows = [(verb.name, verb.summary) for verb in table]
    return Report("ok", {"verbs": [_entry(verb) for verb in table]}, [Table(("verb", "what it does"), rows)])


def generate(call: Call) -> Report:
    """Write the marked sections of the Markdown files in `docs/` again; with `--check` only say which are out of date (exit 1)."""
    pages = sorted((call.target / "docs").glob("*.md"))
    changes = Changeset(Disk())
    marked = [page for page in pages if _refresh(page, changes)]
    if not marked:
        raise Refusal(
            "no-sections",
            f"no Markdown file in {call.target / 'docs'} has a marked section",
            "Put `<!-- vaultspec:tools -->` and `<!-- /vaultspec:tools -->` on two lines where the table is to stand.",
        )
    stale = {change.path for change in changes.changes()}
    if not call["check"]:
        changes.commit()
    word = "stale" if call["check"] else "updated"
    items = [
        {"path": page.relative_to(call.target).as_posix(), "outcome": word if page in stale else "unchanged"}
        for page in marked
    ]
    tone = "warn" if call["check"] else "change"
    return Report(
        "failed" if stale and call["check"] else "updated" if stale else "unchanged",
        {"check": call["check"], "items": items},
        [
            Line(f"{item['path']}: {item['outcome']}", "plain" if item["outcome"] == "unchanged" else tone)
            for item in items
        ],
        exit_code=FINDINGS if stale and call["check"] else OK,
        hint=("To write them again, run", "vaultspec-core spec reference generate")
        if stale and call["check"]
        else None,
    )


def _refresh(page: Path, changes: Changeset) -> bool:
    """Set the page's sections in the changeset; whether it has any. Raises Refusal `unknown-section`."""
    before = (changes.read(page) or b"").decode("utf-8", "surrogateescape")

    def section(match: re.Match[str]) -> str:
        start, name, _, end, closing = match.groups()
        if name not in SECTIONS or closing != name:
            line = before.count("\n", 0, match.start()) + 1
            raise Refusal(
                "unknown-section",
                f"{page}:{line}: `{name}` is no section that ends where it should",
                f"Sections are {', '.join(SECTIONS)}; each ends at a comment that names it again.",
            )
        newline = "\r\n" if start.endswith("\r\n") else "\n"
        return start + f"\n{SECTIONS[name]()}\n".replace("\n", newline) + end

    after, count = MARKED.subn(section, before)
    changes.write(page, after.encode("utf-8", "surrogateescape"))
    return count > 0


def _entry(verb: Verb) -> dict[str, Any]:
    return {
        "verb": verb.name,
        "description": verb.summary,
        "supports_json": verb.json,
        "denied": verb.denied,
        "deprecated": verb.deprecated,
        "flags": [_flag(flag) for flag in sorted(verb.flags, key=lambda flag: flag.name)],
        "arguments": [
            {
                "name": operand.name,
                "required": operand.required,
                "variadic": operand.variadic,
                "help": operand.help,
                "choices": list(operand.choices),
                "path": operand.path,
            }
            for operand in verb.operands
        ],
    }


def _flag(flag: Flag) -> dict[str, Any]:
    return {
        "name": flag.name,
        "takes_value": flag.value is not None,
        "help": flag.help,
        "repeatable": flag.many,
        "negatable": flag.negatable,
        "number": flag.number,
        "choices": list(flag.choices),
        "path": flag.path,
    }
