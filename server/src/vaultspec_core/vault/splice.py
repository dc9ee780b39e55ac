"""Set one field of a frontmatter and leave every other byte alone: comments, quoting, order, line ends, byte order mark.

Each function works on the whole text of a document, gives it back unchanged when the field already says so, and reads the
result again before it gives it away. Raises Refusal `frontmatter-unusual` where the field cannot be set safely.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from vaultspec_core.report import Refusal
from vaultspec_core.vault.frontmatter import BOM, UNREADABLE, Frontmatter, Problem, plain_text, read_fields, split
from vaultspec_core.vault.yaml_fields import Value, plain_value

_KEY = re.compile(r"""(?:"([^"]*)"|'([^']*)'|([^\s#'"\[\]{}&*!|>%@`-][^\s#:]*))[ \t]*:(?=\s|\Z)""")
_SCALAR_LINE = re.compile(
    r"""([^:]*:[ \t]+)('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^\s'"#\[{|>&*!][^#\r\n]*?)([ \t]*(?:[ \t]#[^\r\n]*)?)\Z"""
)
_HEAD_LINE = re.compile(r"([^:]*:)[ \t]*(\[[^\[\]\r\n]*\])?([ \t]*(?:#[^\r\n]*)?)\Z")
_ITEM_LINE = re.compile(
    r"""([ ]*-[ ]+)('(?:[^']|'')*'|"[^"\\]*"|[^\s'"#\[\]{}|>&*!:,][^#:\r\n]*?)[ \t]*(?:[ \t]#[^\r\n]*)?\Z"""
)
_LONG = 2_000
"""Characters from which on a line is not taken apart but written anew."""

_PLAIN = re.compile(r"[A-Za-z0-9_/][A-Za-z0-9_./()-]*\Z")


def set_scalar(text: str, key: str, value: str, after: Sequence[str] = ()) -> str:
    """Set a field to a text. Quotes and comment of the line stay; a new field is single-quoted and stands after the first of the keys `after` that is there."""
    front = split(text)
    if front.fields.get(key) == value:
        return text

    def write(lines: list[str], newline: str) -> list[str]:
        found = _SCALAR_LINE.match(lines[0].rstrip("\r\n")) if len(lines) == 1 and len(lines[0]) < _LONG else None
        if found:
            head, old, comment = found.groups()
            return [f"{head}{_quoted(value, old[0])}{comment}{newline}"]
        return [f"{key}: {_quoted(value, chr(39))}{newline}"]

    return _set(text, front, key, value, after, write)


def set_list(text: str, key: str, values: Sequence[str], after: Sequence[str] = ()) -> str:
    """Set a field to a list of texts. Lines of items that stay are kept as they are; new items take the indent and quotes of the others."""
    front = split(text)
    wanted = list(values)
    if front.fields.get(key) == wanted:
        return text

    def write(lines: list[str], newline: str) -> list[str]:
        return _list_lines(lines, newline, wanted) or _new_list(key, wanted, newline)

    return _set(text, front, key, list(wanted), after, write)


def remove_field(text: str, key: str) -> str:
    """Take the lines of a field out."""
    front = split(text)
    if key not in front.fields:
        return text
    return _set(text, front, key, None, (), lambda lines, newline: [])


def _set(
    text: str,
    front: Frontmatter,
    key: str,
    value: Value,
    after: Sequence[str],
    write: Callable[[list[str], str], list[str]],
) -> str:
    """Put the lines that `write` makes of the field's lines (none: there is no such field) in their place, and prove the result."""
    newline = front.newline
    if not front.present:
        if front.problems:
            raise _unusual(key)
        bom = BOM if text.startswith(BOM) else ""
        made = "".join(write([], newline))
        return f"{bom}---{newline}{made}---{newline}{newline}{text[len(bom) :]}"
    block = text[front.block_start : front.block_end]
    lines = [f"{line}\n" for line in block.split("\n")[:-1]]
    entries = _entries(lines)
    if key in entries:
        entry = entries[key]
        own = lines[entry.start : entry.end]
        newline = "\r\n" if own[-1].endswith("\r\n") else "\n"
        lines[entry.start : entry.end] = write(own, newline)
    else:
        place = next((entries[name].end for name in after if name in entries), len(lines))
        lines[place:place] = write([], newline)
    changed = "".join(lines)
    fields, problems = read_fields(changed)
    expected = {name: old for name, old in front.fields.items() if name != key}
    if value is not None:
        expected[key] = value
    if fields != expected or (_unreadable(problems) and not _unreadable(front.problems)):
        raise _unusual(key)
    return text[: front.block_start] + changed + text[front.block_end :]


def _unreadable(problems: Sequence[Problem]) -> bool:
    return any(problem.code == UNREADABLE for problem in problems)


def _unusual(key: str) -> Refusal:
    return Refusal(
        "frontmatter-unusual",
        f"the frontmatter has a shape in which `{key}` cannot be set without touching the rest",
        "Write the field on lines of its own (`key: value`) and try again.",
    )


class _Entry(NamedTuple):
    """The lines `start` to `end` (exclusive) of one field; comments and blank lines below it are not its own."""

    start: int
    end: int


def _entries(lines: list[str]) -> dict[str, _Entry]:
    """The fields by key; of a repeated key the last, which is the one that counts."""
    entries: dict[str, _Entry] = {}
    key: str | None = None
    start = end = 0
    for number, line in enumerate(lines):
        bare = line.strip()
        named = _KEY.match(line)
        if named:
            if key is not None:
                entries[key] = _Entry(start, end)
            key = next(group for group in named.groups() if group is not None)
            start, end = number, number + 1
        elif bare and (bare[0] != "#" or line[0] in " \t"):
            end = number + 1
    if key is not None:
        entries[key] = _Entry(start, end)
    return entries


def _new_list(key: str, values: list[str], newline: str) -> list[str]:
    if not values:
        return [f"{key}: []{newline}"]
    return [f"{key}:{newline}", *(f"  - {_quoted(value, _usual(value))}{newline}" for value in values)]


def _usual(value: str) -> str:
    """Links are written in double quotes, tags in single ones."""
    return '"' if value.startswith("[[") else "'"


def _list_lines(lines: list[str], newline: str, wanted: list[str]) -> list[str] | None:
    """The lines of the list with the wanted items; None when its shape is not one that can be edited line by line."""
    head = _HEAD_LINE.match(lines[0].rstrip("\r\n")) if lines and len(lines[0]) < _LONG else None
    if head is None:
        return None
    name, flow, comment = head.groups()
    if flow is not None:
        return _flow_lines(lines, newline, wanted, name, flow, comment)
    items: list[tuple[str, list[str]]] = []
    notes: list[str] = []
    lead, quote = "  - ", ""
    for line in lines[1:]:
        found = _ITEM_LINE.match(line.rstrip("\r\n")) if len(line) < _LONG else None
        if found:
            lead, quote = (found[1], found[2][0]) if not items else (lead, quote)
            items.append((_unquoted(found[2]), [*notes, line]))
            notes = []
        elif not line.strip() or line.lstrip(" ").startswith("#"):
            notes.append(line)
        else:
            return None
    if not wanted:
        kept = [line for _, own in items for line in own[:-1]]
        return [f"{name} []{comment and ' ' + comment.strip()}{newline}", *kept, *notes]
    body = _merged(items, wanted, lambda value: f"{lead}{_quoted(value, quote or _usual(value))}{newline}")
    return [lines[0], *body, *notes]


def _flow_lines(
    lines: list[str], newline: str, wanted: list[str], name: str, flow: str, comment: str
) -> list[str] | None:
    if any(line.strip() and not line.lstrip().startswith("#") for line in lines[1:]):
        return None
    comment = comment and " " + comment.strip()
    inner = flow[1:-1].strip()
    if not inner and wanted:
        made = [f"  - {_quoted(value, _usual(value))}{newline}" for value in wanted]
        return [f"{name}{comment}{newline}", *made, *lines[1:]]
    quote = inner[0] if inner[:1] in ("'", '"') else "'"
    return [f"{name} [{', '.join(_quoted(value, quote) for value in wanted)}]{comment}{newline}", *lines[1:]]


def _merged(items: list[tuple[str, list[str]]], wanted: list[str], make: Callable[[str], str]) -> list[str]:
    """Lines for the wanted values: those that stand already keep their lines; comments above an item that goes stay."""
    left = list(wanted)
    kept = []
    for value, _ in items:
        kept.append(value in left)
        if kept[-1]:
            left.remove(value)
    staying = [value for (value, _), stays in zip(items, kept, strict=True) if stays]
    in_order = [value for value in wanted if value in staying] == staying
    out: list[str] = []
    if not in_order:
        known = {value: own[-1] for value, own in items}
        notes = [line for _, own in items for line in own[:-1]]
        return [*notes, *(known.get(value) or make(value) for value in wanted)]
    at = 0
    for (value, own), stays in zip(items, kept, strict=True):
        out += own[:-1]
        if stays:
            while wanted[at] != value:
                out.append(make(wanted[at]))
                at += 1
            out.append(own[-1])
            at += 1
    return out + [make(value) for value in wanted[at:]]


def _unquoted(text: str) -> str:
    if text[0] == "'":
        return text[1:-1].replace("''", "'")
    return text[1:-1] if text[0] == '"' else text


def _quoted(value: str, quote: str) -> str:
    """The value as YAML, in the quotes asked for (anything but a quote: plain) if they can hold it."""
    if not plain_text(value) or "\n" in value:
        return '"' + "".join(_escaped(char) for char in value) + '"'
    if quote == '"':
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if quote != "'" and _PLAIN.match(value) and plain_value(value) == value:
        return value
    doubled = value.replace("'", "''")
    return f"'{doubled}'"


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if plain_text(char) and char != "\n":
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
