"""Our marked block in a line-based file of the user's (`.gitignore`, `.gitattributes`): set, complete, or take out.

Only the block's own lines change. Lines that an earlier release put into it stay: the block is complete when it holds ours.
"""

from __future__ import annotations

BEGIN = "# >>> vaultspec-managed (do not edit this block) >>>"
END = "# <<< vaultspec-managed <<<"


def with_block(data: bytes | None, wanted: tuple[str, ...]) -> bytes:
    """The file with one block that holds at least the wanted lines; the same bytes when it does already.

    New lines take the file's newline. A block without its end is taken to reach as far as its known lines do.
    """
    before = data or b""
    newline = b"\r\n" if before.count(b"\r\n") * 2 > before.count(b"\n") else b"\n"
    lines = before.splitlines(keepends=True)
    blocks = _blocks(lines, wanted)
    if len(blocks) == 1 and _whole(lines, blocks[0]) and set(wanted) <= _texts(lines, blocks[0]):
        return before
    held = {text for block in blocks for text in _texts(lines, block)}
    body = [line.encode() + newline for line in (BEGIN, *sorted(held | set(wanted)), END)]
    if not blocks:
        if lines and not lines[-1].endswith(b"\n"):
            lines[-1] += newline
        gap = [newline] if lines and lines[-1].strip() else []
        return b"".join([*lines, *gap, *body])
    first = blocks[0][0]
    gone = {index for start, end in blocks for index in range(start, end)}
    kept_before = [line for index, line in enumerate(lines[:first]) if index not in gone]
    kept_after = [line for index, line in enumerate(lines) if index >= first and index not in gone]
    if kept_before and not kept_before[-1].endswith(b"\n"):
        kept_before[-1] += newline
    return b"".join([*kept_before, *body, *kept_after])


def without_block(data: bytes, wanted: tuple[str, ...]) -> bytes | None:
    """The file without our block and the blank line before it; None when nothing else is in it."""
    lines = data.splitlines(keepends=True)
    for start, end in reversed(_blocks(lines, wanted)):
        if start and not lines[start - 1].strip() and (end == len(lines) or not lines[end].strip()):
            start -= 1
        del lines[start:end]
    rest = b"".join(lines)
    return rest if rest.strip(b"\xef\xbb\xbf \t\r\n") else None


def has_block(data: bytes | None) -> bool:
    return any(_text(line) == BEGIN for line in (data or b"").splitlines())


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip().lstrip("\ufeff")


def _texts(lines: list[bytes], block: tuple[int, int]) -> set[str]:
    texts = {_text(line) for line in lines[block[0] : block[1]]}
    return texts - {BEGIN, END, ""}


def _whole(lines: list[bytes], block: tuple[int, int]) -> bool:
    return _text(lines[block[1] - 1]) == END


def _blocks(lines: list[bytes], wanted: tuple[str, ...]) -> list[tuple[int, int]]:
    """Line ranges of our blocks, markers included."""
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(lines):
        if _text(lines[index]) == BEGIN:
            end = _end(lines, index, wanted)
            found.append((index, end))
            index = end
        else:
            index += 1
    return found


def _end(lines: list[bytes], start: int, wanted: tuple[str, ...]) -> int:
    for index in range(start + 1, len(lines)):
        text = _text(lines[index])
        if text == END:
            return index + 1
        if text == BEGIN:
            break
    index = start + 1
    while index < len(lines) and _text(lines[index]) in wanted:
        index += 1
    return index
