"""The structure of a Markdown text by line: what is opaque, headings and their sections, prose without code, links."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from vaultspec_core.vault.blocks import CODE, COMMENT, FENCE, FRONT, HTML, TEXT, Blocks, Heading
from vaultspec_core.vault.inline import blank, covered, find_links

__all__ = ["CODE", "COMMENT", "FENCE", "FRONT", "HTML", "TEXT", "Heading", "Link", "Structure", "scan", "split_lines"]


class Link(NamedTuple):
    """A wiki-link, or a relative Markdown link: neither a URL nor an anchor of the same page.

    `line` (from 0) and `column` say where it begins, `end_line` and `end_column` where it ends. `alias`: the text shown.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    wiki: bool
    target: str
    alias: str | None


def split_lines(text: str) -> list[str]:
    """The lines with their own line ends (LF, CRLF or CR, in any mix); joined they are the text again."""
    return list(io.StringIO(text, newline=""))


class Structure:
    """A scanned text. Lines are counted from 0; joining `lines` gives the text back. `kinds` says what each line is (see `blocks`).

    `start`: the first line scanned. `hidden`: line -> columns that a comment covers which opens inside one line and ends on another.
    """

    __slots__ = ("_linked", "_run", "_starts", "headings", "hidden", "kinds", "lines", "start")

    def __init__(self, lines: list[str], start: int, blocks: Blocks, linked: bool) -> None:
        self.lines = lines
        self.start = start
        self.kinds = blocks.kinds
        self.headings = blocks.headings
        self._starts = blocks.starts
        self.hidden = blocks.hidden
        self._linked = linked
        self._run: tuple[int, list[str]] = (0, [])

    def opaque(self, line: int) -> bool:
        """Whether Markdown does not look inside this line: code, comment, raw HTML, or before the first line scanned."""
        return self.kinds[line] != TEXT

    def continues(self, line: int) -> bool:
        """Whether this line of text goes on with the paragraph of the line before it."""
        index = bisect_right(self._starts, line)
        return self.kinds[line] == TEXT and not self._blank(line) and (not index or self._starts[index - 1] != line)

    def section(self, heading: Heading) -> range:
        """The lines below a heading, up to the next heading that is not deeper."""
        index = self.headings.index(heading)
        for other in self.headings[index + 1 :]:
            if other.level <= heading.level:
                return range(heading.body, other.line)
        return range(heading.body, len(self.lines))

    def prose(self, line: int) -> str:
        """The line with code spans and comments as spaces, same length; a line that is opaque is all spaces."""
        first, run = self._run
        if not first <= line < first + len(run):
            self._run = first, run = self._read_run(line)
        return run[line - first]

    def links(self) -> Iterator[Link]:
        """Every link outside code and comments, in order."""
        if not self._linked:
            return
        done = -1
        for number, line in enumerate(self.lines):
            if number > done and ("[[" in line or "](" in line):
                self.prose(number)
                first, run = self._run
                done = first + len(run) - 1
                yield from _links(first, run)

    def _read_run(self, line: int) -> tuple[int, list[str]]:
        """The run of inline text that the line is part of, code spans and comments blanked."""
        if self.kinds[line] != TEXT or self._blank(line):
            tail = self.hidden.get(line, [(0, len(self.lines[line]))])
            return line, [blank(self.lines[line], tail if self.kinds[line] != TEXT else [])]
        index = bisect_right(self._starts, line)
        first = self._starts[index - 1] if index else line
        limit = self._starts[index] if index < len(self._starts) else len(self.lines)
        last = line + 1
        while last < limit and self.kinds[last] == TEXT and not self._blank(last):
            last += 1
        lines = self.lines[first:last]
        for number in range(first, last):
            if number in self.hidden:
                lines[number - first] = blank(lines[number - first], self.hidden[number])
        text = "".join(lines)
        spans = covered(text)
        return first, split_lines(blank(text, spans)) if spans else lines

    def _blank(self, line: int) -> bool:
        return not self.lines[line].strip(" \t\r\n")


def _links(first: int, run: list[str]) -> Iterator[Link]:
    ends = list(accumulate(map(len, run)))

    def place(position: int) -> tuple[int, int]:
        index = bisect_right(ends, position)
        return first + index, position - (ends[index - 1] if index else 0)

    for found in find_links("".join(run)):
        line, column = place(found.start)
        end_line, end_column = place(found.end - 1)
        yield Link(line, column, end_line, end_column + 1, found.wiki, found.target, found.alias)


def scan(text: str, start: int = 0) -> Structure:
    """Read the structure of a text from line `start` on; the lines before it (frontmatter) are opaque."""
    lines = split_lines(text)
    blocks = Blocks(_without_mark(lines) if start == 0 else lines, start, "<!--" in text)
    return Structure(lines, start, blocks, "[[" in text or "](" in text)


def _without_mark(lines: list[str]) -> list[str]:
    """The lines without a byte order mark before the first."""
    if not lines or lines[0][0] != "\ufeff":
        return lines
    return [lines[0][1:] or "\n", *lines[1:]]
