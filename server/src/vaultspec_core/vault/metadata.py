"""Set the frontmatter fields that a person may set: date, tags, related. Everything else in the document stays as it is."""

from __future__ import annotations

from collections.abc import Sequence

from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.resolve import resolve
from vaultspec_core.vault.splice import set_list, set_scalar
from vaultspec_core.vault.stamp import stamped


def with_metadata(
    corpus: Corpus,
    document: Document,
    text: str,
    today: str,
    date: str | None,
    tags: Sequence[str],
    related: Sequence[str],
) -> str:
    """The document's text with the fields that were given; the same text when they are so already.

    Raises Refusal for a date that is none, tags that are not one directory and one feature tag, and unresolved references.
    """
    new = text
    if date is not None:
        new = set_scalar(new, "date", names.calendar_date(date), after=("tags",))
    if tags:
        new = set_list(new, "tags", _tags(document, tags))
    if related:
        stems = dict.fromkeys(resolve(corpus, reference).stem for reference in related)
        new = set_list(new, "related", [f"[[{stem}]]" for stem in stems], after=("body_hash", "modified", "date"))
    return new if new == text else stamped(new, today)


def _tags(document: Document, said: Sequence[str]) -> list[str]:
    tags = list(dict.fromkeys(names.normal_tag(tag) for tag in said))
    features = [tag for tag in tags if tag not in names.TYPES]
    if len(features) != 1 or [tag for tag in tags if tag in names.TYPES] != [document.type]:
        raise Refusal(
            "unsupported-tags",
            f"A document has its directory tag #{document.type} and one feature tag, not: {', '.join(said)}",
        )
    return [f"#{document.type}", f"#{names.valid_feature(features[0])}"]
