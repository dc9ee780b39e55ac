"""A plan being edited by lines: splices against the text as it was read, and what the plan shall say afterwards.

`finish` applies the splices, keeps the comment of retired identifiers, and lets the guard compare what was meant with what came
out. Lines that no splice names stay byte for byte, their line ends included.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultspec_core.plan.grammar import parse_text, retired_comments, retired_in
from vaultspec_core.plan.guard import Expected, Part, guard, placeless
from vaultspec_core.plan.model import Plan, Step
from vaultspec_core.report import Refusal
from vaultspec_core.vault.splice import set_scalar


def line_end(line: str) -> str:
    """CRLF, LF, CR, or nothing for a last line without one."""
    return "\r\n" if line.endswith("\r\n") else line[-1:] if line[-1:] in ("\n", "\r") else ""


class Draft:
    """One edit of a plan. Positions are lines of `plan`, the plan before the edit."""

    def __init__(self, text: str) -> None:
        self.plan: Plan = parse_text(text)
        self.lines = self.plan.structure.lines
        self.expected = Expected.of(self.plan)
        self._text = text
        self._splices: list[tuple[int, int, list[str]]] = []
        self._retiring: set[str] = set()
        self._tier: str | None = None

    # What shall change

    def replace(self, line: int, text: str) -> None:
        """Put another text into a line, which keeps its line end."""
        self._splices.append((line, line + 1, [text if line_end(text) else text + line_end(self.lines[line])]))

    def rewrite(self, start: int, end: int, texts: Sequence[str]) -> None:
        """Put other lines in the place of a range."""
        self._splices.append((start, end, list(texts)))

    def remove(self, start: int, end: int) -> None:
        """Take lines out, and the blank line that would be left over between two others."""
        if end == len(self.lines) and self.blank(start - 1):
            start -= 1
        elif end < len(self.lines) and self.blank(start - 1) and self.blank(end):
            end += 1
        self.rewrite(start, end, [])

    def insert(self, at: int, texts: Sequence[str]) -> None:
        """Put lines before line `at`; those without a line end take that of their neighbours."""
        self.rewrite(at, at, texts)

    def insert_block(self, at: int, texts: Sequence[str]) -> None:
        """As `insert`, with a blank line above and below."""
        above = [""] if at > 0 and not self.blank(at - 1) else []
        below = [""] if at < len(self.lines) and not self.blank(at) else []
        self.insert(at, [*above, *texts, *below])

    def set_tier(self, tier: str) -> None:
        """Set the tier in the frontmatter."""
        self._tier = tier

    def put(self, new: Part, old: Part | None = None) -> None:
        """The plan shall hold this step, wave or phase, in the place of `old` if that is given."""
        if old is not None:
            self.drop(old)
        self.expected.parts[placeless(new)] += 1

    def drop(self, part: Part) -> None:
        """The plan shall not hold this step, wave or phase any more."""
        self.expected.parts[placeless(part)] -= 1

    def retire(self, identifiers: Sequence[str]) -> None:
        """These identifiers go into the comment of retired ones."""
        self._retiring.update(identifiers)

    # Where things stand

    def blank(self, line: int) -> bool:
        """Whether the line holds nothing; what is before the first is none."""
        return line >= 0 and not self.lines[line].strip(" \t\r\n")

    def item_end(self, step: Step) -> int:
        """The line after a row and all that belongs to its list item: indented lines and lazy continuations."""
        structure = self.plan.structure
        end, number, separated = step.line + 1, step.line + 1, False
        while number < len(self.lines):
            line = self.lines[number]
            if self.blank(number):
                separated = True
            elif line.startswith(("  ", "\t")) or (not separated and structure.continues(number)):
                end = number + 1
            else:
                break
            number += 1
        return end

    def content_end(self, start: int, end: int) -> int:
        """The line after the last one with content in a range; `start` if there is none."""
        while end > start and self.blank(end - 1):
            end -= 1
        return end

    def finish(self) -> str:
        """The text as edited. Raises Refusal `plan-guard` when it would not say what was meant."""
        self._keep_retired()
        lines, touched = list(self.lines), set[int]()
        bare = bool(lines) and not line_end(lines[-1])
        if bare:
            lines[-1] += self._default_end(len(lines))
        ordered = sorted(self._splices, key=lambda splice: splice[:2])
        for start, end, texts in reversed(ordered):
            touched.update(range(start, end))
            lines[start:end] = [text if line_end(text) else text + self._default_end(start) for text in texts]
        text = "".join(lines)
        if bare and not self._ends_removed():
            text = text[: -len(line_end(text))]
        if self._tier is not None:
            text = set_scalar(text, "tier", self._tier, after=("modified", "date", "tags"))
            touched.update(range(self.plan.structure.start))
        self.expected.retired = self.plan.retired | self._retiring
        guard(self.plan, parse_text(text), self.expected, touched)
        return text

    def _ends_removed(self) -> bool:
        """Whether the last line is taken out and nothing put after it."""
        last = [texts for _, end, texts in self._splices if end == len(self.lines)]
        return bool(last) and not any(last)

    def _default_end(self, at: int) -> str:
        for number in (at - 1, at, 0):
            if 0 <= number < len(self.lines) and (end := line_end(self.lines[number])):
                return end
        return "\n"

    def _keep_retired(self) -> None:
        """Write what is retired into the first comment that stays, or into a new one above the title."""
        kept: list[tuple[int, int]] = []
        lost: set[str] = set()
        for first, last in retired_comments(self.plan.structure):
            if any(start <= first < end for start, end, _ in self._splices):
                lost |= retired_in("".join(self.lines[first:last]))
            else:
                kept.append((first, last))
        missing = (self._retiring | lost) - set().union(*(retired_in("".join(self.lines[a:b])) for a, b in kept))
        if not missing:
            return
        if kept:
            first, last = kept[0]
            self._splices.append((first, last, _with_retired(self.lines[first:last], missing)))
            return
        title = next((heading.line for heading in self.plan.structure.headings if heading.level == 1), None)
        at = title if title is not None else self.plan.structure.start
        self.insert(at, [f"<!-- RETIRED: {', '.join(sorted(missing, key=_order))} -->", ""])


def _with_retired(lines: list[str], missing: set[str]) -> list[str]:
    """The comment with more identifiers, in order; its first list is written anew, the rest stays."""
    text = "".join(lines)
    head, mark, tail = text.partition("RETIRED:")
    inner, close, rest = tail.partition("-->")
    if not close:
        raise Refusal("plan-guard", "the comment of retired identifiers is not closed")
    listed = ", ".join(sorted(retired_in(text) | missing, key=_order))
    if set(inner) <= set("WPSabcdefghijklmnopqrstuvwxyz0123456789, \t\r\n"):
        inner = f" {listed} "
    else:
        inner = f"{inner.rstrip()}, {', '.join(sorted(missing, key=_order))} "
    return [head + mark + inner + close + rest]


def _order(identifier: str) -> tuple[int, int, str]:
    """Waves, phases, steps; each by number, then letter."""
    number = identifier[1:].rstrip("abcdefghijklmnopqrstuvwxyz")
    return "WPS".index(identifier[0]), int(number), identifier
