"""The frontmatter of a document: where it stands and what it says, whatever shape it has.

Every scalar is text as it was written (dates and numbers too), save plain `true`, `false` and nothing. The closed grammar of
our own documents (scalars, quoted scalars, flat lists, comments) is read here; anything else goes to the YAML reader. What
cannot be read is a Problem, never an exception.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from vaultspec_core.vault.yaml_fields import Unreadable, Value, plain_value, read_yaml

BOM = "\ufeff"
UNREADABLE = "frontmatter-unreadable"
"""Code of the problem of a block that is no YAML, or more of it than we read."""

_OPENING = re.compile(r"---[ \t]*(\r?\n|\Z)")
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):(?: +(.*))?\Z", re.DOTALL)
_ITEM = re.compile(r"( *)- +(.+)\Z", re.DOTALL)
_SINGLE = re.compile(r"'([^']*(?:''[^']*)*)' *(?: #.*)?\Z", re.DOTALL)
_DOUBLE = re.compile(r'"([^"\\]*)" *(?: #.*)?\Z', re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z0-9_/][A-Za-z0-9_./,()' -]*\Z")
_FLOW = re.compile(r"\[([^\[\]]*)\] *(?: #.*)?\Z", re.DOTALL)
_FLOW_ITEM = re.compile(r""" *(?:'([^']*)'|"([^"\\]*)"|([A-Za-z0-9_/][A-Za-z0-9_./-]*)) *(?:,|\Z)""")
_ODD = "[^\\n\\x20-\\x7e\\xa0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"
"""A character that YAML does not take as it is; a pattern that costs milliseconds to compile and that few documents need."""


class _Other(Enum):
    """What the fast reader does not know."""

    OTHER = 0


class Problem(NamedTuple):
    """One thing that is wrong with a document. `line` counts from 1; None when it is about the whole document."""

    code: str
    message: str
    line: int | None = None


class Frontmatter(NamedTuple):
    """Offsets into the text: the block between the fences is `text[block_start:block_end]`, the body `text[body_start:]`."""

    present: bool
    block_start: int
    block_end: int
    body_start: int
    newline: str
    fields: dict[str, Value]
    problems: tuple[Problem, ...] = ()

    def text(self, key: str) -> str | None:
        """The field if it is text, and not empty."""
        value = self.fields.get(key)
        return value if isinstance(value, str) and value else None

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts in the field's list; a lone text is a list of one; anything else in it is passed over."""
        value = self.fields.get(key)
        if isinstance(value, str):
            return (value,) if value else ()
        if isinstance(value, list):
            return tuple(item for item in value if isinstance(item, str) and item)
        return ()


def split(text: str) -> Frontmatter:
    """Find and read the frontmatter. A byte order mark and blank lines before it are passed over."""
    at = _fence(text)
    opening = _OPENING.match(text, at)
    if opening is None:
        start = 1 if text.startswith(BOM) else 0
        return Frontmatter(False, start, start, start, "\r\n" if "\r\n" in text[:4096] else "\n", {})
    block_start = opening.end()
    newline = opening[1] or "\n"
    first_line = text.count("\n", 0, at) + 1
    closing = _closing(text, block_start)
    if closing is None:
        problem = Problem("frontmatter-open", "the frontmatter has no closing `---` line", first_line)
        return Frontmatter(False, at, at, at, newline, {}, (problem,))
    block_end, body_start = closing
    fields, problems = read_fields(text[block_start:block_end], first_line + 1)
    return Frontmatter(True, block_start, block_end, body_start, newline, fields, tuple(problems))


def _fence(text: str) -> int:
    """Where the opening fence must stand: after a byte order mark and blank lines."""
    if text.startswith("---"):
        return 0
    first = len(text) - len(text.lstrip(f"{BOM} \t\r\n"))
    return text.rfind("\n", 0, first) + 1 or int(text.startswith(BOM))


def _closing(text: str, start: int) -> tuple[int, int] | None:
    """Where the closing fence line starts and where the line after it does."""
    at = start - 1
    while (at := text.find("\n---", at)) >= 0:
        end = text.find("\n", at + 1)
        end = len(text) if end < 0 else end
        if not text[at + 4 : end].strip():
            return at + 1, min(end + 1, len(text))
        at = end
    return None


def read_fields(block: str, first_line: int = 1) -> tuple[dict[str, Value], list[Problem]]:
    """The fields of a block (the text between the fences) and what is wrong with it."""
    fields, repeated, complete = _read_fast(block)
    if complete:
        return fields, [_repeated(key) for key in repeated]
    try:
        loaded, repeated = read_yaml(block)
    except Unreadable as fault:
        line = None if fault.line is None else first_line + fault.line
        return fields, [Problem(UNREADABLE, f"the frontmatter cannot be read: {fault.reason}", line)]
    return loaded, [_repeated(key) for key in repeated]


def _repeated(key: str) -> Problem:
    return Problem("frontmatter-repeated", f"`{key}` stands more than once in the frontmatter; the last one counts")


def _read_fast(block: str) -> tuple[dict[str, Value], list[str], bool]:
    """Fields, repeated keys, and whether every line was understood. Lines that were not are left out."""
    if "\r" in block:
        block = block.replace("\r\n", "\n")
    complete = plain_text(block)
    fields: dict[str, Value] = {}
    repeated: list[str] = []
    key: str | None = None
    items: list[Value] | None = None
    waiting = False
    indent = 0
    for line in block.split("\n"):
        if line[:1] in (" ", "-"):
            bare = line.lstrip(" ")
            if not bare or bare[0] == "#":
                continue
            item = _ITEM.match(line)
            if item is None or key is None or not (waiting or items is not None):
                complete, key, items = False, None, None
                continue
            value = _value(item[2])
            if items is None:
                items, waiting, indent = [], False, len(item[1])
                fields[key] = items
            if value is _Other.OTHER or value is None or isinstance(value, list) or len(item[1]) != indent:
                complete = False
            else:
                items.append(value)
        elif line and line[0] != "#":
            named = _KEY.match(line)
            items = None
            if named is None:
                complete, key = False, None
                continue
            key, rest = named.groups()
            if key in fields:
                repeated.append(key)
            value = _value(rest or "")
            waiting = value is None and (not rest or rest[0] == "#")
            if value is _Other.OTHER:
                fields.pop(key, None)
                complete, key = False, None
            else:
                fields[key] = value
    return fields, repeated, complete


def plain_text(text: str) -> bool:
    """Whether it holds only characters that YAML takes as they are, line feeds included."""
    line = text.replace("\n", " ")
    return (line.isascii() and line.isprintable()) or re.search(_ODD, text) is None


def _value(text: str) -> Value | _Other:
    """One value of the closed grammar; _Other for what only YAML knows."""
    if not text:
        return None
    first = text[0]
    if first in "'\"" and text.find(first, 1) == len(text) - 1 and "\\" not in text:
        return text[1:-1]
    if first == "'":
        match = _SINGLE.match(text)
        return match[1].replace("''", "'") if match else _Other.OTHER
    if first == '"':
        match = _DOUBLE.match(text)
        return match[1] if match else _Other.OTHER
    if first == "[":
        match = _FLOW.match(text)
        return _flow(match[1]) if match else _Other.OTHER
    if first == "#":
        return None
    plain = text.partition(" #")[0].rstrip(" ")
    return plain_value(plain) if _PLAIN.match(plain) else _Other.OTHER


def _flow(inner: str) -> Value | _Other:
    items: list[Value] = []
    at = 0
    if not inner.strip(" "):
        return items
    while at < len(inner):
        match = _FLOW_ITEM.match(inner, at)
        if match is None:
            return _Other.OTHER
        single, double, plain = match.groups()
        value = plain_value(plain) if plain is not None else (single if single is not None else double)
        if value is None:
            return _Other.OTHER
        items.append(value)
        at = match.end()
    return items
