"""The marker lines that frame our tables in a TOML host file, and which of them still frame something.

    # <vaultspec type="mcps">
    ...
    # </vaultspec>

Only whole comment lines count, so text inside a string never does. A closing line names no type: it ends what was
opened last.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.toml_text import Statement, line_of

TYPE = "mcps"
OPENING = f'# <vaultspec type="{TYPE}">'
CLOSING = "# </vaultspec>"

_MARK = re.compile(r"#\s*<(/?)vaultspec\b([^<>]*)>")
_TYPE = re.compile(r"""\btype=["']([^"']*)["']""")

_Pair = tuple[int, int]


class Marks(NamedTuple):
    """Marker lines by index of their statements.

    `region`: opening and closing line of the one region of ours, None when there is none that a table could stand in.
    `strays`: marker lines of ours that frame nothing, or something a second time; they go when the file is settled.
    `others`: the regions of other types. `lines`: all marker lines of both.
    """

    region: _Pair | None
    strays: frozenset[int]
    others: tuple[_Pair, ...]
    lines: frozenset[int]

    def inside(self, indexes: Iterable[int]) -> bool:
        """Whether all these statements stand within our region."""
        return self.region is not None and all(self.region[0] < index < self.region[1] for index in indexes)


def find_marks(text: str, statements: Sequence[Statement], mine: Sequence[int], recorded: bool) -> Marks:
    """The marker lines of a text, settled by what is known of our servers.

    `mine`: the statements of our servers, in order; `recorded`: whether a record says that this file has a region.
    Raises HostFileError, with the line, for half or doubled markers when there is no record.
    """
    ours, others, halves, loose = _paired(text, statements)
    if (halves or len(ours) > 1) and not recorded:
        index = halves[0] if halves else ours[1][0]
        why = "is never closed" if halves else "opens a second region"
        raise HostFileError(
            f"the marker line `{OPENING}` {why}, and no record tells what belongs to it: remove the line",
            line_of(text, statements[index].start),
        )
    contents = [index for index, statement in enumerate(statements) if statement.path]
    tables = [index for index in contents if statements[index].kind != "key"]

    def takes_a_table(pair: _Pair) -> bool:
        """Without capturing the keys that follow the region."""
        after = bisect(contents, pair[1])
        return after == len(contents) or statements[contents[after]].kind != "key" or _between(tables, pair)

    usable = [pair for pair in ours if takes_a_table(pair)]
    region = next((pair for pair in usable if _between(mine, pair)), usable[0] if usable else None)
    strays = {index for pair in ours if pair != region for index in pair}.union(halves)
    # A closing line of nobody was ours where nothing stands between it and a table of ours, or the end of our region.
    end = region[1:] if region else ()
    before = sorted([-1, *contents, *end])
    known = {*mine, *end}
    strays.update(index for index in loose if before[bisect(before, index) - 1] in known)
    if recorded and region is None:
        # A client that rewrites its file drops the opening line with the table's comments; the closing line moves down.
        below = [index for index in loose if mine and index > mine[0]]
        strays.update(below[:1] or loose)
    lines = {*loose, *halves, *(index for pair in [*ours, *others] for index in pair)}
    return Marks(region, frozenset(strays), tuple(others), frozenset(lines))


def _between(indexes: Sequence[int], pair: _Pair) -> bool:
    return bisect(indexes, pair[0]) < bisect(indexes, pair[1])


def _paired(text: str, statements: Sequence[Statement]) -> tuple[list[_Pair], list[_Pair], list[int], list[int]]:
    """Our regions, other regions, our opening lines without an end, and closing lines of nobody."""
    ours: list[_Pair] = []
    others: list[_Pair] = []
    loose: list[int] = []
    unclosed: list[tuple[str, int]] = []
    for index, statement in enumerate(statements):
        if statement.kind != "comment":
            continue
        mark = _MARK.fullmatch(text[statement.start : statement.end].strip())
        if mark is None:
            continue
        if not mark[1]:
            kind = _TYPE.search(mark[2])
            unclosed.append((kind[1] if kind else "", index))
        elif unclosed:
            type_, opening = unclosed.pop()
            (ours if type_ == TYPE else others).append((opening, index))
        else:
            loose.append(index)
    return ours, others, [index for type_, index in unclosed if type_ == TYPE], loose
