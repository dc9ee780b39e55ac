"""Inside a run of inline text: code spans and comments, and the links that stand outside them. Linear in the length of the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(r"\\[\s\S]|`+|<!--")
_NOT_BREAK = re.compile(r"[^\r\n]")
_WIKI = re.compile(r"\[\[([^\[\]|\r\n]++)(?:\|([^\[\]\r\n]*+))?\]\]")
_BRACKET = re.compile(r"\\[\s\S]|\[|\](?:\()?")
_DESTINATION = re.compile(
    r"""\(\s*+(?:<((?:[^<>\\\r\n]|\\.)*+)>|((?:[^\s()\\<]|\\\S|\((?:[^\s()\\]|\\\S)*+\))(?:[^\s()\\]|\\\S|\((?:[^\s()\\]|\\\S)*+\))*+))"""
    r"""(?:\s++(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?\s*+\)"""
)
_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|#|//")


class Found(NamedTuple):
    """A link in a run of text, in characters of it. `alias`: the text shown, None when a wiki-link names none."""

    start: int
    end: int
    wiki: bool
    target: str
    alias: str | None


def covered(text: str) -> list[tuple[int, int]]:
    """The code spans and the comments closed in this text, as (from, to) in order."""
    if "`" not in text and "<!--" not in text:
        return []
    tokens = [(match.start(), match.end()) for match in _TOKEN.finditer(text)]
    closers: dict[int, list[int]] = {}
    for run in re.finditer("`+", text):
        closers.setdefault(run.end() - run.start(), []).append(run.start())
    spans: list[tuple[int, int]] = []
    position, comments = 0, True
    for start, end in tokens:
        if start < position or text[start] == "\\":
            continue
        if text[start] == "`":
            same = closers.get(end - start, [])
            index = bisect_right(same, start)
            stop = same[index] + end - start if index < len(same) else -1
        elif comments:
            close = text.find("-->", start + 2)
            comments = close >= 0
            stop = close + 3 if comments else -1
        else:
            continue
        if stop > 0:
            spans.append((start, stop))
            position = stop
    return spans


def blank(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with the spans as spaces; line breaks stay, so does every position."""
    if not spans:
        return text
    parts, position = [], 0
    for start, end in spans:
        parts += [text[position:start], _NOT_BREAK.sub(" ", text[start:end])]
        position = end
    return "".join(parts) + text[position:]


def open_comment(line: str, start: int) -> int:
    """The column where a comment opens that this line does not end; -1 when there is none. Columns before `start` are not looked at."""
    tail = blank(line[start:], covered(line[start:]))
    column = tail.find("<!--")
    while column > 0 and _escaped(tail, column):
        column = tail.find("<!--", column + 1)
    return column + start if column >= 0 else -1


def _escaped(text: str, position: int) -> bool:
    before = text[:position]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def find_links(text: str) -> Iterator[Found]:
    """Wiki-links and relative Markdown links of a text without code spans and comments, in order of their ends."""
    openers: list[int] = []
    wiki_end = 0
    for token in _BRACKET.finditer(text):
        start = token.start()
        if start < wiki_end or text[start] == "\\":
            continue
        if text[start] == "[":
            wiki = _WIKI.match(text, start)
            if wiki:
                wiki_end = wiki.end()
                yield Found(start, wiki_end, True, wiki[1].strip(), None if wiki[2] is None else wiki[2].strip())
            else:
                openers.append(start)
        elif openers:
            opener = openers.pop()
            target = _DESTINATION.match(text, start + 1) if token.end() - start == 2 else None
            if target:
                where = target[2] if target[1] is None else target[1]
                if where and not _ABSOLUTE.match(where):
                    yield Found(opener, target.end(), False, where, text[opener + 1 : start])
                if opener == 0 or text[opener - 1] != "!":
                    openers.clear()
