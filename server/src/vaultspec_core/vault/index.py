"""The feature index: one generated document per feature that lists the feature's documents."""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.files import Changed
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.frontmatter import BOM, split
from vaultspec_core.vault.stamp import body_hash
from vaultspec_core.vault.vault import Vault


def regenerate(vault: Vault, feature: str) -> tuple[str, bytes | None, bytes]:
    """The index's path from the workspace, its bytes now and its bytes as they should be; equal bytes mean that it is up to date.

    Raises Refusal `index-unreadable` when the file that is there is no text: it is not ours to replace.
    """
    relative = names.index_path(feature)
    before = vault.disk.read(vault.path(relative))
    try:
        old = (before or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        hint = f"Move it away, then: vaultspec-core vault feature index --feature {feature}"
        raise Refusal("index-unreadable", f"{relative} is not UTF-8 and was not regenerated", hint) from error
    front = split(old)
    members = [document for document in vault.corpus.of_feature(feature) if document.type != "index"]
    date = front.text("date") or vault.today()
    body = _body(feature, members)
    wanted = _front(feature, members, date, front.text("modified") or date, body) + body
    if _normal(old) != wanted:
        wanted = _front(feature, members, date, vault.today(), body) + body
    if "\r\n" in old:
        wanted = wanted.replace("\n", "\r\n")
    mark = BOM if old.startswith(BOM) else ""
    return relative, before, (mark + wanted).encode("utf-8")


def write_index(vault: Vault, feature: str) -> str | None:
    """Bring the index up to date; its path when it was written, None when it was right already. The caller holds the vault's lock."""
    relative, before, after = regenerate(vault, feature)
    if before == after:
        return None
    vault.write(relative, after, expected=before)
    vault.corpus.put(relative, after)
    return relative


def refreshed_index(vault: Vault, feature: str) -> list[str]:
    """Bring the index up to date for a caller that has written a document already: what hinders that is a warning."""
    try:
        write_index(vault, feature)
    except (Refusal, Changed) as error:
        return [f"The feature index was not regenerated: {error}"]
    return []


def _normal(text: str) -> str:
    return text.removeprefix(BOM).replace("\r\n", "\n")


def _front(feature: str, members: Iterable[Document], date: str, modified: str, body: str) -> str:
    stems = sorted({document.stem for document in members})
    related = "related:\n" + "".join(f"  - '[[{stem}]]'\n" for stem in stems) if stems else "related: []\n"
    return (
        "---\n"
        "generated: true\n"
        "tags:\n"
        "  - '#index'\n"
        f"  - '#{feature}'\n"
        f"date: '{date}'\n"
        f"modified: '{modified}'\n"
        "body_schema: 'body-v2'\n"
        f"body_hash: '{body_hash(body)}'\n"
        f"{related}"
        "---\n"
    )


def _body(feature: str, members: list[Document]) -> str:
    parts = [f"\n# `{feature}` feature index\n\nEvery document of the feature `{feature}`, by type.\n\n## Documents\n"]
    for kind in sorted({document.type for document in members}):
        rows = sorted((doc for doc in members if doc.type == kind), key=lambda doc: (doc.date or "", doc.stem))
        parts.append(f"\n### {kind}\n\n" + "".join(f"- `{doc.stem}` - {doc.title or doc.stem}\n" for doc in rows))
    return "".join(parts)
