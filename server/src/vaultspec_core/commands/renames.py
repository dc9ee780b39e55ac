"""`vault rename` and `vault feature rename`: what was renamed, and what followed."""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.commands.opening import open_vault, with_diff
from vaultspec_core.commands.plan_tree import counted
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report
from vaultspec_core.vault import names
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
        "new_node_id": names.stem_of(new) if new else None,
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
    with together(vault) as staged:
        own = {document.relative for document in staged.corpus.of_feature(names.normal_tag(call["old_feature"]))}
        done = rename_feature(staged, call["old_feature"], call["new_feature"], merge=bool(call["force"]))
    old, new = (names.normal_tag(call[key]) for key in ("old_feature", "new_feature"))
    inside = own | set(done.paths.values())
    cross = [path for path in done.relinked if path not in inside]
    folders = {(_folder(path), _folder(target)) for path, target in done.paths.items()}
    data = {
        "old": old,
        "new": new,
        "renamed_count": len(done.paths),
        "paths": [{"old": path, "new": target} for path, target in done.paths.items()],
        "exec_folders": [{"old": a, "new": b} for a, b in sorted(folders) if a != b],
        "tag_rewrites": len(done.tagged),
        "related_rewrites": len(done.relinked),
        "link_renames": len(done.relinked),
        "index": done.regenerated
        or next((path for path in done.paths.values() if path == names.index_path(new)), None),
        "cross_links": cross,
        "collisions": [],
        "status": "renamed" if done.tagged else "unchanged",
    }
    if not done.tagged:
        return with_diff(Report("unchanged", data, [Line(f"{old} has that name already", "dim")]), vault)
    word = "Would rename" if call.dry_run else "Renamed"
    body: list[Block] = [
        Line(f"{word} the feature {old} to {new}: {counted(len(done.tagged), 'document')}", "good"),
        *(Line(f"  {path} -> {target}") for path, target in done.paths.items()),
        *_followed(cross),
    ]
    hint = None if call["no_hints"] or call.dry_run else ("See how it stands:", f"vaultspec-core status {new}")
    return with_diff(Report("updated", data, body, hint=hint), vault)


def _followed(paths: Iterable[str]) -> list[Block]:
    return [Line(f"  links followed in {path}") for path in paths]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
