"""How far a plan is: its steps counted, and nothing else of it read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from vaultspec_core.plan.grammar import ROW, ROW_HEAD
from vaultspec_core.plan.model import DEFAULT_TIER, TIERS
from vaultspec_core.vault.markdown import TEXT, scan, split_lines

_ROWS = re.compile(f"^{ROW_HEAD}", re.MULTILINE)
_OPAQUE = re.compile("```|~~~|<|\r(?!\n)")
"""Without one of these no line at column 0 can be code, comment or raw HTML, and lines end where MULTILINE says."""


class Tally(NamedTuple):
    """`tier`: L1 to L4. `next_open`: the display path of the first open step in the order of the document."""

    tier: str
    total: int
    closed: int
    next_open: str | None


def tally(text: str, body_start: int, tier: str | None) -> Tally:
    """Count the steps of a document. `tier`: what the frontmatter says."""
    if _OPAQUE.search(text, body_start) is None:
        rows: Iterable[re.Match[str]] = _ROWS.finditer(text, body_start)
    else:
        structure = scan(text, len(split_lines(text[:body_start])))
        lines = zip(structure.lines, structure.kinds, strict=True)
        rows = (row for line, kind in lines if line[0] == "-" and kind == TEXT and (row := ROW.match(line)))
    total = closed = 0
    following: str | None = None
    for row in rows:
        total += 1
        if row[2] == "x":
            closed += 1
        elif following is None:
            following = row[4]
    return Tally(tier if tier in TIERS else DEFAULT_TIER, total, closed, following)
