"""`vault archive documents | restore` and `vault feature archive | unarchive`: what moved, and who still links to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from vaultspec_core.commands.opening import open_vault, with_diff
from vaultspec_core.files import Disk
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report, counted
from vaultspec_core.vault import names
from vaultspec_core.vault.archive import Moved, archive_documents, archive_feature, restore_documents, restore_feature
from vaultspec_core.vault.linking import cross_links
from vaultspec_core.vault.together import together
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call


def documents(call: Call) -> Report:
    """Archive the documents of a manifest."""
    references = _manifest(call)
    vault = open_vault(call)
    with together(vault) as staged:
        moved = archive_documents(staged, references)
    return _told(call, vault, moved, "archived")


def restore(call: Call) -> Report:
    """Bring the documents of a manifest back."""
    references = _manifest(call)
    vault = open_vault(call)
    with together(vault) as staged:
        moved = restore_documents(staged, references, deduplicate=bool(call["deduplicate_identical"]))
    return _told(call, vault, moved, "restored")


def feature_archive(call: Call) -> Report:
    """Archive a feature."""
    vault = open_vault(call)
    with together(vault) as staged:
        cross = cross_links(staged.corpus, names.normal_tag(call["feature_tag"]))
        moved = archive_feature(staged, call["feature_tag"])
    report = _told(call, vault, moved, "archived")
    report.data["cross_links"] = cross
    if call["no_hints"] or call.dry_run:
        return report
    return report._replace(hint=("Bring it back:", f"vaultspec-core vault feature unarchive {call['feature_tag']}"))


def feature_unarchive(call: Call) -> Report:
    """Bring a feature back."""
    vault = open_vault(call)
    with together(vault) as staged:
        moved = restore_feature(staged, call["feature_tag"])
        cross = cross_links(staged.corpus, names.normal_tag(call["feature_tag"]))
    report = _told(call, vault, moved, "unarchived")
    report.data["cross_links"] = cross
    return report


def _told(call: Call, vault: Vault, moved: Moved, word: str) -> Report:
    changed = bool(moved.paths or moved.dropped)
    data: dict[str, Any] = {
        "status": word if changed else "unchanged",
        f"{word}_count": len(moved.paths),
        "paths": list(moved.paths.values()),
        "cross_link_paths": list(moved.cross_links),
        "indexes": list(moved.indexes),
    }
    if word == "restored":
        data["deduplicated"] = list(moved.dropped)
    said = f"{'Would be ' if call.dry_run else ''}{word}"
    head = f"{said[0].upper()}{said[1:]}: {counted(len(moved.paths), 'document')}"
    body: list[Block] = [Line(head, "good" if changed else "dim")]
    body += [Line(f"  {old} -> {new}") for old, new in moved.paths.items()]
    body += [Line(f"  {path} is the same as the live document and goes") for path in moved.dropped]
    if word == "archived":
        body += [Line(f"  still linked from {path}", "warn") for path in moved.cross_links]
    return with_diff(Report("updated" if changed else "unchanged", data, body), vault)


def _manifest(call: Call) -> list[str]:
    """The paths that a file lists: one a line (`#` begins a comment), or a JSON list of texts. Raises Refusal `usage`, `no-file`, `bad-manifest`."""
    if not call["manifest"]:
        hint = f"vaultspec-core {call.verb.name} --help"
        raise Refusal("usage", "--manifest is required", hint, exit_code=USAGE)
    data = Disk().read(Path(call["manifest"]).absolute())
    if data is None:
        raise Refusal("no-file", f"{call['manifest']} does not exist")
    try:
        text = data.decode("utf-8-sig")
        said = (
            json.loads(text)
            if text.lstrip().startswith("[") and not text.lstrip().startswith("[[")
            else text.splitlines()
        )
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise _bad(call, "is neither lines of paths nor a JSON list of them") from error
    if not isinstance(said, list) or not all(isinstance(entry, str) for entry in said):
        raise _bad(call, "is a JSON list that holds more than texts")
    listed = [entry.strip() for entry in said]
    listed = [entry for entry in listed if entry and not entry.startswith("#")]
    if not listed:
        raise _bad(call, "lists no document")
    return listed


def _bad(call: Call, why: str) -> Refusal:
    return Refusal("bad-manifest", f"{call['manifest']} {why}", "Write one path a line.")
