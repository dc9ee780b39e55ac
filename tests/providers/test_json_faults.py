"""JSON host files that cannot be read or edited: line, column and reason of each."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.json_member import JsonMember

USER = JsonMember(("mcpServers",))
LOCAL = JsonMember(("projects", "/w", "mcpServers"))
ENTRY = {"command": "uvx"}

UNREADABLE: list[tuple[str, bytes, int, int, str]] = [
    ("object not closed", b'{"a": 1', 1, 8, "an object that begins on line 1, column 1 is not closed"),
    ("inner object not closed", b'{\n "a": {\n', 3, 1, "an object that begins on line 2, column 7 is not closed"),
    ("array not closed", b'{\n "a": [1, 2', 2, 12, "an array that begins on line 2, column 7 is not closed"),
    ("nothing after a key", b'{"a"', 1, 5, "an object that begins on line 1, column 1 is not closed"),
    ("nothing after a colon", b'{"a": ', 1, 7, "an object that begins on line 1, column 1 is not closed"),
    ("colon missing", b'{"a" "secret"}', 1, 6, "expected `:` after the key, found a string"),
    ("value missing", b'{"a": }', 1, 7, "expected a value, found `}`"),
    ("comma missing", b'{\n  "a": 1\n  "b": 2\n}', 3, 3, "expected `,` or `}`, found a string"),
    ("comma missing in array", b'{"a": [1 2]}', 1, 10, "expected `,` or `]`, found a number"),
    ("comma alone", b"{,}", 1, 2, "expected a key in double quotes or `}`, found `,`"),
    ("comma alone in array", b'{"a": [,]}', 1, 8, "expected a value, found `,`"),
    ("two commas", b'{"a": 1,, }', 1, 9, "expected a key in double quotes or `}`, found `,`"),
    ("wrong closer", b'{"a": [1}', 1, 9, "expected `,` or `]`, found `}`"),
    ("key without quotes", b"{a: 1}", 1, 2, "expected a key in double quotes or `}`, found `a`"),
    ("key in single quotes", b"{'a': 1}", 1, 2, "expected a key in double quotes or `}`, found `'`"),
    ("key is a number", b"{1: 1}", 1, 2, "expected a key in double quotes or `}`, found a number"),
    ("value in single quotes", b"{\"a\": 'x'}", 1, 7, "expected a value, found `'`"),
    ("leading zero", b'{"a": 01}', 1, 8, "expected `,` or `}`, found a number"),
    ("leading plus", b'{"a": +1}', 1, 7, "expected a value, found `+`"),
    ("half a number", b'{"a": 1.}', 1, 8, "expected `,` or `}`, found `.`"),
    ("half a word", b'{"a": tru}', 1, 7, "expected a value, found `t`"),
    ("capital word", b'{"a": True}', 1, 7, "expected a value, found `T`"),
    ("NaN", b'{"a": NaN}', 1, 7, "`NaN` is not JSON"),
    ("Infinity", b'{"a": [Infinity]}', 1, 8, "`Infinity` is not JSON"),
    ("minus Infinity", b'{"a": -Infinity}', 1, 7, "`-Infinity` is not JSON"),
    ("string not closed", b'{"a": "secret}', 1, 7, "a string that is not closed"),
    ("string over a line end", b'{"a": "secret\r\n"}', 1, 7, "a string that is not closed"),
    ("string ends in a backslash", b'{"a": "secret\\', 1, 14, "a backslash that begins no JSON escape"),
    ("tab in a string", b'{"a": "x\ty"}', 1, 9, "control character U+0009 in a string"),
    ("NUL in a string", b'{"a": "\0"}', 1, 8, "control character U+0000 in a string"),
    ("unknown escape", b'{"a": "C:\\new\\Users"}', 1, 14, "a backslash that begins no JSON escape"),
    ("half an escape", b'{"\\u00g0": 1}', 1, 3, "a backslash that begins no JSON escape"),
    ("comment not closed", b'{\n  /* "a": 1\n}', 2, 3, "a comment that is not closed"),
    ("comment takes the brace", b"{} /*", 1, 4, "a comment that is not closed"),
    ("slash alone", b'{"a": 1 / 2}', 1, 9, "expected `,` or `}`, found `/`"),
    ("hash comment", b"# c\n{}", 1, 1, "the file must hold an object, not `#`"),
    ("NUL", b"{\0}", 1, 2, "expected a key in double quotes or `}`, found U+0000"),
    ("NULs alone", b"\0\0\0", 1, 1, "the file must hold an object, not U+0000"),
    ("form feed", b"\x0c{}", 1, 1, "the file must hold an object, not U+000C"),
    ("no-break space", b'{\xc2\xa0"a": 1}', 1, 2, "expected a key in double quotes or `}`, found U+00A0"),
    ("second byte order mark", b"\xef\xbb\xbf\xef\xbb\xbf{}", 1, 1, "the file must hold an object, not U+FEFF"),
    ("after a byte order mark", b"\xef\xbb\xbf[]", 1, 1, "the file must hold an object, not an array"),
    ("array", b"\n [1]", 2, 2, "the file must hold an object, not an array"),
    ("string", b'"secret"', 1, 1, "the file must hold an object, not a string"),
    ("null", b"null", 1, 1, "the file must hold an object, not `null`"),
    ("number", b" -5", 1, 2, "the file must hold an object, not a number"),
    ("text after the object", b"{}\n{}", 2, 1, "expected the end of the file, found an object"),
    ("brace too many", b'{"a": {}}}', 1, 10, "expected the end of the file, found `}`"),
    ("not UTF-8", b'{\n  "a": "caf\xe9"\n}', 2, 12, "byte 0xE9 is not UTF-8"),
    ("cut UTF-8", b'{"\xf0\x9f\x98', 1, 3, "byte 0xF0 is not UTF-8"),
    ("surrogate in UTF-8", b'{"a": "\xed\xa0\x80"}', 1, 8, "byte 0xED is not UTF-8"),
    ("UTF-16 little", '{"a": 1}'.encode("utf-16"), 1, 1, "the file is UTF-16; it must be UTF-8"),
    ("UTF-16 big", b"\xfe\xff\x00{\x00}", 1, 1, "the file is UTF-16; it must be UTF-8"),
    ("UTF-16 without mark", b"{\x00}\x00", 1, 2, "expected a key in double quotes or `}`, found U+0000"),
    ("columns are characters", '{"é😀": x}'.encode(), 1, 8, "expected a value, found `x`"),
    ("lines of CR and CRLF", b'{\r\n"a": 1,\r"b": x}', 3, 6, "expected a value, found `x`"),
    ("servers are an array", b'{"mcpServers": []}', 1, 16, "`mcpServers` must be an object, not an array"),
    ("servers are null", b'{\n "mcpServers":\n  null}', 3, 3, "`mcpServers` must be an object, not `null`"),
    ("servers are text", b'{"mcpServers": "secret"}', 1, 16, "`mcpServers` must be an object, not a string"),
    ("too deep", b'{"a":' + b"[" * 99 + b"1" + b"]" * 99 + b"}", 0, 0, ""),
    ("one too deep", b'{"a":' + b"[" * 100 + b"1", 1, 105, "more than 100 objects and arrays inside each other"),
    ("much too deep", b'{"a":' * 100_000, 1, 501, "more than 100 objects and arrays inside each other"),
    ("too deep below a comment", b"{//\n" + b'"a":{' * 100, 2, 500, "more than 100 objects and arrays inside each other"),
]  # fmt: skip


@requirement("NAT-6")
@pytest.mark.parametrize(
    ("data", "line", "column", "reason"),
    [pytest.param(data, line, column, reason, id=name) for name, data, line, column, reason in UNREADABLE if line],
)
def test_an_unreadable_file_is_refused_with_its_place(data: bytes, line: int, column: int, reason: str) -> None:
    for attempt in (lambda: USER.read(data), lambda: USER.apply(data, {"x": ENTRY}), lambda: USER.apply(data, {})):
        with pytest.raises(HostFileError) as caught:
            attempt()
        assert (caught.value.line, caught.value.column, caught.value.reason) == (line, column, reason)


AMBIGUOUS: list[tuple[str, JsonMember, bytes, int, int, str]] = [
    ("server", USER, b'{"mcpServers": {\n "x": 1,\n "x": 2}}', 3, 2, "`x` stands here a second time (first on line 2); keep one of them"),
    ("server, escaped", USER, b'{"mcpServers": {"x": 1,\n "\\u0078": 2}}', 2, 2, "`x` stands here a second time (first on line 1); keep one of them"),
    ("servers", USER, b'{"mcpServers": {},\n "mcpServers": {"x": 2}}', 2, 2, "`mcpServers` stands here a second time (first on line 1); keep one of them"),
    ("project", LOCAL, b'{"projects": {"/w": {},\n"/w": {"mcpServers": {"x": 2}}}}', 2, 1, "`/w` stands here a second time (first on line 1); keep one of them"),
]  # fmt: skip


@requirement("NAT-3", "NAT-6")
@pytest.mark.parametrize(
    ("form", "data", "line", "column", "reason"), [pytest.param(*rest, id=name) for name, *rest in AMBIGUOUS]
)
def test_an_edit_that_two_places_could_take_is_refused(
    form: JsonMember, data: bytes, line: int, column: int, reason: str
) -> None:
    for change in (ENTRY, None):
        with pytest.raises(HostFileError) as caught:
            form.apply(data, {"x": change})
        assert (caught.value.line, caught.value.column, caught.value.reason) == (line, column, reason)
    assert form.read(data).entries["x"] == 2
    assert form.apply(data, {"y": None}) is data


@requirement("NAT-4")
@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"command": "\ud800"}, "an entry with half of a surrogate pair, which no UTF-8 file can hold"),
        ({"env": {"\udfff": "1"}}, "an entry with half of a surrogate pair, which no UTF-8 file can hold"),
        ({"n": float("nan")}, "an entry with a number that JSON cannot say"),
        ({"n": float("-inf")}, "an entry with a number that JSON cannot say"),
        ({"n": 10**5000}, "an entry with a number that JSON cannot say"),
        ({"b": b"x"}, "an entry with a value that JSON cannot say (bytes)"),
        ({"m": {1: "x"}}, "an entry with a key that is no string (int)"),
    ],
)
def test_an_entry_that_json_cannot_say_is_refused(entry: dict[str, object], reason: str) -> None:
    for data in (None, b'{"mcpServers": {"x": {"command": "y"}}}'):
        with pytest.raises(HostFileError) as caught:
            USER.apply(data, {"x": entry})
        assert (caught.value.reason, caught.value.line) == (reason, None)


@requirement("NAT-4")
def test_a_name_that_json_cannot_say_is_refused() -> None:
    with pytest.raises(HostFileError, match="half of a surrogate pair"):
        USER.apply(None, {"\ud800": ENTRY})


@requirement("NAT-6")
def test_an_entry_without_end_is_refused() -> None:
    entry: dict[str, object] = {}
    entry["again"] = entry
    with pytest.raises(HostFileError, match="more than 100 objects"):
        USER.apply(None, {"x": entry})


@requirement("NAT-6")
def test_an_entry_that_only_this_place_makes_too_deep_is_refused() -> None:
    entry: dict[str, object] = {}
    for _ in range(97):
        entry = {"a": entry}
    assert USER.apply(None, {"x": entry})
    with pytest.raises(HostFileError, match="more than 100 objects"):
        LOCAL.apply(None, {"x": entry})
