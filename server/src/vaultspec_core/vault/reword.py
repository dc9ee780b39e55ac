"""Replace words in the values of one frontmatter field and leave every other byte of its lines: quotes, spaces, comments, order."""

from __future__ import annotations

import re
from collections.abc import Mapping

from vaultspec_core.vault.frontmatter import split

_COMMENT = re.compile(r"[ \t]#(?![^\s'\"\]]*['\"\]])")


def reworded(text: str, key: str, words: Mapping[str, str], value: object) -> str | None:
    """The text with each word (case-folded) replaced by its new form where the field names it; None when that does not give `value`."""
    front = split(text)
    if not front.present or not words:
        return None
    lines = [f"{line}\n" for line in text[front.block_start : front.block_end].split("\n")[:-1]]
    starts = [number for number, line in enumerate(lines) if line.startswith(f"{key}:")]
    if len(starts) != 1:
        return None
    known = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w./-])(?:{known})(?![\w-])", re.IGNORECASE)
    number = starts[0]
    head = len(key) + 1
    while number < len(lines) and (head or lines[number][0] in " -#\r\n"):
        line = lines[number]
        comment = _COMMENT.search(line, head)
        end = comment.start() if comment else len(line)
        if not line.lstrip().startswith("#"):
            new = pattern.sub(lambda found: words.get(found[0].casefold(), found[0]), line[head:end])
            lines[number] = line[:head] + new + line[end:]
        head = 0
        number += 1
    changed = text[: front.block_start] + "".join(lines) + text[front.block_end :]
    return changed if split(changed).fields == {**front.fields, key: value} else None
