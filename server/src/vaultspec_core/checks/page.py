"""One document as the validators see it: its text, and what follows from that, each part worked out once and on demand."""

from __future__ import annotations

from functools import cached_property

from vaultspec_core.checks.comments import Comments
from vaultspec_core.vault.document import Document, parse
from vaultspec_core.vault.frontmatter import UNREADABLE, Frontmatter, split
from vaultspec_core.vault.markdown import Structure, scan, split_lines

LIST_LIMIT = 1_000
"""Entries of a list beyond which no repair changes it: nobody wrote that by hand."""


class Page:
    """A document and its text. `shipped`: the comments that templates wrote. `today`: the day that a repair stamps."""

    def __init__(self, document: Document, text: str, shipped: Comments, today: str) -> None:
        self.document = document
        self.text = text
        self.shipped = shipped
        self.today = today

    def turned(self, text: str) -> Page:
        """The page with another text."""
        data = text.encode("utf-8")
        return Page(parse(self.document.relative, data, len(data), None), text, self.shipped, self.today)

    @cached_property
    def front(self) -> Frontmatter:
        return split(self.text)

    @cached_property
    def editable(self) -> bool:
        """Whether the frontmatter is there and was understood: no repair touches another one."""
        return self.front.present and all(problem.code != UNREADABLE for problem in self.front.problems)

    def entries(self, field: str) -> list[str] | None:
        """The field if it is a list of texts that a repair may change; None for anything else."""
        said = self.front.fields.get(field)
        if not self.editable or not isinstance(said, list) or len(said) > LIST_LIMIT:
            return None
        texts = [entry for entry in said if isinstance(entry, str)]
        return texts if len(texts) == len(said) else None

    @cached_property
    def body(self) -> str:
        return self.text[self.front.body_start :]

    @cached_property
    def structure(self) -> Structure:
        """Lines are those of the whole file, from 0; those of the frontmatter are opaque."""
        head = self.text[: self.front.body_start]
        return scan(self.text, len(split_lines(head)) if "\r" in head else head.count("\n"))

    def spliced(self, edits: list[tuple[int, int, int, int, str]]) -> str:
        """The text with ranges replaced: (line, column, end line, end column, new), in order and apart from each other."""
        lines, out, line, column = self.structure.lines, [], 0, 0
        for first, start, last, end, new in edits:
            if first == line:
                out.append(lines[line][column:start])
            else:
                out += [lines[line][column:], *lines[line + 1 : first], lines[first][:start]]
            out.append(new)
            line, column = last, end
        return "".join([*out, lines[line][column:], *lines[line + 1 :]]) if lines else self.text
