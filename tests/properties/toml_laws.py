"""Laws of edits in TOML host files and the documents they are tried on. What the results say is judged by `tomllib`.

The tests beside this file try them on few documents, `scripts/fuzz_host_files.py` on many.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeVar

from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.toml_region import TomlRegion

T = TypeVar("T")

FORM = TomlRegion("mcp_servers")
OURS = "vaultspec-core"
ENTRY = {"command": "uvx", "args": ["--from", "vaultspec-core", "caf\u00e9 \u2028 \U0001f680"]}
OTHER = {"command": "uv", "args": ["C:\\x", 'q"\n\x7f'], "env": {"\U0001f600": "1", "B": ""}}
CHANGES: tuple[dict[str, Any], ...] = (
    {OURS: ENTRY},
    {OURS: OTHER},
    {OURS: None},
    {"aaa": ENTRY, "zzz": OTHER},
    {OURS: None, "zeta": None, "alpha": None, "beta": OTHER},
    {},
)

OPENING, CLOSING = '# <vaultspec type="mcps">', "# </vaultspec>"
REGION = f"""{OPENING}
[mcp_servers."vaultspec-core"]
args = ["--from", "vaultspec-core", "caf\u00e9 \u2028 \U0001f680"]
command = "uvx"
{CLOSING}
"""


# --- documents -----------------------------------------------------------------------------------------------------

COMMENTS = (
    "#",
    "# note",
    "#\tx = 1",
    "# [mcp_servers.x]",
    "# </vaultspec",
    "# \U0001f600 \u2028 'k' \"v\"",
    "  # deep",
)
VALUES = (
    *("1", "-17", "0xFF", "1_000", "true", "1.50", "1e400", "nan", "-inf", "1979-05-27T07:32:00Z", "1979-05-27"),
    *("07:32:00.5", '""', "''", '"x # y"', "'[z]'", '"\\u00e9\\\\"', "'C:\\d'", "[]", "[ 1, [ 2, ], ]", "{}"),
    *('{ a = 1, b.c = ["}"] }', "[\n  'a', # one ]\n# <vaultspec type=\"mcps\">\n  'b'\n]"),
    *(f'"""\n{OPENING}\n[mcp_servers."vaultspec-core"]\n\\"" "" \\\n  {CLOSING}\n"""', '"""""\\""""""'),
    *(f"'''\n{CLOSING}\n[x]\n\\'' '''''", "''''''", '""""""', "'''a''''"),
)
KEYS = ("{}", '"{}"', "'{}'", "{} . x", '"{}\\u0041"', "{}.'y z'", "  {}")
SERVERS = (
    ("[mcp_servers.{}]", 'command = "npx"', "startup_timeout_sec = 30", "since = 2024-01-01"),
    ('[mcp_servers."{}"] # why', "# inner", "args = ['-y', \"{}\"]", '[mcp_servers."{}".env]', 'A = "1"'),
    ("[ mcp_servers . '{}' ]", "", "  command='x'", "# between", "", "[[mcp_servers.'{}'.list]]", "n = 1.0"),
)
DAMAGES = ("whole", "whole", "whole", "stripped", "opening lost", "closing lost", "doubled", "closing twice", "swapped")

Chunk = tuple[str, bool]
"""A statement or a blank line, without its newline, and whether it is foreign."""


class Sample(NamedTuple):
    """A valid document; `foreign` are its statements that no edit of ours may touch, `fresh`: nothing is ours."""

    data: bytes
    owned: tuple[str, ...]
    foreign: tuple[str, ...]
    fresh: bool


def document(random: Random) -> Sample:
    """A valid document with servers of others and, mostly, of ours, in a whole or damaged region."""
    owned, blocks = _ours(random)
    for number in range(random.choice((0, 1, 2, 4))):
        blocks.insert(random.randint(0, len(blocks)), _block(random, number))
    style = random.choice(("tables", "tables", "tables", "dotted", "members", "inline"))
    if style == "inline" and not owned:
        owned = ("eta",)
        blocks.insert(0, [("mcp_servers = { eta = { command = 'x', n = 0x1F } } # all", False)])
        return _written(random, _laid_out(random, blocks), owned, fresh=False)
    for name in random.sample(("alpha2", "other", "zz-top"), random.choice((0, 0, 1, 2))):
        blocks.insert(random.randint(0, len(blocks)), _foreign(line.format(name) for line in random.choice(SERVERS)))
    taken = style == "dotted" and not owned
    if style == "dotted":
        name = OURS if taken else "eta"
        owned = owned if taken else (*owned, name)
        blocks.insert(0, [(f"mcp_servers.{name}.command = 'x' # ours", False), ('mcp_servers.q.command = "q"', True)])
    elif style == "members":
        owned = (*owned, "eta") if owned else owned
        blocks.append(_foreign(["[mcp_servers]", "q = { command = 'q' } # one", "r.command = 'r'"]))
        blocks[-1].insert(random.randint(1, 3), ("eta = { command = 'x', n = 0x1F }", not owned))
    return _written(random, _laid_out(random, blocks), owned, fresh=not owned and not taken)


def _laid_out(random: Random, blocks: list[list[Chunk]]) -> list[Chunk]:
    """The blocks behind the keys of the root, with comments and blank lines between."""
    blocks.insert(0, _keys(random, "root"))
    return [chunk for block in blocks for chunk in [*_trivia(random), *block]] + _trivia(random)


def _written(random: Random, chunks: list[Chunk], owned: tuple[str, ...], fresh: bool) -> Sample:
    style = random.choice((("\n",), ("\n",), ("\r\n",), ("\n", "\r\n")))
    lines = [(text.replace("\n", style[0]) + random.choice(style), foreign) for text, foreign in chunks]
    text = "".join(line for line, _ in lines)
    if random.random() < 0.3:
        text = text.removesuffix("\n").removesuffix("\r")
    foreign = tuple(line.strip("\r\n") for line, theirs in lines if theirs and line.strip())
    return Sample((random.choice(("", "", "\ufeff")) + text).encode(), owned, foreign, fresh)


def _foreign(lines: Any) -> list[Chunk]:
    return [(line, True) for line in lines]


def _trivia(random: Random) -> list[Chunk]:
    return _foreign(random.choice(("", "", "  ", *COMMENTS)) for _ in range(random.choice((0, 1, 1, 2))))


def _keys(random: Random, prefix: str) -> list[Chunk]:
    found: list[Chunk] = []
    for number in range(random.choice((0, 1, 3))):
        key = random.choice(KEYS).format(f"{prefix}{number}")
        end = random.choice(("", " # t", "  "))
        found += [(f"{key}{random.choice(('=', ' = '))}{random.choice(VALUES)}{end}", True), *_trivia(random)]
    return found


def _block(random: Random, number: int) -> list[Chunk]:
    name = f"t{number}"
    table = [
        (random.choice((f"[{name}]", f"[[{name}]]", f'[{name}."a.b"] # c', f"\t[ {name} ]")), True),
        *_keys(random, "k"),
    ]
    if random.random() < 0.2:
        return [('# <vaultspec type="agents">', True), *table, ("# </vaultspec>", True)]
    return table


def _ours(random: Random) -> tuple[tuple[str, ...], list[list[Chunk]]]:
    """Names that are ours and the blocks that hold them, with marker lines in any state of damage."""
    owned = tuple(random.sample((OURS, "alpha", "zeta"), random.choice((0, 0, 1, 1, 2, 3))))
    servers = [_server(random, name) for name in owned]
    damage = random.choice(DAMAGES)
    if not owned or damage == "stripped":
        return owned, servers
    if random.random() < 0.2:
        servers.append([("[inside]", True), ("n = 1", True)])
    opening, closing = (OPENING, False), (random.choice((CLOSING, CLOSING + "  ")), False)
    first, last = servers[0], servers[-1]
    if damage == "swapped":
        first.insert(0, closing)
        last.append(opening)
    else:
        first[:0] = [opening] * (damage != "opening lost") + [opening] * (damage == "doubled")
        last += [closing] * (damage != "closing lost") + [closing] * (damage in ("closing twice", "doubled"))
    if damage != "whole" and random.random() < 0.5:
        return owned, servers
    return owned, [[chunk for server in servers for chunk in server]]


def _server(random: Random, name: str) -> list[Chunk]:
    comments = [(line, True) for line in random.sample(COMMENTS, random.choice((0, 0, 1, 3)))]
    head = random.choice((f'[mcp_servers."{name}"]', f"[mcp_servers.{name}]", f"  [ mcp_servers . '{name}' ] # c"))
    rows = [
        ('command = "uvx"', False),
        ("args = [ 'a', # b\n ]", False),
        ("x = 0x1F", False),
        ('env = {"A"="1"}', False),
    ]
    rows = [(head, False), *random.sample(rows, random.choice((1, 2, 4)))]
    if random.random() < 0.2:
        rows += [("", False), (f"[mcp_servers.{name}.tools.t]", False), ("mode = 1.0", False)]
    for comment in comments:
        rows.insert(random.randint(0, len(rows)), comment)
    return rows


# --- laws ----------------------------------------------------------------------------------------------------------


def edits_hold_for(sample: Sample) -> None:
    """All laws that apply to a document."""
    if sample.fresh:
        adding_appends_and_can_be_taken_back(sample)
    for changes in CHANGES:
        only_the_named_servers_change(sample, changes)


def adding_appends_and_can_be_taken_back(sample: Sample) -> None:
    """The region comes behind everything, after one blank line; removing the server gives the bytes back."""
    after = FORM.apply(sample.data, {OURS: ENTRY})
    assert after is not None
    text = sample.data.decode()
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    region = REGION.replace("\n", newline)
    bare = text.removeprefix("\ufeff")
    if not bare.strip():
        expected = text + (newline if bare and not bare.endswith("\n") else "") + region
    elif text.endswith("\n"):
        expected = text + newline + region
    else:
        expected = text + newline * 2 + region.removesuffix(newline)
    assert after.decode() == expected
    assert FORM.apply(after, {OURS: None}, [OURS]) == (sample.data if bare.strip() else None)
    both = FORM.apply(after, {"zeta": OTHER, "alpha": OTHER}, [OURS])
    assert FORM.apply(both, {"zeta": None, "alpha": None}, [OURS, "alpha", "zeta"]) == after


def only_the_named_servers_change(sample: Sample, changes: Mapping[str, Any]) -> None:
    """The named servers are as asked, ours stand in one region, all else says the same in the same words and order."""
    result = FORM.apply(sample.data, changes, sample.owned)
    before, after = _said(sample.data), _said(result)
    assert _without(after, {*changes, *sample.owned}) == _without(before, {*changes, *sample.owned})
    for name, entry in changes.items():
        assert _normal(after["mcp_servers"].get(name)) == _normal(entry)
    for name in set(sample.owned) - changes.keys():
        assert exactly(after["mcp_servers"][name]) == exactly(before["mcp_servers"][name])
    _assert_in_order(sample.foreign, (result or b"").decode())
    held = _held(changes, sample.owned)
    reading = FORM.read(result, held)
    assert not reading.displaced
    assert held <= (reading.region or set())
    assert FORM.apply(result, changes, held) is result


def _held(changes: Mapping[str, Any], owned: Collection[str]) -> set[str]:
    """What the record says afterwards."""
    return {*owned, *changes} - {name for name, entry in changes.items() if entry is None}


def _assert_in_order(statements: tuple[str, ...], text: str) -> None:
    position = 0
    for statement in statements:
        found = text.find(statement, position)
        assert found >= 0, f"{statement!r} is lost or out of order"
        position = found + len(statement)


def _said(data: bytes | None) -> dict[str, Any]:
    found = tomllib.loads((data or b"").decode().removeprefix("\ufeff"))
    return {**found, "mcp_servers": found.get("mcp_servers", {})}


def _without(found: dict[str, Any], names: set[str]) -> str:
    servers = {name: entry for name, entry in found["mcp_servers"].items() if name not in names}
    return repr(sorted({**found, "mcp_servers": servers}.items()))


def _normal(entry: Any) -> Any:
    return {key: value for key, value in entry.items() if value != {}} if isinstance(entry, dict) else entry


def exactly(value: Any) -> Any:
    """A value to compare with its types, NaN and the sign of zero; the order of keys does not count."""
    if isinstance(value, dict):
        return sorted((key, exactly(member)) for key, member in value.items())
    return [exactly(member) for member in value] if isinstance(value, list) else repr(value)


# --- bytes that went wrong -----------------------------------------------------------------------------------------

PIECES = (
    *(b"[", b"]", b"[[", b"{", b"}", b"=", b".", b",", b'"', b"'", b'"""', b"'''", b"#", b"\\", b"\n", b"\r\n", b"\r"),
    *(b" ", b"\0", b"\x7f", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"x = 1\n", b"[x]\n", b"[mcp_servers]\n", b"a.b=1\n"),
    *(b"mcp_servers = {}\n", b"[[mcp_servers]]\n", b'[mcp_servers."vaultspec-core"]\n', b"mcp_servers.zeta.x = 1\n"),
    *(f"{OPENING}\n".encode(), f"{CLOSING}\n".encode(), b"9" * 20, b"x=" + b"[" * 400, b"a." * 120, b"\\ud800", b"01"),
)


def mutated(random: Random, data: bytes) -> bytes:
    """The bytes with one to three pieces put in, taken out, overwritten or repeated, or two lines exchanged."""
    for _ in range(random.randint(1, 3)):
        lines = data.splitlines(keepends=True)
        if len(lines) > 1 and random.random() < 0.3:
            one, other = random.sample(range(len(lines)), 2)
            lines[one], lines[other] = lines[other], random.choice((lines[one], b""))
            data = b"".join(lines)
            continue
        at = random.choice((random.randint(0, len(data)), sum(map(len, lines[: random.randint(0, len(lines))]))))
        end = min(len(data), at + random.choice((0, 0, 1, 2, 5, 40)))
        piece = random.choice((b"", data[at:end] * 2, random.choice(PIECES), bytes([random.randrange(256)])))
        data = data[:at] + piece + data[end:]
    return data


def survives(data: bytes, owned: tuple[str, ...]) -> None:
    """Whatever the bytes: an answer that `tomllib` agrees with, or HostFileError; and nothing foreign changes."""
    try:
        before: dict[str, Any] | None = _said(data)
    except (ValueError, RecursionError):
        before = None
    reading = outcome(partial(FORM.read, data, owned))
    if isinstance(reading, HostFileError):
        assert reading.reason
        assert reading.line
        return
    assert before is not None, "only tomllib refuses this"
    assert repr(reading.entries) == repr(before["mcp_servers"])
    for changes in CHANGES:
        result = outcome(partial(FORM.apply, data, changes, owned))
        if isinstance(result, HostFileError):
            assert result.line, result.reason
            continue
        names = {*changes, *owned}
        after = _said(result)
        assert _without(after, names) == _without(before, names)
        recorded = _held(changes, owned) & after["mcp_servers"].keys()
        assert FORM.apply(result, changes, recorded) == result


def outcome(call: Callable[[], T]) -> T | HostFileError:
    """What a call gives, a refusal included."""
    try:
        return call()
    except HostFileError as error:
        return error
