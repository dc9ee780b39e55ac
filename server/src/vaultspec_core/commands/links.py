"""`vault link list | add | remove` and `vault adr supersede`."""

from __future__ import annotations

from vaultspec_core.commands.opening import open_vault, with_diff
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report, Table, counted
from vaultspec_core.vault import names
from vaultspec_core.vault.linking import add_link, edges, remove_link
from vaultspec_core.vault.resolve import resolve
from vaultspec_core.vault.supersede import supersede
from vaultspec_core.vault.together import together
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call


def list_links(call: Call) -> Report:
    """Links of one document both ways, or all of them."""
    vault = open_vault(call)
    vault.corpus.refresh()
    document = resolve(vault.corpus, call["src"]) if call["src"] else None
    tag = names.normal_tag(call["feature"]) if call["feature"] else None
    found = edges(vault.corpus, document, tag)
    rows = [(edge["src"], edge["dst"], edge["direction"]) for edge in found]
    body: list[Block] = [Table(("FROM", "TO", "DIRECTION"), rows)] if rows else []
    body.append(Line(counted(len(found), "link") if found else "No links.", "dim"))
    hint = None if found else ("Add one:", f"vaultspec-core vault link add {call['src'] or 'SRC'} DST")
    return Report("unchanged", {"edges": found, "count": len(found)}, body, hint=hint)


def add(call: Call) -> Report:
    """One more link."""
    vault = open_vault(call)
    with together(vault) as staged:
        document, stem, changed = add_link(staged, call["src"], call["dst"], force=bool(call["force"]))
    said = f"{document.stem} links {stem} already"
    if changed:
        said = f"{'Would link' if call.dry_run else 'Linked'} {document.stem} to {stem}"
    return _changed(said, document.stem, stem, "created" if changed else "unchanged", vault)


def remove(call: Call) -> Report:
    """One link less."""
    vault = open_vault(call)
    with together(vault) as staged:
        document, stem, changed = remove_link(staged, call["src"], call["dst"])
    said = f"{document.stem} does not link {stem} in its frontmatter"
    if changed:
        said = f"{'Would take' if call.dry_run else 'Took'} the link to {stem} out of {document.stem}"
    return _changed(said, document.stem, stem, "removed" if changed else "unchanged", vault)


def supersede_decision(call: Call) -> Report:
    """One decision record by another."""
    if not call["by"]:
        raise Refusal("usage", "--by is required", "vaultspec-core vault adr supersede --help", exit_code=USAGE)
    vault = open_vault(call)
    with together(vault) as staged:
        old, new, changed = supersede(staged, call["old_adr"], call["by"])
    said = f"{old.stem} is superseded by {new.stem} already"
    if changed:
        said = f"{old.stem} {'would be' if call.dry_run else 'is now'} superseded by {new.stem}"
    data = {"old_path": old.relative, "new_path": new.relative, "changed": changed}
    body = [Line(said, "good" if changed else "dim")]
    return with_diff(Report("updated" if changed else "unchanged", data, body), vault)


def _changed(said: str, source: str, target: str, word: str, vault: Vault) -> Report:
    changed = word != "unchanged"
    data = {"src": source, "dst": target, "changed": changed, "message": said}
    return with_diff(Report(word, data, [Line(said, "good" if changed else "dim")]), vault)
