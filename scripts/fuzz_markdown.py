"""Compare the block scanner with markdown-it over many random documents, for longer than a test run has time.

    python scripts/fuzz_markdown.py [SECONDS] [SEED]

Prints the smallest form of every document on which the two differ, and exits 1 if there is one.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "server" / "src")]

from tests.properties.test_markdown import by_the_oracle, disputed  # noqa: E402
from vaultspec_core.vault.markdown import COMMENT, HTML, TEXT, scan  # noqa: E402

INDENTS = ["", "", "", "", "", "", " ", "  ", "   ", "    ", "      ", "\t"]
CONTAINERS = ["", "", "", "- ", "* ", "1. ", "> ", "2) ", "-   ", "10. ", "-\t", ">", "+ ", "-     ", "- [ ] "]
CONTENTS = [
    "# h",
    "## x ##",
    "#",
    "#no",
    "text",
    "```",
    "```py",
    "~~~",
    "````",
    "``` a`b",
    "---",
    "===",
    "- - -",
    "***",
    "`code",
    "`",
    "<!-- x",
    "-->",
    "<!-- a -->",
    "<div>",
    "</div>",
    "<a b='c'>",
    "<a b=c",
    "<pre>",
    "</pre>",
    "<?php",
    "?>",
    "<!X",
    "",
    "",
    "",
    "-",
    "1.",
    "__ _",
    "[a]: /b",
    "a <!-- b --> c",
    "    x",
    "####### 7",
    "```  ",
    "<![CDATA[",
    "]]>",
    "_a",
]
ENDS = ["\n", "\n", "\n", "\n", "\r\n", "\r"]


def document(dice: random.Random) -> str:
    """Up to a dozen lines."""
    lines = []
    for _ in range(dice.randrange(1, 12)):
        nesting = "".join(dice.choice(CONTAINERS) + dice.choice(INDENTS[:9]) for _ in range(dice.randrange(4)))
        lines.append(dice.choice(INDENTS) + nesting + dice.choice(CONTENTS) + dice.choice(ENDS))
    return "".join(lines)


def differs(text: str) -> bool:
    """Whether the two disagree although they should not."""
    structure = scan(text)
    if structure.hidden or disputed(structure.lines):
        return False
    kinds = {number: HTML if kind == COMMENT else kind for number, kind in enumerate(structure.kinds) if kind != TEXT}
    headings = [(heading.line, heading.body, heading.level) for heading in structure.headings]
    return (kinds, headings) != by_the_oracle(text)


def smallest(text: str) -> str:
    """The text without the lines that do not matter."""
    lines = scan(text).lines
    number = 0
    while number < len(lines):
        shorter = lines[:number] + lines[number + 1 :]
        if shorter and differs("".join(shorter)):
            lines, number = shorter, 0
        else:
            number += 1
    return "".join(lines)


def main(seconds: float, seed: int) -> int:
    """Fuzz for so long."""
    dice, found, count = random.Random(seed), set(), 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        count += 1
        text = document(dice)
        if differs(text):
            found.add(smallest(text))
    for text in sorted(found, key=len):
        print(repr(text))
    print(f"{count} documents, {len(found)} differences", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(float((sys.argv[1:] or ["60"])[0]), int((sys.argv[2:] or ["1"])[0])))
