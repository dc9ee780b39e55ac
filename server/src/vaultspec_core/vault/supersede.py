"""Let one decision record supersede another: status and successor on the old one, predecessor on the new one."""

from __future__ import annotations

from vaultspec_core.checks.entries import set_entries
from vaultspec_core.plan.rewrite import decoded
from vaultspec_core.report import Refusal
from vaultspec_core.vault.document import Document, link_target
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.index import write_index
from vaultspec_core.vault.markdown import scan, split_lines
from vaultspec_core.vault.resolve import resolve
from vaultspec_core.vault.splice import set_scalar
from vaultspec_core.vault.stamp import stamped
from vaultspec_core.vault.vault import Vault

SUPERSEDED = "superseded"
_MARK = "(**status:**"


def supersede(vault: Vault, old: str, new: str) -> tuple[Document, Document, bool]:
    """Both records, and whether anything changed. The caller is inside `together`.

    Raises Refusal: unresolved, `not-a-decision`, `self-link`, `superseded-already`, `superseded-in-a-circle`, `no-title`.
    """
    before, after = _decision(vault, old), _decision(vault, new)
    if before.relative == after.relative:
        raise Refusal("self-link", f"{before.stem} cannot supersede itself")
    old_text, new_text = (decoded(one.relative, vault.read(one) or b"") for one in (before, after))
    successor = link_target(split(old_text).text("superseded_by") or "")
    if successor and successor.casefold() != after.stem.casefold():
        hint = f"vaultspec-core vault adr supersede {successor} --by {after.stem}"
        raise Refusal("superseded-already", f"{before.stem} is superseded by {successor} already", hint)
    _check_circle(vault, before, new_text)
    predecessors = list(split(new_text).texts("supersedes"))
    if all(link_target(entry).casefold() != before.stem.casefold() for entry in predecessors):
        predecessors.append(before.stem)
    changed_old = set_scalar(_with_status(before, old_text), "superseded_by", after.stem, ("related", "date", "tags"))
    changed_new = set_entries(new_text, "supersedes", predecessors, ("related", "date", "tags"))
    changed = [
        _put(vault, one, was, now)
        for one, was, now in ((before, old_text, changed_old), (after, new_text, changed_new))
    ]
    if any(changed):
        for feature in sorted({one.feature for one in (before, after) if one.feature}):
            if any(one.type == "index" for one in vault.corpus.of_feature(feature)):
                write_index(vault, feature)
    return before, after, any(changed)


def _decision(vault: Vault, reference: str) -> Document:
    document = resolve(vault.corpus, reference)
    if document.type != "adr":
        raise Refusal(
            "not-a-decision", f"{document.relative} is no decision record (adr)", "vaultspec-core vault list adr"
        )
    return document


def _check_circle(vault: Vault, old: Document, new_text: str) -> None:
    """The new record must not itself be superseded by the old one, however far."""
    seen: set[str] = set()
    text = new_text
    while (stem := link_target(split(text).text("superseded_by") or "").casefold()) and stem not in seen:
        if stem == old.stem.casefold():
            message = f"{old.stem} already stands in the line of those that supersede the new record"
            raise Refusal("superseded-in-a-circle", message)
        seen.add(stem)
        found = vault.corpus.named(stem)
        text = decoded(found[0].relative, vault.read(found[0]) or b"") if found else ""


def _with_status(document: Document, text: str) -> str:
    """The text whose heading of level 1 says that it is superseded."""
    structure = scan(text, len(split_lines(text[: split(text).body_start])))
    title = next((heading for heading in structure.headings if heading.level == 1), None)
    if title is None:
        raise Refusal("no-title", f"{document.relative} has no heading of level 1 to name its status in")
    lines = list(structure.lines)
    line = lines[title.line]
    at = line.rfind(_MARK)
    end = line.find(")", at)
    said = f"{_MARK} `{SUPERSEDED}`)"
    if at >= 0 and end >= 0:
        if line[at + len(_MARK) : end].strip(" \t`") == SUPERSEDED:
            return text
        lines[title.line] = line[:at] + said + line[end + 1 :]
    else:
        bare = line.rstrip()
        lines[title.line] = f"{bare} | {said}{line[len(bare) :]}"
    return "".join(lines)


def _put(vault: Vault, document: Document, before: str, after: str) -> bool:
    if before == after:
        return False
    data = stamped(after, vault.today()).encode("utf-8")
    vault.disk.write(vault.path(document), data, expected=before.encode("utf-8"))
    vault.corpus.put(document.relative, data)
    return True
