"""How the cost of checking one document grows with its size: every ratio should be near 4, for each kind of hostile text.

    python scripts/bench_check_growth.py [--bytes 500000] [--fix]

Each kind is checked at the given size, four and sixteen times of it; CPU seconds and the ratio of neighbours are printed.
The command fails when a document of four times the size costs more than eight times as much.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from vaultspec_core.checks.run import check
from vaultspec_core.vault.vault import Vault

FRONT = "---\ntags:\n  - '#research'\n  - '#auth'\ndate: '2026-07-01'\nmodified: '2026-07-01'\nbody_schema: 'body-v2'\nrelated: []\n---\n\n"
LIMIT = 8.0
NOISE_SECONDS = 0.05

KINDS: dict[str, Callable[[int], str]] = {
    "open brackets on one line": lambda size: "[[" * (size // 2),
    "wiki-links on one line": lambda size: "[[x]] " * (size // 6),
    "wiki-links on lines": lambda size: "[[x]]\n" * (size // 6),
    "different wiki-links": lambda size: "".join(f"[[stem-{number:08}]]\n" for number in range(size // 18)),
    "links with a suffix": lambda size: "[[x.md|y]]\n" * (size // 11),
    "half links": lambda size: "[a](b" * (size // 5),
    "open comments": lambda size: "<!--\n" * (size // 5),
    "open comments in paragraphs": lambda size: "a <!--\n\n" * (size // 8),
    "open and closed comments": lambda size: "<!-- a -->\n\n" * (size // 12),
    "unclosed comment parts": lambda size: "<!-- - " * (size // 7),
    "backticks of many lengths": lambda size: " ".join("`" * (number % 999) for number in range(2 * size // 999)),
    "lone backticks": lambda size: "` a " * (size // 4),
    "open braces": lambda size: "{" * size,
    "placeholders": lambda size: "{title} " * (size // 8),
    "white space at line ends": lambda size: "a   \n" * (size // 5),
    "one line of blanks": lambda size: " " * size + "x",
    "blank lines": lambda size: "\n" * size + "x",
    "headings": lambda size: "## Findings\n" * (size // 12),
    "fences": lambda size: "```\n" * (size // 4),
    "nested quotes and lists": lambda size: "> - " * (size // 4),
    "one long line": lambda size: "word " * (size // 5),
}


def seconds(kind: Callable[[int], str], size: int, fix: bool) -> float:
    """CPU seconds of a check of one document by a new process's vault, reading included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, ".vault", "research", "2026-07-01-auth-research.md")
        path.parent.mkdir(parents=True)
        path.write_text(FRONT + kind(size) + "\n", encoding="utf-8")
        vault = Vault.open(Path(folder))
        began = time.process_time()
        check(vault, fix=fix)
        return time.process_time() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=int, default=400_000, help="the smallest size")
    parser.add_argument("--fix", action="store_true", help="repair as well")
    options = parser.parse_args()
    sizes = [options.bytes, options.bytes * 4, options.bytes * 16]
    seconds(KINDS["one long line"], 1000, options.fix)
    worst = 0.0
    for name, kind in KINDS.items():
        costs = [seconds(kind, size, options.fix) for size in sizes]
        ratios = [larger / max(smaller, NOISE_SECONDS) for smaller, larger in pairwise(costs)]
        worst = max(worst, *ratios)
        shown = "  ".join(f"{cost:8.3f} s" for cost in costs)
        sys.stdout.write(f"{name:30} {shown}   x{ratios[0]:.1f}  x{ratios[1]:.1f}\n")
        sys.stdout.flush()
    sys.stdout.write(f"worst ratio for four times the size: {worst:.1f} (limit {LIMIT})\n")
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
