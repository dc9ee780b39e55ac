"""Edits of a text by lines: what no edit names stays byte for byte, line ends included.

Positions are those of the text as it was read. New lines take the line end of their neighbours; a text without a final
line end still has none afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

BLANKS = " \t\r\n"


def line_end(line: str) -> str:
    """CRLF, LF, CR, or nothing for a last line without one."""
    return "\r\n" if line.endswith("\r\n") else line[-1:] if line[-1:] in ("\n", "\r") else ""


class Lines:
    """Lines and the edits to make in them, which must not overlap; several at one place are made in the order of the calls."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._edits: list[tuple[int, int, list[str]]] = []

    def __getitem__(self, number: int) -> str:
        return self._lines[number]

    def __len__(self) -> int:
        return len(self._lines)

    def rewrite(self, start: int, end: int, texts: Sequence[str]) -> None:
        """Put other lines in the place of `start` to `end` (exclusive)."""
        self._edits.append((start, end, list(texts)))

    def replace(self, line: int, text: str) -> None:
        """Put another text into a line, which keeps its line end."""
        self.rewrite(line, line + 1, [text if line_end(text) else text + line_end(self._lines[line])])

    def insert(self, at: int, texts: Sequence[str]) -> None:
        """Put lines before line `at`."""
        self.rewrite(at, at, texts)

    def insert_block(self, at: int, texts: Sequence[str]) -> None:
        """Put lines before line `at`, with a blank line above and below."""
        above = [""] if at > 0 and not self.blank(at - 1) else []
        below = [""] if at < len(self) and not self.blank(at) else []
        self.insert(at, [*above, *texts, *below])

    def remove(self, start: int, end: int) -> None:
        """Take lines out, and the blank line that would be left over between two others."""
        if end == len(self) and self.blank(start - 1):
            start -= 1
        elif end < len(self) and self.blank(start - 1) and self.blank(end):
            end += 1
        self.rewrite(start, end, [])

    def blank(self, line: int) -> bool:
        """Whether the line holds nothing; before the first there is none."""
        return line >= 0 and not self._lines[line].strip(BLANKS)

    def content_end(self, start: int, end: int) -> int:
        """The line after the last one of a range that holds something; `start` if none does."""
        while end > start and self.blank(end - 1):
            end -= 1
        return end

    def touched(self) -> set[int]:
        """The lines that the edits replace or take out."""
        return {number for start, end, _ in self._edits for number in range(start, end)}

    def text(self) -> str:
        """The text with the edits made."""
        lines = list(self._lines)
        bare = bool(lines) and not line_end(lines[-1])
        if bare:
            lines[-1] += self._line_end_at(len(lines))
        for start, end, texts in reversed(sorted(self._edits, key=lambda edit: edit[:2])):  # noqa: C413 (keeps equal places in order)
            lines[start:end] = [text if line_end(text) else text + self._line_end_at(start) for text in texts]
        text = "".join(lines)
        ends = [texts for _, end, texts in self._edits if end == len(self)]
        if bare and (not ends or any(ends)):
            return text[: -len(line_end(text))]
        return text

    def _line_end_at(self, at: int) -> str:
        for number in (at - 1, at, 0):
            if 0 <= number < len(self) and (end := line_end(self._lines[number])):
                return end
        return "\n"
