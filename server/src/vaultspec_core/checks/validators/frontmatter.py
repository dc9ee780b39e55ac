"""`frontmatter`: the fields that every document has, in the shape that everything else relies on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultspec_core.checks.contract import ERROR, WARNING, Check, Fault, limited
from vaultspec_core.checks.entries import set_entries
from vaultspec_core.checks.page import Page
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.document import link_target
from vaultspec_core.vault.splice import set_scalar

_STEM = re.compile(r"[a-zA-Z0-9-]+\Z")


def _faults(page: Page) -> Iterator[Fault]:
    front = page.front
    if not front.present:
        yield Fault(ERROR, front.problems[0].message if front.problems else "frontmatter is required", 1)
        return
    for problem in front.problems:
        severity = WARNING if problem.code == "frontmatter-repeated" else ERROR
        yield Fault(severity, problem.message, problem.line)
    yield from _tags(front.texts("tags"))
    date = front.text("date")
    if date is None:
        yield Fault(ERROR, "`date` is required")
    elif not names.is_day(date):
        yield Fault(WARNING, f"`date` is not yyyy-mm-dd: {date[:80]}")
    related = front.fields.get("related")
    if related is not None and not isinstance(related, list):
        yield Fault(WARNING, "`related` is no list of [[wiki-links]]")
    else:
        odd = [str(entry)[:80] for entry in related or () if not _is_link(entry)]
        yield from limited(
            [Fault(WARNING, f"`related` entry is no [[wiki-link]]: {entry}") for entry in odd], "entries of `related`"
        )
    archived = front.text("archived")
    if archived is not None and not names.is_day(archived[:10]):
        yield Fault(WARNING, f"`archived` is no date: {archived[:80]}")


def _tags(tags: tuple[str, ...]) -> Iterator[Fault]:
    plain = [names.normal_tag(tag) for tag in tags]
    kinds = [tag for tag in plain if tag in names.TYPES]
    features = [tag for tag in plain if tag not in names.TYPES]
    if len(kinds) != 1:
        yield Fault(ERROR, f"exactly one directory tag is required (e.g. '#adr'); there are {len(kinds)}")
    if len(features) != 1:
        yield Fault(ERROR, f"exactly one feature tag is required (e.g. '#my-feature'); there are {len(features)}")
    for tag, name in zip(tags, plain, strict=True):
        if not names.is_tag(name):
            yield Fault(ERROR, f"a kebab-case tag is required: {tag[:80]}")
        elif tag != f"#{name}":
            yield Fault(WARNING, f"the tag {tag[:80]} should read #{name}")


def _is_link(entry: object) -> bool:
    return isinstance(entry, str) and entry.startswith("[[") and entry.endswith("]]") and bool(link_target(entry))


def _repair(page: Page) -> str:
    text, front = page.text, page.front
    if not page.editable:
        return text
    tags = _mended_tags(page)
    if tags != list(front.texts("tags")):
        text = _tried(text, "tags", tags)
    date = front.text("date")
    day = names.date_in_name(page.document.stem) if front.fields.get("date") is None else _day(date or "")
    if day is not None and day != date and names.is_day(day):
        text = _tried(text, "date", day)
    related = front.fields.get("related")
    entries = [related] if isinstance(related, str) else page.entries("related")
    if entries and all(_nameable(entry) for entry in entries):
        links = [entry if _is_link(entry) else f"[[{entry.strip()}]]" for entry in entries]
        text = _tried(text, "related", links)
    return text


def _tried(text: str, key: str, value: str | list[str]) -> str:
    """The field set; the text as it is where that cannot be done safely."""
    try:
        if isinstance(value, str):
            return set_scalar(text, key, value, after=("tags",))
        return set_entries(text, key, value, after=("date",) if key != "tags" else ())
    except Refusal:
        return text


def _mended_tags(page: Page) -> list[str]:
    """The tags with `#` and in kebab-case; what is lacking comes from the folder and from a `feature` field."""
    said = page.front.texts("tags")
    tags = [f"#{name}" if names.is_tag(name := names.normal_tag(tag)) else tag for tag in said]
    if "tags" in page.front.fields and page.entries("tags") in (None, []):
        return list(said)
    kind, feature = page.document.type, names.normal_tag(page.front.text("feature") or "")
    if kind in names.TYPES and not any(names.normal_tag(tag) in names.TYPES for tag in tags):
        tags.insert(0, f"#{kind}")
    if names.is_tag(feature) and feature not in names.TYPES and all(tag[1:] in names.TYPES for tag in tags):
        tags.append(f"#{feature}")
    return tags if len(tags) > 1 or said else []


def _day(said: str) -> str | None:
    if names.is_day(said[:10]):
        return said[:10]
    try:
        return names.calendar_date(said)
    except Refusal:
        return None


def _nameable(entry: str) -> bool:
    """Whether the entry can only be meant as a document: it is a link, or a bare stem with its date."""
    stem = link_target(entry)
    return _is_link(entry) or (names.date_in_name(stem) is not None and _STEM.match(stem) is not None)


CHECK = Check("frontmatter", 2, document=_faults, repair=_repair)
