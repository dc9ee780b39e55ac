"""Rename documents, one or all of a feature; links in frontmatter and prose follow, everything else stays as it is.

A rename says nothing new, so `modified` stays and the way back restores every byte; `body_hash` follows a body whose links change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from vaultspec_core.checks.comments import known_comments
from vaultspec_core.checks.page import Page
from vaultspec_core.checks.repoint import referrers, repointed
from vaultspec_core.checks.survey import UNFIT
from vaultspec_core.plan.rewrite import decoded
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.index import write_index
from vaultspec_core.vault.resolve import resolve, suggestion
from vaultspec_core.vault.reword import reworded
from vaultspec_core.vault.splice import set_list, set_scalar
from vaultspec_core.vault.stamp import blob_hash, body_hash
from vaultspec_core.vault.together import move
from vaultspec_core.vault.vault import Vault


class Renamed(NamedTuple):
    """`paths`: old -> new. `tagged`, `relinked`: documents (paths as they are now) whose tags, whose links were rewritten.
    `regenerated`: the feature index that was. `before`: blob hash of the document that was renamed alone."""

    paths: dict[str, str]
    tagged: tuple[str, ...]
    relinked: tuple[str, ...]
    regenerated: str | None
    before: str | None = None


def rename(vault: Vault, reference: str, stem: str, expected: str | None = None) -> Renamed:
    """Give one document another stem. The caller is inside `together`.

    Raises Refusal: unresolved, `conflict` when its blob hash is not `expected`, `generated-type`, `invalid-name`, `stem-taken`.
    """
    document = resolve(vault.corpus, reference)
    digest = blob_hash(vault.read(document) or b"")
    if expected is not None and expected != digest:
        data = {"conflict": True, "expected": expected, "actual": digest}
        raise Refusal("conflict", "Blob-hash conflict: document changed on disk since it was read", data=data)
    if document.type == "index":
        hint = "vaultspec-core vault feature rename OLD NEW"
        raise Refusal("generated-type", f"{document.relative} is named after its feature", hint)
    stem = names.stem_of(stem.strip()) if "/" not in stem and "\\" not in stem else stem
    if len(stem) > names.STEM_LIMIT or not names.name_fits(document.type, f"{stem}.md"):
        due = f"DATE-FEATURE-{document.type}"
        raise Refusal("invalid-name", f"{stem!r} is no name for a document of type {document.type} ({due})")
    if stem == document.stem:
        return Renamed({}, (), (), None, digest)
    new = f"{document.relative.rpartition('/')[0]}/{stem}.md"
    _check_free(vault, {document.relative: new})
    relinked = _follow(vault, {document.relative: new})
    move(vault, document.relative, new)
    index = _reindexed(vault, document.feature)
    return Renamed({document.relative: new}, (), tuple(path for path in relinked if path != index), index, digest)


def rename_feature(vault: Vault, old: str, new: str, *, merge: bool = False) -> Renamed:
    """Give a feature another name: tags, file names, folders of records, links, index. The caller is inside `together`.

    `merge`: the new feature may exist already. Raises Refusal `unknown-feature`, `feature-exists`, `stem-taken`, `invalid-name`.
    """
    old, new = names.valid_tag(old), names.valid_feature(new)
    members = vault.corpus.of_feature(old)
    if not members:
        message = f"no document has the feature {old}.{suggestion(vault.corpus, old)}"
        raise Refusal("unknown-feature", message, "vaultspec-core vault feature list")
    if old == new:
        return Renamed({}, (), (), None)
    if new in vault.corpus.features and not merge:
        raise Refusal(
            "feature-exists",
            f"the feature {new} has documents already",
            f"vaultspec-core vault feature rename {old} {new} --force merges the two.",
            data={"collisions": sorted(vault.corpus.features[new])},
        )
    own = names.index_path(old)
    indexed = any(document.type == "index" for document in (*members, *vault.corpus.of_feature(new)))
    renames = {one.relative: path for one in members if (path := _renamed_path(one, old, new)) != one.relative}
    if vault.disk.read(vault.path(names.index_path(new))) is not None and renames.pop(own, ""):
        _drop(vault, own)
        members = [document for document in members if document.relative != own]
    _check_free(vault, renames)
    relinked = _follow(vault, renames)
    tagged = [renames.get(one.relative, one.relative) for one in members if _retag(vault, one, old, new)]
    for path, target in renames.items():
        move(vault, path, target)
    index = _reindexed(vault, new) if indexed else None
    return Renamed(renames, tuple(tagged), tuple(renames.get(path, path) for path in relinked), index)


def _renamed_path(document: Document, old: str, new: str) -> str:
    """The path with the new feature where file name and folder of records name the old one."""
    if document.relative == names.index_path(old):
        return names.index_path(new)
    parts = document.relative.split("/")
    last = len(parts) - 1
    for number in range(2, len(parts)):
        date = names.date_in_name(parts[number])
        start = f"{date}-{old}"
        rest = parts[number][len(start) :]
        if date and parts[number].startswith(start) and (rest[:1] == "-" or (not rest and number < last)):
            parts[number] = f"{date}-{new}{rest}"
    if len(parts[last]) > names.STEM_LIMIT + 3:
        raise Refusal("name-too-long", f"The file name {parts[last][:40]}... would have {len(parts[last])} characters.")
    return "/".join(parts)


def _check_free(vault: Vault, renames: Mapping[str, str]) -> None:
    """Every new name must be free, in the vault and in its archive. Raises Refusal `stem-taken` with all that are not."""
    taken = []
    for old, new in renames.items():
        stem = names.stem_of(new).casefold()
        holders = [one.relative for one in vault.corpus.stems.get(stem, ()) if one.relative not in renames]
        moved = stem != names.stem_of(old).casefold()
        if moved and stem in vault.corpus.archived:
            holders.append(f"{names.VAULT}/{names.ARCHIVE}")
        if not holders and new not in renames and vault.disk.read(vault.path(new)) is not None:
            holders.append(new)
        if (moved or new in holders) and holders:
            taken.append({"path": old, "new": new, "taken_by": holders[0]})
    if len(set(renames.values())) < len(renames):
        taken.append({"path": min(renames), "new": renames[min(renames)], "taken_by": "another of the documents"})
    if taken:
        first = taken[0]
        more = f" (and {len(taken) - 1} more)" if len(taken) > 1 else ""
        message = (
            f"{first['path']} cannot become {names.stem_of(first['new'])}: {first['taken_by']} has that name{more}"
        )
        raise Refusal("stem-taken", message, "Choose another name.", data={"collisions": taken})


def _follow(vault: Vault, renames: Mapping[str, str]) -> tuple[str, ...]:
    """Let every link follow; gives the paths (before they move) of the documents that changed."""
    stems: dict[str, str] = {}
    for old, new in renames.items():
        before, after = names.stem_of(old), names.stem_of(new)
        others = [one for one in vault.corpus.stems.get(before.casefold(), ()) if one.relative not in renames]
        # A bare stem that another document has as well still names that one; the path names this one alone.
        if not others:
            stems[before.casefold()] = after
        for prefix in (f"{names.VAULT}/", ""):
            stems[old.removesuffix(".md").removeprefix(prefix).casefold()] = new.removesuffix(".md").removeprefix(
                prefix
            )
    stems = {old: new for old, new in stems.items() if old != new}
    shipped = known_comments(vault)
    changed = []
    for document in list(referrers(vault.corpus, stems)):
        if any(problem.code in UNFIT for problem in document.problems):
            continue
        text = decoded(document.relative, vault.read(document) or b"")
        folded = text.casefold()
        if any(stem in folded for stem in stems) and _put(
            vault, document, text, repointed(Page(document, text, shipped, vault.today()), stems)
        ):
            changed.append(document.relative)
    return tuple(changed)


def _retag(vault: Vault, document: Document, old: str, new: str) -> bool:
    """Put the new tag in the place of the old one, in the same notation."""
    text = decoded(document.relative, vault.read(document) or b"")
    front = split(text)
    said = front.texts("tags")
    tags = [tag.replace(tag.lstrip("# "), new) if names.normal_tag(tag) == old else tag for tag in said]
    wanted = list(dict.fromkeys(tags))
    exact = reworded(text, "tags", {old: new}, wanted) if front.fields.get("tags") == list(said) else None
    return _put(vault, document, text, exact or set_list(text, "tags", wanted))


def _put(vault: Vault, document: Document, before: str, after: str) -> bool:
    """Write a text whose `body_hash` follows the body if it was right before."""
    if before == after:
        return False
    front = split(before)
    if front.fields.get("body_hash") == body_hash(before[front.body_start :]):
        after = set_scalar(after, "body_hash", body_hash(after[split(after).body_start :]))
    data = after.encode("utf-8")
    vault.disk.write(vault.path(document), data, expected=before.encode("utf-8"))
    vault.corpus.put(document.relative, data)
    return True


def _drop(vault: Vault, relative: str) -> None:
    path = vault.path(relative)
    vault.disk.remove(path, expected=vault.disk.read(path) or b"")
    vault.corpus.put(relative, None)


def _reindexed(vault: Vault, feature: str | None) -> str | None:
    """Regenerate the index of the feature if it has one."""
    if feature is None or all(document.type != "index" for document in vault.corpus.of_feature(feature)):
        return None
    return write_index(vault, feature)
