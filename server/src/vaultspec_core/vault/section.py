"""Edits of a document's body by section, as splices: every line that is not addressed keeps its bytes."""

from __future__ import annotations

from vaultspec_core.report import Refusal
from vaultspec_core.vault.blocks import Heading
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.markdown import Structure, scan, split_lines


class Body:
    """A document taken apart: frontmatter lines, then body lines, with the newline that new text gets."""

    def __init__(self, text: str) -> None:
        front = split(text)
        self.text = text
        self.start = len(split_lines(text[: front.body_start]))
        self.newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
        self.structure: Structure = scan(text, self.start)
        self.lines = self.structure.lines
        self.ends = not text or text.endswith(("\n", "\r"))

    def lines_of(self, content: str) -> list[str]:
        """Content as lines with the document's newline, without blank lines around it."""
        plain = content.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        return [line + self.newline for line in plain.split("\n")] if plain.strip() else []

    def heading(self, said: str) -> Heading:
        """The heading whose line is `said`. Raises Refusal `section-not-found` or `section-ambiguous`."""
        wanted = said.strip()
        found = [heading for heading in self.structure.headings if self.lines[heading.line].strip() == wanted]
        if not found:
            near = [self.lines[heading.line].strip() for heading in self.structure.headings]
            listed = f" Headings: {', '.join(near[:12])}" if near else " The document has no headings."
            data = {"section_not_found": True, "section": said}
            raise Refusal("section-not-found", f"Section not found: {said!r}.{listed}", data=data)
        if len(found) > 1:
            places = ", ".join(str(heading.line + 1) for heading in found)
            raise Refusal(
                "section-ambiguous",
                f"The heading {said!r} stands {len(found)} times, on lines {places}; use set_body, or make them differ.",
                data={"section": said, "lines": [heading.line + 1 for heading in found]},
            )
        return found[0]

    def appended(self, said: str, content: str) -> str:
        """The content after the section's last line that is not blank."""
        section = self.structure.section(self.heading(said))
        stop = section.stop
        while stop > section.start and not self.lines[stop - 1].strip():
            stop -= 1
        return self._spliced(stop, section.stop, [self.newline, *self.lines_of(content)])

    def replaced(self, said: str, content: str) -> str:
        """The content in place of all that stands below the heading."""
        section = self.structure.section(self.heading(said))
        return self._spliced(section.start, section.stop, [self.newline, *self.lines_of(content)])

    def whole(self, content: str) -> str:
        """The content as the whole body."""
        lines = self.lines_of(content)
        head = [self.newline] if self.start else []
        return self._spliced(self.start, len(self.lines), [*head, *lines] if lines else [])

    def _spliced(self, start: int, stop: int, new: list[str]) -> str:
        """Lines `start` to `stop` replaced; a blank line parts the new ones from what follows."""
        before, after = self.lines[:start], self.lines[stop:]
        if before and new and not before[-1].endswith(("\n", "\r")):
            before[-1] += self.newline
        if new and after:
            new.append(self.newline)
        if new and not after and not self.ends:
            new[-1] = new[-1].removesuffix(self.newline)
        return "".join([*before, *new, *after])


def body_content(content: str) -> tuple[str, list[str]]:
    """Content as it may be written into a body, and warnings of what was changed or will be reported by check.

    Raises Refusal `content-unwritable` for text that UTF-8 or Markdown cannot hold.
    """
    warnings: list[str] = []
    try:
        content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refusal("content-unwritable", "The content holds a lone surrogate, which is no text.") from error
    if "\0" in content:
        raise Refusal("content-unwritable", "The content holds a NUL character.")
    front = split(content)
    if front.present:
        content = content[front.body_start :]
        warnings.append(
            "A frontmatter block at the start of the content was left out: frontmatter belongs to its verbs."
        )
    links = [link.target for link in scan(content).links() if link.wiki]
    if links:
        shown = ", ".join(f"[[{target}]]" for target in links[:5])
        warnings.append(f"Wiki-links in prose are reported by check; link documents with `related` instead: {shown}")
    return content, warnings
