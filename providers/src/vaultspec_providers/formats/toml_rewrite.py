"""A change of a TOML text, statement by statement: what goes, what is put before which line, what stands instead.

The changes of a server are worked out here; where it belongs is `toml_placing`'s matter. Comment lines are nobody's:
they stay, whatever happens to the table around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from vaultspec_providers.contract import Entry
from vaultspec_providers.formats.toml_text import Statement, comments_within, newline_of
from vaultspec_providers.formats.toml_value import render_row, render_value, same, trimmed


class Rewrite:
    """Statements of `text` by index: those that go, text put before them (or at the end), and text instead of them."""

    def __init__(self, text: str, statements: Sequence[Statement]) -> None:
        self.text = text
        self.statements = statements
        self.newline = newline_of(text)
        self.gone: set[int] = set()
        self.before: dict[int, list[str]] = {}
        self.instead: dict[int, str] = {}

    def __bool__(self) -> bool:
        return bool(self.gone or self.before or self.instead)

    def result(self) -> str:
        """The text after all changes."""
        out: list[str] = []
        for index, (_, start, end, *_) in enumerate(self.statements):
            out += self.before.get(index, ())
            if index not in self.gone:
                out.append(self.instead.get(index) or self.text[start:end])
        return "".join(out + self.before.get(len(self.statements), []))

    def put(self, index: int, text: str) -> None:
        """Insert text before a statement, after what was inserted there already."""
        self.before.setdefault(index, []).append(text)

    def lines(self, indexes: Sequence[int]) -> str:
        """The text of some statements as it is, the last line ended."""
        text = "".join(self.text[self.statements[at].start : self.statements[at].end] for at in indexes)
        return text if text.endswith("\n") else text + self.newline

    def extent(self, pieces: Sequence[int]) -> list[int]:
        """The statements of one server with the blank lines between them."""
        found = list(pieces[:1])
        for last, piece in pairwise(pieces):
            gap = range(last + 1, piece)
            if all(self.blank(at) for at in gap):
                found += gap
            found.append(piece)
        return found

    def blank(self, index: int) -> bool:
        """Whether a statement exists and is an empty line."""
        return 0 <= index < len(self.statements) and self.statements[index].kind == "blank"

    def drop(self, pieces: Sequence[int]) -> None:
        """Take a server out, with nothing around it."""
        self.gone.update(self.extent(pieces))

    def close_gap(self, first: int, last: int) -> None:
        """Of two blank lines, or one at the edge of the file, around lines that went, take one."""
        above, below = self._around(first, last)
        if (above < 0 or self.blank(above)) and (below == len(self.statements) or self.blank(below)):
            self.gone.add(above if above >= 0 else below)

    def close_gap_in_region(self, first: int, last: int) -> None:
        """Of the blank lines around lines that went, take the one below, else the one above: it came with them."""
        above, below = self._around(first, last)
        self.gone.update([at for at in (below, above) if self.blank(at)][:1])

    def _around(self, first: int, last: int) -> tuple[int, int]:
        above, below = first - 1, last + 1
        while above in self.gone:
            above -= 1
        while below in self.gone:
            below += 1
        return above, below

    def lead(self, index: int, floor: int) -> int:
        """The first of the comment lines directly above a statement, all of them after `floor`; else the statement."""
        while index - 1 > floor and self.statements[index - 1].kind == "comment":
            index -= 1
        return index

    def refresh(self, path: tuple[str, ...], pieces: Sequence[int], old: Any, new: Entry) -> bool:
        """Change what differs in the table `[path]`, line by line; equal keys stay. False without such a header."""
        head = next(
            (at for at in pieces if self.statements[at][0] == "table" and self.statements[at].path == path), None
        )
        if head is None:
            return False
        depth = len(path)
        rows = {
            it.path[depth]: at
            for at in pieces
            if len((it := self.statements[at]).path) == depth + 1 and it.kind == "key"
        }
        fresh = trimmed(new)
        for key in sorted(old.keys() | fresh.keys()):
            if key in old and key in fresh and same(old[key], fresh[key]):
                continue
            if key in rows and key in fresh:
                self._replace_value(rows[key], render_value(fresh[key]))
                continue
            stale = [at for at in pieces if self.statements[at].path[depth : depth + 1] == (key,)]
            self.gone.update(stale)
            if stale and self.statements[stale[0]].kind != "key":
                self.close_gap_in_region(stale[0], stale[-1])
            if key in fresh:
                following = next((self.lead(at, head) for name, at in rows.items() if name > key), None)
                last = max(rows.values(), default=head)
                self.put(last + 1 if following is None else following, render_row(key, fresh[key]) + self.newline)
        return True

    def _replace_value(self, index: int, value: str) -> None:
        """Put a value in place of another; comments inside the old one end up behind the new one."""
        _, start, end, _, value_start, value_end = self.statements[index]
        comments = "".join(f" {comment}" for comment in comments_within(self.text, value_start, value_end))
        self.instead[index] = self.text[start:value_start] + value + comments + self.text[value_end:end]
