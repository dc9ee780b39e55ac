"""Our marked block in a line-based file of the user's (`.gitignore`, `.gitattributes`): set, complete, or take out.

Nothing that stands in the block is moved or dropped when it is completed; taken out, it leaves behind every line that neither we
nor an earlier release put there.
"""

from __future__ import annotations

import re
from typing import NamedTuple

BEGIN = "# >>> vaultspec-managed (do not edit this block) >>>"
END = "# <<< vaultspec-managed <<<"

_EARLIER = (
    r"\.vaultspec/(?:\*\.lock|_snapshots/|mcp-ownership\.json|providers\.json)|\.vault/(?:\.obsidian|\.trash|data|logs)/"
    r"|/[A-Za-z0-9_./-]+\.lock|/\.pre-commit-config\.yaml"
    r"|\* text=auto eol=lf|\*\.(?:bat|cmd) text eol=crlf|\.vault/exec/\*\*/\*-ledger\.md merge=union"
)
"""Lines that earlier releases wrote."""


class _Block(NamedTuple):
    """Lines `start` to `end`, markers included. `closed`: it has its end marker."""

    start: int
    end: int
    closed: bool


def with_block(data: bytes | None, wanted: tuple[str, ...]) -> bytes:
    """The file with one block that holds at least the wanted lines; the same bytes when it does already.

    New lines take the file's newline. A block without its end is taken to reach as far as lines of ours do.
    """
    before = data or b""
    newline = b"\r\n" if before.count(b"\r\n") * 2 > before.count(b"\n") else b"\n"
    lines = before.splitlines(keepends=True)
    blocks = _blocks(lines, wanted)
    if not blocks:
        if lines and not lines[-1].endswith(b"\n"):
            lines[-1] += newline
        gap = [newline] if lines and lines[-1].strip() else []
        return b"".join([*lines, *gap, *(text.encode() + newline for text in (BEGIN, *wanted, END))])
    first = blocks[0]
    if len(blocks) == 1 and first.closed and set(wanted) <= _texts(lines, first):
        return before
    held = [line for block in blocks for line in _inside(lines, block)]
    said = {_text(line) for line in held}
    held += [text.encode() + newline for text in wanted if text not in said]
    body = [BEGIN.encode() + newline, *(_ended(line, newline) for line in held), END.encode() + newline]
    gone = {index for block in blocks for index in range(block.start, block.end)}
    above = [_ended(line, newline) for line in lines[: first.start]]
    below = [line for index, line in enumerate(lines) if index >= first.start and index not in gone]
    return b"".join([*above, *body, *below])


def without_block(data: bytes, wanted: tuple[str, ...]) -> bytes | None:
    """The file without our block and the blank line before it; lines in it that are not ours stay where they are.

    None when nothing else is in the file.
    """
    lines = data.splitlines(keepends=True)
    for block in reversed(_blocks(lines, wanted)):
        start = block.start
        kept = [line for line in _inside(lines, block) if not _is_ours(_text(line), wanted)]
        follows = block.end < len(lines) and lines[block.end].strip()
        if not kept and start and not lines[start - 1].strip() and not follows:
            start -= 1
        lines[start : block.end] = kept
    rest = b"".join(lines)
    return rest if rest.strip(b"\xef\xbb\xbf \t\r\n") else None


def has_block(data: bytes | None) -> bool:
    return any(_text(line) == BEGIN for line in (data or b"").splitlines())


def _is_ours(text: str, wanted: tuple[str, ...]) -> bool:
    return not text or text in wanted or re.fullmatch(_EARLIER, text) is not None


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip().lstrip("\ufeff")


def _ended(line: bytes, newline: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + newline


def _inside(lines: list[bytes], block: _Block) -> list[bytes]:
    return lines[block.start + 1 : block.end - block.closed]


def _texts(lines: list[bytes], block: _Block) -> set[str]:
    return {_text(line) for line in _inside(lines, block)}


def _blocks(lines: list[bytes], wanted: tuple[str, ...]) -> list[_Block]:
    found: list[_Block] = []
    index = 0
    while index < len(lines):
        if _text(lines[index]) == BEGIN:
            found.append(_block(lines, index, wanted))
            index = found[-1].end
        else:
            index += 1
    return found


def _block(lines: list[bytes], start: int, wanted: tuple[str, ...]) -> _Block:
    for index in range(start + 1, len(lines)):
        text = _text(lines[index])
        if text == END:
            return _Block(start, index + 1, True)
        if text == BEGIN:
            break
    end = start + 1
    while end < len(lines) and (text := _text(lines[end])) and _is_ours(text, wanted):
        end += 1
    return _Block(start, end, False)
