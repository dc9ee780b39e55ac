"""Laws of edits in JSON host files, the documents they are tried on, and a reader of its own that judges them.

The tests beside this file try them on few documents, `scripts/fuzz_host_files.py` on many.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from random import Random
from typing import Any, TypeVar

from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.json_member import JsonMember

T = TypeVar("T")

OURS = "vaultspec-core"
ENTRY = {"command": "uvx", "args": ["--from", "vaultspec-core", "caf\u00e9 \u2028 \U0001f680"], "env": {"A": 'x"\n'}}
OTHER = {"command": "uv", "args": [], "env": {}}
CONTAINERS = (("mcpServers",), ("a.b",), ("projects", "/home/ada/w\u00f6rk", "mcpServers"))


# --- documents -----------------------------------------------------------------------------------------------------

COMMENTS = (
    "/* c */",
    "/**/",
    "// blanks \t\n",
    "/* { , } \n */",
    "// c{}\n",
    '// "old": {},\r\n',
    "/* \U0001f600 \u2028 // */",
)
BLANKS = ("", "", "", " ", "  ", "\t", "\n", "\n    ", "\r\n", "\r\n\t", "\n\n  ", "\r", " \n \n")
SCALARS = (
    *("0", "-0", "1.0", "1e400", "-1E+2", "12345678901234567890123", "true", "false", "null", '""', '"x"'),
    *('"\\u00e9\\n"', '"\u00e9\u2028"', '"\\ud800"', '"// no"', '"/* , } */"', '",]"', '"C:\\\\x\\\\"', '"\U0001f600"'),
)
KEYS = ('"a"', '"b"', '"\\u0061"', '"caf\u00e9"', '""', '"k\\"ey"', '"\\ud83d\\ude00"', '"deep"', '"//"', '"x y"')


@dataclass(frozen=True)
class Style:
    """How a document is laid out: `loose` puts anything anywhere, otherwise one indentation and one line end."""

    loose: bool
    newline: str
    unit: str
    comments: float
    trailing: float


@dataclass(frozen=True)
class Sample:
    """A document cut round our entry, if it has one: `key` reaches to the value, `value` is empty for none."""

    container: tuple[str, ...]
    head: str
    key: str
    value: str
    tail: str

    @property
    def text(self) -> str:
        return self.head + self.key + self.value + self.tail

    @property
    def data(self) -> bytes:
        return self.text.encode()


def document(random: Random) -> Sample:
    """A valid document with one object of servers at most, and our entry there once at most."""
    style = Style(
        loose=random.random() < 0.4,
        newline=random.choice(("\n", "\n", "\r\n", "\r", "")),
        unit=random.choice(("  ", "    ", "\t", "", " ")),
        comments=random.choice((0.0, 0.0, 0.3)),
        trailing=random.choice((0.0, 0.0, 0.5, 1.0)),
    )
    container = random.choice(CONTAINERS)
    text = _on_the_way(random, style, container, 0)
    text = random.choice(("", "", "\ufeff")) + _blank(random, style, 0) + text + _blank(random, style, 0)
    text += random.choice(("", "\n", "\r\n", "\n\n"))
    if "\ue000" not in text:
        return Sample(container, text, "", "", "")
    head, key, value, tail = _cut(text)
    return Sample(container, head, key, value, tail)


def _cut(text: str) -> tuple[str, str, str, str]:
    head, rest = text.split("\ue000")
    key, rest = rest.split("\ue001")
    value, tail = rest.split("\ue002")
    return head, key, value, tail


def _on_the_way(random: Random, style: Style, way: tuple[str, ...], level: int) -> str:
    members = [
        (random.choice(KEYS), _value(random, style, level + 1, 2)) for _ in range(random.choice((0, 0, 1, 2, 4)))
    ]
    place = random.randint(0, len(members))
    if way and random.random() < 0.85:
        members.insert(place, (_key(random, way[0]), _on_the_way(random, style, way[1:], level + 1)))
    elif not way and random.random() < 0.5:
        value = random.choice((json.dumps(ENTRY), json.dumps(OTHER, indent=3), _value(random, style, level + 1, 2)))
        members.insert(place, ("\ue000" + _key(random, OURS), "\ue001" + value + "\ue002"))
    return _object(random, style, level, members)


def _key(random: Random, key: str) -> str:
    return json.dumps(key, ensure_ascii=random.random() < 0.5)


def _value(random: Random, style: Style, level: int, depth: int) -> str:
    shape = random.random()
    if depth == 0 or shape < 0.5:
        return random.choice(SCALARS)
    items = [_value(random, style, level + 1, depth - 1) for _ in range(random.choice((0, 1, 2)))]
    if shape < 0.7:
        return (
            "[" + ",".join(_blank(random, style, level) + item for item in items) + _blank(random, style, level) + "]"
        )
    return _object(random, style, level, [(random.choice(KEYS), item) for item in items])


def _object(random: Random, style: Style, level: int, members: list[tuple[str, str]]) -> str:
    text = "{"
    for index, (key, value) in enumerate(members):
        text += _blank(random, style, level + 1) + key
        text += random.choice(BLANKS) if style.loose else ""
        text += ":" + (_blank(random, style, 0) if style.loose else random.choice(("", " ")))
        text += value + (_blank(random, style, 0) if style.loose else "")
        if index < len(members) - 1 or random.random() < style.trailing:
            text += ","
    if members or random.random() < 0.5:
        text += _blank(random, style, level)
    return text + "}"


def _blank(random: Random, style: Style, level: int) -> str:
    comment = random.choice(COMMENTS) if random.random() < style.comments else ""
    if style.loose:
        return random.choice(BLANKS) + comment + random.choice(BLANKS)
    if not style.newline:
        return comment
    line = style.newline + style.unit * level
    return " " * bool(comment) + comment + line if random.random() < 0.5 else line + comment + line * bool(comment)


# --- a reader of its own -------------------------------------------------------------------------------------------


def strict_text(text: str) -> tuple[str, list[str]]:
    """The text as plain JSON, character by character, and its comments. Raises ValueError."""
    out: list[str] = []
    solid: list[int] = []
    comments: list[str] = []
    at = 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        end = at + 1
        if text[at] == '"':
            while text[end : end + 1] not in ('"', ""):
                end += 2 if text[end] == "\\" else 1
            end += 1
        elif text.startswith("//", at):
            while end < len(text) and text[end] not in "\r\n":
                end += 1
            comments.append(text[at:end])
        elif text.startswith("/*", at):
            end = text.index("*/", at + 2) + 2
            comments.append(text[at:end])
        elif (
            text[at] in "]}" and len(solid) > 1 and out[solid[-1]] == "," and out[solid[-2]] not in ("{", "[", ",", ":")
        ):
            out[solid[-1]] = " "
        is_comment = text.startswith(("//", "/*"), at)
        if not is_comment and text[at] not in " \t\r\n":
            solid.append(len(out))
        out.append(" " if is_comment else text[at:end])
        at = end
    return "".join(out), comments


def tree(text: str) -> Any:
    """What the text says, nothing lost: objects as tagged lists of pairs, numbers as they are spelled. Raises ValueError."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    return json.loads(
        strict_text(text)[0],
        object_pairs_hook=lambda pairs: ("object", pairs),
        parse_int=lambda digits: ("number", digits),
        parse_float=lambda digits: ("number", digits),
        parse_constant=refuse,
    )


def pruned(found: Any, container: tuple[str, ...]) -> Any:
    """The tree of a file without our entry and without the objects on the way that hold nothing else."""
    pairs = []
    for key, value in found[1]:
        if container and key == container[0] and _is_object(value):
            value = pruned(value, container[1:])
        if value != ("object", []) or not container or key != container[0]:
            pairs.append((key, value))
    return ("object", pairs if container else [(key, value) for key, value in pairs if key != OURS])


def at_end_of_way(found: Any, container: tuple[str, ...]) -> tuple[Any, int]:
    """The last object on the way that exists, and how many keys lead there."""
    for level, key in enumerate(container):
        following = dict(found[1]).get(key)
        if following is None:
            return found, level
        found = following
    return found, len(container)


def squeezed(text: str) -> str:
    return "".join(text.split())


# --- laws ----------------------------------------------------------------------------------------------------------


def adding_only_inserts(sample: Sample) -> None:
    """Where our entry is absent: it is inserted, nothing else changes, and removing it gives the bytes back."""
    form, before = JsonMember(sample.container), sample.head
    after = _applied(form, before, ENTRY)
    assert form.read(after.encode()).entries[OURS] == ENTRY
    assert pruned(tree(after), sample.container) == pruned(tree(before), sample.container)
    assert strict_text(after)[1] == strict_text(before)[1]
    last, _ = at_end_of_way(tree(before), sample.container)
    if last[1]:
        start = _common_prefix(before, after)
        rest = after[start + 1 :] if after[start] == "," else after[start:]
        common = _common_prefix(before[start:], rest)
        assert rest.endswith(before[start + common :]), "more than a comma and one member came"
        assert _applied(form, after, None) == before


def entries_come_and_go_in_any_order(sample: Sample) -> None:
    """Several entries added at once or one by one, removed in any order: the bytes of before."""
    form, names = JsonMember(sample.container), ("one", "two", OURS)
    if not at_end_of_way(tree(sample.head), sample.container)[0][1]:
        return
    at_once = _edited(form, sample.data, dict.fromkeys(names, ENTRY))
    assert _edited(form, sample.data, *({name: ENTRY} for name in names)) == at_once
    for order in permutations(names):
        assert _edited(form, at_once, *({name: None} for name in order)) == sample.data
    assert _edited(form, at_once, dict.fromkeys(names)) == sample.data


def _edited(form: JsonMember, data: bytes, *edits: dict[str, Any]) -> bytes:
    for changes in edits:
        result = form.apply(data, changes)
        assert result is not None
        data = result
    return data


def refreshing_changes_the_value_alone(sample: Sample) -> None:
    """Where our entry is present: every character before and after its value stays."""
    form = JsonMember(sample.container)
    for entry in (ENTRY, OTHER):
        after = _applied(form, sample.text, entry)
        assert after.startswith(sample.head + sample.key)
        assert after.endswith(sample.tail)
        value = after[len(sample.head + sample.key) : len(after) - len(sample.tail)]
        assert json.loads(value) == entry


def removing_takes_one_comma_along(sample: Sample) -> None:
    """Where our entry is present: it goes with one comma, and empty objects on the way; comments of others stay."""
    form = JsonMember(sample.container)
    result = form.apply(sample.data, {OURS: None})
    before, after = sample.head + sample.tail, (result or b"{}").decode()
    assert pruned(tree(after), sample.container) == pruned(tree(sample.text), sample.container)
    expected = strict_text(sample.head)[1] + strict_text(sample.tail)[1]
    assert strict_text(after)[1] == expected
    assert result is not None or expected == []
    if at_end_of_way(tree(after), sample.container)[1] == len(sample.container):
        kept, left = squeezed(before), squeezed(after)
        start = _common_prefix(kept, left)
        assert kept == left or (kept[start] == "," and kept[start + 1 :] == left[start:])


def edits_hold_for(sample: Sample) -> None:
    """All laws that apply to a document."""
    if sample.value:
        refreshing_changes_the_value_alone(sample)
        removing_takes_one_comma_along(sample)
    else:
        adding_only_inserts(sample)
        entries_come_and_go_in_any_order(sample)
        assert JsonMember(sample.container).apply(sample.data, {OURS: None}) == sample.data


def _applied(form: JsonMember, text: str, entry: dict[str, Any] | None) -> str:
    """One edit, which a second time changes nothing."""
    data = text.encode()
    result = form.apply(data, {OURS: entry})
    assert result is not None
    assert form.apply(result, {OURS: entry}) is result
    return result.decode()


def _common_prefix(left: str, right: str) -> int:
    count = 0
    for first, second in zip(left, right, strict=False):
        if first != second:
            break
        count += 1
    return count


# --- bytes that went wrong -----------------------------------------------------------------------------------------

PIECES = (
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"/", b"//", b"/*", b"*/", b"\n", b"\r", b" ", b"\0", b"\x7f"),
    *(b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"NaN", b"-", b"01", b"1.", b"\\u12", b"\\ud800", b"null"),
    *(b'"mcpServers":{},', b'"vaultspec-core":1,', b",,", b"[" * 120, b'{"a":' * 120, b"\xc2\xa0", b"'", b"+1", b"tru"),
)


def mutated(random: Random, data: bytes) -> bytes:
    """The bytes with one to three pieces put in, taken out, overwritten or repeated."""
    for _ in range(random.randint(1, 3)):
        at = random.randint(0, len(data))
        end = min(len(data), at + random.choice((0, 1, 1, 2, 5, 40)))
        piece = random.choice((b"", data[at:end] * 2, random.choice(PIECES), bytes([random.randrange(256)])))
        data = data[:at] + piece + data[end:]
    return data


def survives(container: tuple[str, ...], data: bytes) -> None:
    """Whatever the bytes: an answer that the other reader agrees with, or HostFileError; and nothing foreign changes."""
    form = JsonMember(container)
    before = _tree_or_none(data)
    reading = _outcome(partial(form.read, data))
    if isinstance(reading, HostFileError):
        assert all((reading.reason, reading.line, reading.column))
        assert before is None or not _has_way(before, container) or _depth(before) > 100
        return
    assert before is not None, "only the other reader refuses this"
    last, level = at_end_of_way(before, container)
    assert list(reading.entries) == (list(dict(last[1])) if level == len(container) else [])
    for entry in (ENTRY, None):
        result = _outcome(partial(form.apply, data, {OURS: entry}))
        if isinstance(result, HostFileError):
            assert any(words in result.reason for words in ("a second time", "inside each other"))
            continue
        assert pruned(_tree_or_none(result), container) == pruned(before, container)
        assert form.apply(result, {OURS: entry}) == result


def _outcome(call: Callable[[], T]) -> T | HostFileError:
    try:
        return call()
    except HostFileError as error:
        return error


def _tree_or_none(data: bytes | None) -> Any:
    try:
        return tree(data.decode()) if data and _is_filled(data) else ("object", [])
    except (ValueError, RecursionError):
        return None


def _is_filled(data: bytes) -> bool:
    return bool(strict_text(data.decode())[0].strip(" \t\r\n"))


def _is_object(found: Any) -> bool:
    return isinstance(found, tuple) and found[0] == "object"


def _has_way(found: Any, container: tuple[str, ...]) -> bool:
    for key in container:
        if not _is_object(found):
            return False
        found = dict(found[1]).get(key, ("object", []))
    return _is_object(found)


def _depth(found: Any) -> int:
    if _is_object(found):
        return 1 + max((_depth(value) for _, value in found[1]), default=0)
    if isinstance(found, list):
        return 1 + max(map(_depth, found), default=0)
    return 0
