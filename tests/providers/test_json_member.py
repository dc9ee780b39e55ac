"""What servers in a JSON host file are read as, and what an edit promises beyond the bytes of the fixtures."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.requirements import requirement
from vaultspec_providers.contract import Entry, HostFileError, Note
from vaultspec_providers.formats import json_member
from vaultspec_providers.formats.json_edit import Edit, splice
from vaultspec_providers.formats.json_member import JsonMember

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "providers" / "json"
USER = JsonMember(("mcpServers",))
LOCAL = JsonMember(("projects", "/w", "mcpServers"))
ENTRY = {"command": "uvx", "args": ["--from", "vaultspec-core", "python", "-m", "vaultspec_core.mcp_server.app"]}
DOCUMENTED = b"""\
{
  "mcpServers": {
    "vaultspec-core": {
      "command": "uvx",
      "args": [
        "--from",
        "vaultspec-core",
        "python",
        "-m",
        "vaultspec_core.mcp_server.app"
      ]
    }
  }
}
"""


def servers(text: str) -> bytes:
    return f'{{"mcpServers": {text}}}'.encode()


# --- reading -------------------------------------------------------------------------------------------------------


@requirement("NAT-6")
@pytest.mark.parametrize(
    "data", [None, b"", b" \n\t\r\n", b"\xef\xbb\xbf\n", b"{}", b'{"other": {"mcpServers": {"x": 1}}}']
)
def test_a_file_without_servers_has_none(data: bytes | None) -> None:
    assert dict(USER.read(data).entries) == {}


def test_servers_come_in_the_order_of_the_file_with_values_of_any_type() -> None:
    data = servers('{"b": {"command": "x", "n": [1, -0.5, true, null]}, "a": null, "c": [], "": "text"}')
    entries = USER.read(data).entries
    assert list(entries.items()) == [
        ("b", {"command": "x", "n": [1, -0.5, True, None]}), ("a", None), ("c", []), ("", "text")
    ]  # fmt: skip


def test_the_scopes_of_one_file_are_read_apart() -> None:
    data = b'{"mcpServers": {"u": 1}, "projects": {"/w": {"mcpServers": {"l": 2}}, "/v": {"mcpServers": {"v": 3}}}}'
    assert (dict(USER.read(data).entries), dict(LOCAL.read(data).entries)) == ({"u": 1}, {"l": 2})


@requirement("NAT-3")
def test_the_last_of_duplicate_keys_counts() -> None:
    data = b'{"mcpServers": {"x": 1}, "mcpServers": {"a": 1, "b": 2, "\\u0061": {"n": 1, "n": 2}}}'
    assert dict(USER.read(data).entries) == {"a": {"n": 2}, "b": 2}


@requirement("NAT-6")
def test_numbers_beyond_a_double_are_read() -> None:
    values = USER.read(
        servers('{"a": 1e400, "b": -1e400, "c": ' + "9" * 5000 + ', "d": 123456789012345678901}')
    ).entries
    assert dict(values) == {"a": math.inf, "b": -math.inf, "c": math.inf, "d": 123456789012345678901}


@requirement("D-8")
def test_comments_and_trailing_commas_change_no_value() -> None:
    data = b"""// head
    {"mcpServers": /* here */ {"a": {"args": ["// no", "/* no */", ",]", "\\"//", /* yes */ "x",], }, // a
    "b": [[], {/**/},], },}"""
    assert dict(USER.read(data).entries) == {"a": {"args": ["// no", "/* no */", ",]", '"//', "x"]}, "b": [[], {}]}


@requirement("D-8")
@pytest.mark.parametrize(
    ("data", "notes"),
    [
        (b'{"a": "// no comment", "b": [{"a": 1}, {"a": 1}]}', ()),
        (b"\xef\xbb\xbf{}", (Note("bom", 1),)),
        (b"\xef\xbb\xbf", (Note("bom", 1),)),
        (b"{}\n// c", (Note("comments", 2),)),
        (b'{"a": [\n{/* c */}, // c\n 1 // c\n]}', (Note("comments", 2),)),
        (b'{"a": {"b": [1\n,]},\n}', (Note("trailing-commas", 2),)),
        (b'{"a": {"b": 1,\r\n"\\u0062": 2}, "b": 1,\n"b": 2}', (Note("duplicate-key", 2),)),
        (
            b'\xef\xbb\xbf{"a": 1,\n"a": 2, // c\n"b": [1,]}',
            (Note("bom", 1), Note("duplicate-key", 2), Note("comments", 2), Note("trailing-commas", 3)),
        ),
    ],
)
def test_each_thing_that_a_client_may_not_like_is_noted_where_it_first_stands(
    data: bytes, notes: tuple[Note, ...]
) -> None:
    assert USER.read(data).notes == notes


def test_what_is_owned_makes_no_difference() -> None:
    data = servers('{"a": {"command": "x"}}')
    assert USER.read(data, ["a", "gone"]) == USER.read(data)
    assert USER.apply(data, {"b": ENTRY}, ["a", "gone"]) == USER.apply(data, {"b": ENTRY})


# --- editing -------------------------------------------------------------------------------------------------------


@requirement("NAT-2")
def test_a_fresh_file_is_the_documented_one_byte_for_byte() -> None:
    assert USER.apply(None, {"vaultspec-core": ENTRY}) == DOCUMENTED


@requirement("NAT-3", "NAT-7")
@pytest.mark.parametrize(
    "text",
    [
        '{"x": {"command": "uvx", "args": [], "env": {"B": "2", "A": "1"}}}',
        '{"x": {"env": {"A": "1", "B": "2"}, "args": [], "command": "\\u0075vx"}}',
        '{\n\t"x"\n:\n{"args":[\n],"command":"uvx","env":{"A":"1","B":"2"}}}',
        '{"x": {"command": "uvx", /* c */ "args": [], "env": {"A": "1", "B": "2",},},}',
        '{"x": {"command": "old", "command": "uvx", "args": [], "env": {"A": "1", "B": "2"}}}',
        '{"x": null, "y": 1, "x": {"command": "uvx", "args": [], "env": {"A": "1", "B": "2"}}}',
    ],
)
def test_an_entry_of_equal_value_is_left_as_it_is_spelled(text: str) -> None:
    entry = {"command": "uvx", "args": [], "env": {"A": "1", "B": "2"}}
    assert USER.apply(data := servers(text), {"x": entry, "not there": None}) is data


@requirement("NAT-3")
@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ('{"x": {"a": 1}}', {"a": True}),
        ('{"x": {"a": false}}', {"a": 0}),
        ('{"x": {"a": null}}', {}),
        ('{"x": {"a": "1"}}', {"a": 1}),
        ('{"x": {"a": ["b", "c"]}}', {"a": ["c", "b"]}),
        ('{"x": {"a": {}}}', {"a": []}),
        ('{"x": []}', {}),
    ],
)
def test_a_value_that_only_looks_equal_is_written(text: str, entry: Entry) -> None:
    result = USER.apply(servers(text), {"x": entry})
    assert result == servers('{"x": ' + json.dumps(entry) + "}")


@requirement("NAT-3")
@pytest.mark.parametrize("data", [b"", b"\n", b"{}", b'{"mcpServers": {}}', b"// c\n", None])
def test_an_empty_file_or_object_is_not_tidied_up(data: bytes | None) -> None:
    assert USER.apply(data, {}) is data
    assert USER.apply(data, {"x": None}) is data


@requirement("NAT-3")
def test_the_file_goes_only_when_nothing_of_anybody_is_left() -> None:
    for data in (DOCUMENTED, b'\xef\xbb\xbf{"mcpServers": {"vaultspec-core": 1,},}\n\n'):
        assert USER.apply(data, {"vaultspec-core": None}) is None
    for rest in (b'"a": null', b'"": {}', b"// c\n", b"/**/"):
        comma = b"," if rest.startswith(b'"') else b""
        data = b'{"mcpServers": {"vaultspec-core": 1}' + comma + rest + b"}"
        assert USER.apply(data, {"vaultspec-core": None}) == b"{" + rest + b"}"


@requirement("NAT-3")
def test_removing_every_server_at_once_is_removing_them_one_by_one() -> None:
    data = servers('{"a": 1, "b": 2, "c": 3}')[:-1] + b', "n": 1}'
    assert USER.apply(data, {"a": None, "b": None}) == servers('{"c": 3}')[:-1] + b', "n": 1}'
    assert USER.apply(data, {"c": None, "a": None, "b": None}) == b'{"n": 1}'


@requirement("NAT-3", "NAT-4")
def test_the_last_server_can_be_swapped_for_another() -> None:
    after = USER.apply(servers('{"old": 1}'), {"old": None, "new": {"command": "x"}})
    assert after == servers('{"new": {"command": "x"}}')


@requirement("NAT-4")
def test_every_character_reads_back_equal_as_name_and_value() -> None:
    characters = [chr(code) for code in [*range(0x300), 0x2028, 0x2029, 0xFEFF, 0xFFFF, 0x10FFFF, 0x1F680]]
    changes = {f"<{character}>": {"command": character} for character in characters}
    for before in (None, b"{}", servers('{"a": 1}'), b"{\r\n}"):
        result = USER.apply(before, changes)
        assert result is not None
        for entries in (USER.read(result).entries, json.loads(result)["mcpServers"]):
            assert {name: entries[name] for name in changes} == changes


@requirement("NAT-3", "NAT-6")
def test_a_large_file_with_and_without_comments_is_edited() -> None:
    members = ",\n".join(
        f'    "s{number}": {{"command": "npx", "args": ["-y", "p{number}"]}}' for number in range(5_000)
    )
    for head in ("{", "{ // c"):
        data = f'{head}\n  "mcpServers": {{\n{members}\n  }}\n}}\n'.encode()
        after = USER.apply(data, {"s0": {"command": "x"}, "s4999": None, "new": {"command": "y"}})
        assert after is not None
        entries = USER.read(after).entries
        assert (len(entries), entries["s0"], entries["new"]) == (5_000, {"command": "x"}, {"command": "y"})
        assert USER.apply(USER.apply(data, {"new": ENTRY}), {"new": None}) == data


@requirement("NAT-6")
@pytest.mark.parametrize(
    "filler",
    [
        b'"' + b"\\n" * 1_000_000 + b'"',
        b" " * 1_000_000 + b"1",
        b"/**/" * 200_000 + b"1",
        b"[" + b"0," * 100_000 + b"]",
    ],
    ids=["escapes", "blanks", "comments", "elements"],
)
def test_a_value_of_megabytes_is_no_trouble(filler: bytes) -> None:
    data = b'{"a": ' + filler + b', "mcpServers": {}}'
    after = USER.apply(data, {"x": {"command": "y"}})
    assert after == b'{"a": ' + filler + b', "mcpServers": {"x": {"command": "y"}}}'


# --- the proof that an edit gives of itself ------------------------------------------------------------------------


def spoilt(old: str, new: str) -> Callable[[str, Iterable[Edit]], str]:
    return lambda text, edits: splice(text, edits).replace(old, new)


@requirement("NAT-3")
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1e400", "Infinity", "`Infinity` is not JSON"),
        ("1e400", "1e401", "the edit would change more than our own entries"),
        ("caf\\u00e9", "caf\u00e9", "the edit would change more than our own entries"),
        ("// why", "// how", "the edit would change more than our own entries"),
        ("/* head */", "", "the edit would change more than our own entries"),
        ('"a": 1, ', "", "the edit would change more than our own entries"),
        ('"x": {"command": "uvx"}', '"y": {"command": "uvx"}', "the edit would change more than our own entries"),
        (', "x": {"command": "uvx"}', "", "the edit would not set or remove every entry"),
        ('{"command": "uvx"}', '{"command": "uv"}', "an entry would not read back as it was written"),
    ],
)
def test_an_edit_that_went_wrong_is_never_handed_out(
    old: str, new: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b'/* head */ {"a": 1, "a": 1e400, // why\n"mcpServers": {"b": {"command": "caf\\u00e9"}}}'
    assert USER.apply(data, {"x": {"command": "uvx"}}) == data[:-2] + b', "x": {"command": "uvx"}}}'
    monkeypatch.setattr(json_member, "splice", spoilt(old, new))
    with pytest.raises(HostFileError) as caught:
        USER.apply(data, {"x": {"command": "uvx"}})
    assert caught.value.reason == reason


# --- the corpus ----------------------------------------------------------------------------------------------------


def test_the_corpus_is_large_and_each_case_says_why() -> None:
    reasons = [json.loads(path.read_text(encoding="utf-8"))["why"] for path in FIXTURES.glob("*/case.json")]
    assert len(reasons) >= 60
    assert all(reason.endswith(".") for reason in reasons)
    assert len(set(reasons)) == len(reasons)
