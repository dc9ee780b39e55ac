"""What the corpus remembers of one document: enough to list, link and count it; never its body."""

from __future__ import annotations

import re
from collections.abc import Iterable
from sys import intern
from typing import NamedTuple

from vaultspec_core.plan.tally import Tally, tally
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.frontmatter import BOM, Frontmatter, Problem, split
from vaultspec_core.vault.markdown import Structure, scan, split_lines

SIZE_LIMIT = 8 << 20
"""Bytes. Of a larger document only the head is read: it is listed, with a problem, and its body counts for nothing."""

HEAD_BYTES = 1 << 16

TITLE_LIMIT = 500
FIELD_LIMIT = 64
"""Characters of a title, and of a short field, that are kept."""

UNREADABLE = "unreadable"
"""Code of the problem of a file or folder that the system does not let us read."""

Signature = tuple[int, int, int, int]
"""mtime_ns, ctime_ns, size, inode: as long as these are the same, so are the bytes (see `corpus` for the one exception)."""

_STATUS = re.compile(r"\(\*\*status:\*\*[ \t]*`?([^`)]*)`?[ \t]*\)[ \t]*\Z")


class Document(NamedTuple):
    """One document as it was when its file was read; a new object means that the file was read again.

    `relative`: POSIX path from the workspace. `related`, `links`: stems named in the frontmatter and in the prose, as written.
    `status`: the word in an ADR's heading. `step`: the `step_id` of a legacy record. `plan`: how far a plan is.
    `signature`: None while the file is too young to trust its time stamp.
    """

    relative: str
    stem: str
    type: str
    size: int
    signature: Signature | None
    feature: str | None = None
    tags: tuple[str, ...] = ()
    date: str | None = None
    modified: str | None = None
    title: str | None = None
    tier: str | None = None
    status: str | None = None
    step: str | None = None
    related: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    plan: Tally | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def activity(self) -> str | None:
        """The day of the last change that the document tells of: `modified`, else `date`, else the date in its name."""
        for told in (self.modified, self.date, self.stem):
            if told is not None and names.is_day(told[:10]):
                return told[:10]
        return None


def demand_fitting(data: bytes) -> None:
    """Raises Refusal `too-large` when a document of these bytes would not be read whole any more."""
    if len(data) > SIZE_LIMIT:
        raise Refusal("too-large", f"The document would have {len(data)} bytes; the limit is {SIZE_LIMIT}.")


def unread(relative: str, size: int, problem: Problem) -> Document:
    """A document of which nothing but its name is known; it is looked at again each time."""
    return Document(relative, names.stem_of(relative), _type(relative), size, None, problems=(problem,))


def parse(relative: str, data: bytes, size: int, signature: Signature | None) -> Document:
    """Read a document from its bytes (its first HEAD_BYTES when it is larger than SIZE_LIMIT). Nothing in them is a fault."""
    whole = size <= SIZE_LIMIT
    text, problems = _decoded(data, size)
    front = split(text)
    problems += front.problems
    kind = _type(relative)
    tags = front.texts("tags")
    title = _plain_title(text, front.body_start) if whole else None
    linked = text.find("[[", front.body_start) >= 0
    structure: Structure | None = None
    if whole and (linked or (title is None and "\n# " in text)):
        structure = scan(text, len(split_lines(text[: front.body_start])))
        title = title or next((heading.text for heading in structure.headings if heading.level == 1), None)
    return Document(
        relative=relative,
        stem=names.stem_of(relative),
        type=kind,
        size=size,
        signature=signature,
        feature=_feature(tags),
        tags=tuple(map(intern, tags)),
        date=_short(front, "date"),
        modified=_short(front, "modified"),
        title=title[:TITLE_LIMIT] if title else None,
        tier=_short(front, "tier") if kind == "plan" else None,
        status=_status(title) if kind == "adr" and title else None,
        step=_short(front, "step_id") if kind == "exec" else None,
        related=_distinct(map(link_target, front.texts("related"))),
        links=_distinct(_wiki_target(link.target) for link in structure.links() if link.wiki)
        if structure and linked
        else (),
        plan=tally(text, front.body_start, front.text("tier")) if whole and kind == "plan" else None,
        problems=tuple(problems),
    )


def _decoded(data: bytes, size: int) -> tuple[str, list[Problem]]:
    """The text, with what is no UTF-8 replaced, and what was wrong."""
    whole = size <= SIZE_LIMIT
    large = Problem("too-large", f"the document has {size} bytes; above {SIZE_LIMIT} its body is not read")
    problems = [] if whole else [large]
    try:
        return data.decode("utf-8"), problems
    except UnicodeDecodeError as error:
        if whole or error.start < len(data) - 3:
            line = data.count(b"\n", 0, error.start) + 1
            problems.append(Problem("not-utf8", f"the document is not valid UTF-8 (byte {error.start})", line))
        return data.decode("utf-8", "replace"), problems


def link_target(text: str) -> str:
    """The stem that an entry of `related` or a reference names: `[[stem]]`, `[[stem|alias]]`, `[[stem#heading]]`, `stem` or `stem.md`."""
    text = text.strip()
    if text.startswith("[[") and text.endswith("]]"):
        return _wiki_target(text[2:-2])
    return text.removesuffix(".md")


def _wiki_target(inner: str) -> str:
    return inner.partition("|")[0].partition("#")[0].strip().removesuffix(".md")


def _type(relative: str) -> str:
    return names.type_of(relative.partition("/")[2])


def _feature(tags: tuple[str, ...]) -> str | None:
    """The feature that the tags name; read kindly, without `#` or in capitals too: saying that this is wrong is for the checks."""
    for tag in tags:
        name = names.normal_tag(tag)
        if name not in names.TYPES and names.is_tag(name):
            return intern(name)
    return None


def _short(front: Frontmatter, key: str) -> str | None:
    """A field that is a date, a tier or an identifier, as far as such a thing can be long."""
    value = front.text(key)
    return None if value is None else intern(value[:FIELD_LIMIT])


def _distinct(targets: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(targets)
    found.pop("", None)
    return tuple(found)


def _plain_title(text: str, start: int) -> str | None:
    """The heading of level 1 if that is what the body begins with."""
    head = text[start : start + 64]
    at = start + len(head) - len(head.lstrip("\r\n" + BOM))
    if not text.startswith("# ", at):
        return None
    end = text.find("\n", at)
    return text[at + 2 : len(text) if end < 0 else end].strip().rstrip("#").rstrip() or None


def _status(title: str) -> str | None:
    match = _STATUS.search(title[-100:])
    return match[1].strip() or None if match else None
