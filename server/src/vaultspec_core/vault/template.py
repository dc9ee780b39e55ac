"""Make a document from a template: fill its placeholders so that nothing filled in can break the document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.splice import set_list, set_scalar

_PLACEHOLDER = re.compile(r"\{(feature|title|topic|date|yyyy-mm-dd|tier)\}|<(feature|title|topic|yyyy-mm-dd)>")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_FRONT = "---\ntags: []\n---\n\n"
TITLE_LIMIT = 300


def one_line(text: str) -> str:
    """The text as it may stand in a heading: one line, no backtick that would end a code span, no comment mark, bounded."""
    flat = re.sub(r"\s+", " ", _UNPRINTABLE.sub(" ", text)).strip()
    flat = flat.replace("`", "'").replace("<!--", "<!-").replace("-->", "->")
    return flat if len(flat) <= TITLE_LIMIT else flat[:TITLE_LIMIT].rstrip() + "…"


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with its placeholders replaced, each once: what was filled in is not looked at again.

    A placeholder without a value stays.
    """

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        return values.get("date" if name == "yyyy-mm-dd" else name, match[0])

    return _PLACEHOLDER.sub(value, template)


def with_front(text: str, kind: str, feature: str, date: str, related: Sequence[str], tier: str | None) -> str:
    """The document with the frontmatter that every new document has; further keys and comments of its template stay.

    Raises Refusal when the template's own frontmatter cannot be edited.
    """
    if not split(text).present:
        text = _FRONT + text.lstrip()
    text = set_list(text, "tags", [f"#{kind}", f"#{feature}"])
    text = set_scalar(text, "date", date, after=("tags",))
    text = set_scalar(text, "modified", date, after=("date",))
    if not split(text).text("body_schema"):
        text = set_scalar(text, "body_schema", "body-v2", after=("modified",))
    if tier is not None:
        text = set_scalar(text, "tier", tier, after=("body_hash", "body_schema"))
    return set_list(text, "related", [f"[[{stem}]]" for stem in related], after=("tier", "body_hash", "body_schema"))
