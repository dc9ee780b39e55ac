"""A plan being edited: the edits of its lines, and what the plan shall say afterwards.

`finish` makes the edits, keeps the comment of retired identifiers, and lets the guard compare what was meant with what came out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultspec_core.plan.grammar import parse_text, retired_comments, retired_in
from vaultspec_core.plan.guard import Expected, Part, guard, placeless
from vaultspec_core.plan.model import Plan, Step
from vaultspec_core.report import Refusal
from vaultspec_core.vault.lines import Lines
from vaultspec_core.vault.markdown import COMMENT
from vaultspec_core.vault.splice import set_scalar

Source = str | Plan
"""A plan to edit: its text, or the plan as it was read, so that one edit after the other reads each text once."""


class Draft:
    """One edit of a plan. `plan` is the plan before the edit; `lines` takes the edits, at positions of that plan."""

    def __init__(self, source: Source) -> None:
        self.plan = parse_text(source) if isinstance(source, str) else source
        self.lines = Lines(self.plan.structure.lines)
        self.expected = Expected.of(self.plan)
        self._retiring: set[str] = set()
        self._tier: str | None = None

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

    def item_end(self, step: Step) -> int:
        """The line after a row and all that belongs to its list item: indented lines and lazy continuations."""
        structure = self.plan.structure
        end, number, separated = step.line + 1, step.line + 1, False
        while number < len(self.lines):
            line = self.lines[number]
            if self.lines.blank(number):
                separated = True
            elif line.startswith(("  ", "\t")) or (not separated and structure.continues(number)):
                end = number + 1
            else:
                break
            number += 1
        return end

    def finish(self) -> Plan:
        """The plan as edited. Raises Refusal `plan-guard` when it would not say what was meant."""
        self._keep_retired()
        text, touched = self.lines.text(), self.lines.touched()
        if self._tier is not None:
            text = set_scalar(text, "tier", self._tier, after=("modified", "date", "tags"))
            touched.update(range(self.plan.structure.start))
        self.expected.retired = self.plan.retired | self._retiring
        after = parse_text(text, like=self.plan)
        guard(self.plan, after, self.expected, touched)
        return after

    def _keep_retired(self) -> None:
        """Write what is retired into the first comment on lines of its own that stays, or into a new one above the title."""
        structure, gone = self.plan.structure, self.lines.touched()
        comments = [(first, structure.lines[first:last]) for first, last in retired_comments(structure)]
        kept = [comment for comment in comments if comment[0] not in gone]
        missing = set(self._retiring)
        if len(kept) < len(comments):
            missing |= self.plan.retired - parse_text(self.lines.text()).retired
        for _, lines in kept:
            missing -= retired_in("".join(lines))
        if not missing:
            return
        standing = [comment for comment in kept if structure.kinds[comment[0]] == COMMENT]
        if standing:
            first, lines = standing[0]
            self.lines.rewrite(first, first + len(lines), _with_retired(lines, missing))
            return
        title = next((heading.line for heading in structure.headings if heading.level == 1), structure.start)
        self.lines.insert(title, [f"<!-- RETIRED: {_listed(missing)} -->", ""])


def _with_retired(lines: list[str], missing: set[str]) -> list[str]:
    """The comment with more identifiers, in order; its first list is written anew, the rest stays."""
    text = "".join(lines)
    head, mark, tail = text.partition("RETIRED:")
    inner, close, rest = tail.partition("-->")
    if not close:
        raise Refusal("plan-guard", "the comment of retired identifiers is not closed")
    if set(inner) <= set("WPSabcdefghijklmnopqrstuvwxyz0123456789, \t\r\n"):
        inner = f" {_listed(retired_in(text) | missing)} "
    else:
        inner = f"{inner.rstrip()}, {_listed(missing)} "
    return [head + mark + inner + close + rest]


def _listed(identifiers: Iterable[str]) -> str:
    return ", ".join(sorted(identifiers, key=_order))


def _order(identifier: str) -> tuple[int, int, str]:
    """Waves, phases, steps; each by number, then letter."""
    number = identifier[1:].rstrip("abcdefghijklmnopqrstuvwxyz")
    return "WPS".index(identifier[0]), int(number), identifier
