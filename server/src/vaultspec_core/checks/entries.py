"""Change a list in the frontmatter and keep the comments on its lines, also on lines whose entry changes or goes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultspec_core.report import Refusal
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.splice import set_list

_ITEM = re.compile(
    r"""[ ]*-[ ]+(?:'(?:[^']|'')*+'|"[^"\\\r\n]*+"|[^\s'"#][^#\r\n]*?)(?:[ \t]+(#[^\r\n]*))?[ \t]*(\r?\n)?\Z"""
)
_LONG = 2_000
"""Characters from which on a line is not taken apart."""


def set_entries(text: str, key: str, values: Sequence[str], after: Sequence[str] = ()) -> str:
    """The text with the list set. Raises Refusal `frontmatter-unusual` where that cannot be done safely."""
    changed = set_list(text, key, values, after)
    if changed == text:
        return text
    before, kept = _items(text, key), _items(changed, key)
    if before is None or kept is None:
        return changed
    lost = [comment for comment in before if comment is not None]
    for comment in kept:
        if comment in lost:
            lost.remove(comment)
    if not lost:
        return changed
    pairs = list(zip(before, kept, strict=True)) if len(before) == len(kept) else []
    inline = [old if new is None else None for old, new in pairs]
    if sorted(comment for comment in inline if comment is not None) == sorted(lost):
        return _proven(changed, key, _with_comments(changed, key, inline))
    return _proven(changed, key, _below(changed, key, lost))


def _lines(text: str, key: str) -> tuple[list[str], int, range] | None:
    """The lines of the text, the line of the key, and the lines of its items, comments and blank lines."""
    front = split(text)
    head = text[: front.block_end].count("\n")
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    first = text[: front.block_start].count("\n")
    found = [number for number in range(first, head) if lines[number].startswith(f"{key}:")]
    if not found:
        return None
    end = found[-1] + 1
    while end < head and (lines[end].lstrip(" ")[:1] in ("-", "#") or not lines[end].strip()):
        end += 1
    return lines, found[-1], range(found[-1] + 1, end)


def _items(text: str, key: str) -> list[str | None] | None:
    """The comment on the line of each item; None where the list is not one item a line."""
    place = _lines(text, key)
    if place is None:
        return None
    comments: list[str | None] = []
    for number in place[2]:
        line = place[0][number]
        if line.lstrip(" ").startswith("-"):
            match = _ITEM.match(line) if len(line) < _LONG else None
            if match is None:
                return None
            comments.append(match[1])
    return comments


def _with_comments(text: str, key: str, comments: Sequence[str | None]) -> str:
    """The comments put back on the lines of the items in their order."""
    place = _lines(text, key)
    if place is None:
        return text
    lines, _, within = place
    numbers = [number for number in within if lines[number].lstrip(" ").startswith("-")]
    for number, comment in zip(numbers, comments, strict=True):
        if comment is not None:
            bare = lines[number].rstrip("\r\n")
            lines[number] = f"{bare} {comment.rstrip()}{lines[number][len(bare) :]}"
    return "".join(lines)


def _below(text: str, key: str, comments: Sequence[str]) -> str:
    """The comments on lines of their own at the top of the list."""
    place = _lines(text, key)
    if place is None:
        return text
    lines, at, _ = place
    end = "\r\n" if lines[at].endswith("\r\n") else "\n"
    lines[at + 1 : at + 1] = [f"  {comment.rstrip()}{end}" for comment in comments]
    return "".join(lines)


def _proven(before: str, key: str, after: str) -> str:
    """The text after, when it says the same as the one before."""
    if split(before).fields != split(after).fields:
        message = f"the frontmatter has a shape in which `{key}` cannot be set without losing a comment"
        raise Refusal("frontmatter-unusual", message)
    return after
