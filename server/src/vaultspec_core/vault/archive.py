"""Move documents to the archive and back, their bytes as they are. Links to what is archived stay: they still lead somewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vaultspec_core.plan.records import archive_path
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.document import Document, link_target, parse
from vaultspec_core.vault.graph import build
from vaultspec_core.vault.index import write_index
from vaultspec_core.vault.resolve import resolve, suggestion
from vaultspec_core.vault.together import move
from vaultspec_core.vault.vault import Vault

ARCHIVE = f"{names.VAULT}/{names.ARCHIVE}/"


class Moved(NamedTuple):
    """`paths`: old -> new. `dropped`: archived copies that were removed because the live document is the same.
    `cross_links`: documents that stay and link to one that moved. `indexes`: those that were regenerated."""

    paths: dict[str, str]
    dropped: tuple[str, ...] = ()
    cross_links: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()


def archive_feature(vault: Vault, feature: str) -> Moved:
    """Archive every document of a feature, its index too. The caller is inside `together`. Raises Refusal `unknown-feature`, `name-taken`."""
    feature = names.valid_tag(feature)
    members = vault.corpus.of_feature(feature)
    if not members:
        message = f"no document has the feature {feature}.{suggestion(vault.corpus, feature)}"
        raise Refusal("unknown-feature", message, "vaultspec-core vault feature list")
    return _archive(vault, members)


def archive_documents(vault: Vault, references: Sequence[str]) -> Moved:
    """Archive the documents that the references name; the indexes of their features follow. The caller is inside `together`."""
    chosen = {one.relative: one for one in (resolve(vault.corpus, reference) for reference in references)}
    for one in chosen.values():
        if one.type == "index":
            hint = f"vaultspec-core vault feature archive {one.feature or 'TAG'}"
            raise Refusal("generated-type", f"{one.relative} is archived with its feature alone", hint)
    moved = _archive(vault, list(chosen.values()))
    return moved._replace(indexes=_reindexed(vault, (one.feature for one in chosen.values())))


def restore_feature(vault: Vault, feature: str) -> Moved:
    """Bring back every archived document of a feature. The caller is inside `together`. Raises Refusal `not-archived`, `stem-taken`, `name-taken`."""
    feature = names.valid_tag(feature)
    found = [document.relative for document in archived(vault) if document.feature == feature]
    if not found:
        raise Refusal("not-archived", f"the archive holds no document of the feature {feature}")
    return _restore(vault, found, deduplicate=False)


def restore_documents(vault: Vault, references: Sequence[str], *, deduplicate: bool = False) -> Moved:
    """Bring back the archived documents that the references (paths or stems) name. The caller is inside `together`.

    `deduplicate`: an archived copy of a live document with the same bytes is removed. Raises Refusal `not-archived`,
    `ambiguous-document`, `stem-taken`, `name-taken`.
    """
    known = [document.relative for document in archived(vault)]
    chosen = list(dict.fromkeys(_in_archive(known, reference) for reference in references))
    moved = _restore(vault, chosen, deduplicate=deduplicate)
    back = (vault.corpus.documents[path] for path in moved.paths.values() if path in vault.corpus.documents)
    return moved._replace(indexes=_reindexed(vault, [document.feature for document in back]))


def archived(vault: Vault) -> list[Document]:
    """The documents in the archive, by path. Links are not followed."""
    top = vault.root / ARCHIVE
    found = []
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name[0] != "."]
        for name in files:
            path = os.path.join(folder, name)
            if name.endswith(".md") and not os.path.islink(path):
                relative = os.path.relpath(path, vault.root).replace(os.sep, "/")
                data = vault.disk.read(vault.path(relative))
                if data is not None:
                    found.append(parse(relative, data, len(data), None))
    return sorted(found, key=lambda document: document.relative)


def _archive(vault: Vault, members: Sequence[Document]) -> Moved:
    paths = {document.relative: archive_path(document) for document in members}
    graph = vault.corpus.derived(build)
    links = {source for document in members for source in graph.sources(document)} - paths.keys()
    for old, new in paths.items():
        move(vault, old, new)
    return Moved(paths, (), tuple(sorted(path for path in links if not path.endswith(".index.md"))))


def _restore(vault: Vault, chosen: Sequence[str], *, deduplicate: bool) -> Moved:
    paths, dropped = {}, []
    for old in chosen:
        new = f"{names.VAULT}/{old.removeprefix(ARCHIVE)}"
        source = vault.path(old)
        data, live = vault.disk.read(source), vault.disk.read(vault.path(new))
        if deduplicate and data is not None and data == live:
            vault.disk.remove(source, expected=data)
            dropped.append(old)
            continue
        taken = [one for one in vault.corpus.stems.get(names.stem_of(new).casefold(), ()) if one.relative != new]
        if taken:
            message = f"{old} cannot come back: {taken[0].relative} has its name"
            raise Refusal("stem-taken", message, f"vaultspec-core vault rename {taken[0].stem} --to NAME")
        move(vault, old, new)
        paths[old] = new
    graph = vault.corpus.derived(build)
    back = [vault.corpus.documents[path] for path in paths.values() if path in vault.corpus.documents]
    links = {source for document in back for source in graph.sources(document)} - set(paths.values())
    return Moved(paths, tuple(dropped), tuple(sorted(path for path in links if not path.endswith(".index.md"))))


def _in_archive(known: Sequence[str], reference: str) -> str:
    wanted = link_target(reference.strip()).replace("\\", "/").removeprefix("./")
    inside = wanted.removeprefix(ARCHIVE).removeprefix(f"{names.VAULT}/")
    found = [path for path in known if path == f"{ARCHIVE}{inside}.md"]
    if not found and "/" not in wanted:
        found = [path for path in known if names.stem_of(path) == wanted]
    if not found:
        raise Refusal("not-archived", f"the archive holds no document {reference!r}")
    if len(found) > 1:
        message = f"{reference!r} names {len(found)} archived documents; address one by its path: {', '.join(found)}"
        raise Refusal("ambiguous-document", message, data={"candidates": found})
    return found[0]


def _reindexed(vault: Vault, features: Iterable[str | None]) -> tuple[str, ...]:
    """Regenerate the indexes that are there."""
    written = []
    for feature in sorted({feature for feature in features if feature}):
        if any(document.type == "index" for document in vault.corpus.of_feature(feature)):
            written.append(write_index(vault, feature))
    return tuple(path for path in written if path)
