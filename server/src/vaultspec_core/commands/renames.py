"""`vault rename` and `vault feature rename`: what was renamed, and what followed."""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.commands.opening import open_vault, with_diff
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report, counted
from vaultspec_core.vault import names
from vaultspec_core.vault.linking import cross_links
from vaultspec_core.vault.rename import rename, rename_feature
from vaultspec_core.vault.together import together
from vaultspec_core.verb import Call


def rename_document(call: Call) -> Report:
    """One document, and the links to it."""
    if not call["to"]:
        raise Refusal("usage", "--to is required", "vaultspec-core vault rename --help", exit_code=USAGE)
    vault = open_vault(call)
    with together(vault) as staged:
        done = rename(staged, call["ref"], call["to"], call["expected_blob_hash"])
    (old, new) = next(iter(done.paths.items()), (None, None))
    data = {
        "old_path": old,
        "new_path": new,
        "old_blob_hash": done.before,
        "new_node_id": f"doc:{names.stem_of(new)}" if new else None,
        "incoming_rewritten": len(done.relinked),
        "rewritten_paths": list(done.relinked),
        "index": done.regenerated,
    }
    if new is None:
        return with_diff(Report("unchanged", data, [Line(f"{call['ref']} has that name already", "dim")]), vault)
    word = "Would rename" if call.dry_run else "Renamed"
    body: list[Block] = [Line(f"{word} {old} to {new}", "good"), *_followed(done.relinked)]
    body += [Line(f"  regenerated {done.regenerated}")] if done.regenerated else []
    return with_diff(Report("updated", data, body), vault)


def rename_tag(call: Call) -> Report:
    """A feature: its documents, tags, links, folders and index."""
    vault = open_vault(call)
    old, new = (names.normal_tag(call[key]) for key in ("old_feature", "new_feature"))
    with together(vault) as staged:
        cross = cross_links(staged.corpus, old)
        done = rename_feature(staged, old, new, merge=bool(call["force"]))
    old_index, new_index = names.index_path(old), names.index_path(new)
    documents = {path: target for path, target in done.paths.items() if path != old_index}
    folders = {(_folder(path), _folder(target)) for path, target in documents.items()}
    data = {
        "old": old,
        "new": new,
        "renamed_count": len(documents),
        "paths": [{"old": path, "new": target} for path, target in documents.items()],
        "exec_folders": [{"old": a, "new": b} for a, b in sorted(folders) if a != b],
        "tag_rewrites": len(done.tagged),
        "related_rewrites": len(done.relinked),
        "link_renames": [{"old": names.stem_of(a), "new": names.stem_of(b)} for a, b in done.paths.items()],
        "index": {"old": old_index, "new": new_index} if old_index in done.paths else None,
        "cross_links": cross,
        "collisions": [],
        "status": "updated" if done.tagged and not call.dry_run else "unchanged",
    }
    if not done.tagged:
        return with_diff(Report("unchanged", data, [Line(f"{old} has that name already", "dim")]), vault)
    word = "Would rename" if call.dry_run else "Renamed"
    body: list[Block] = [
        Line(f"{word} the feature {old} to {new}: {counted(len(done.tagged), 'document')}", "good"),
        *(Line(f"  {path} -> {target}") for path, target in done.paths.items()),
        *_followed(dict.fromkeys(link["source_path"] for link in cross)),
    ]
    hint = None if call["no_hints"] or call.dry_run else ("See how it stands:", f"vaultspec-core status {new}")
    return with_diff(Report("updated", data, body, hint=hint), vault)


def _followed(paths: Iterable[str]) -> list[Block]:
    return [Line(f"  links followed in {path}") for path in paths]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
