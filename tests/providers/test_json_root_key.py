"""A list of names at the root of a host file is read, and taken out with every other byte as it was."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.json_root_key import names_at_root, without_root_key

KEY = "_ours"


@pytest.mark.parametrize(
    "data", [None, b"", b"{}", b'{"mcpServers": {"_ours": ["a"]}}', b'{"x": "_ours"}', b'// "_ours": ["a"]\n{}']
)
def test_a_file_without_the_key_has_no_list_and_stays(data: bytes | None) -> None:
    assert names_at_root(data, KEY) is None
    if data is not None:
        assert without_root_key(data, KEY) is data


@pytest.mark.parametrize(
    ("said", "names"), [('["a", "b"]', ["a", "b"]), ('["a", 1, null]', ["a"]), ("[]", []), ('"a"', []), ("null", [])]
)
def test_only_names_are_taken_from_it(said: str, names: list[str]) -> None:
    assert names_at_root(f'{{"{KEY}": {said}}}'.encode(), KEY) == names


@requirement("NAT-3")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{"_ours": ["a"]}', b"{}"),
        (b'{"_ours": ["a"], "x":1.0}', b'{"x":1.0}'),
        (b'{"x" : 1e3,"_ours":[]}', b'{"x" : 1e3}'),
        (
            b'\xef\xbb\xbf{\r\n\t"x": "\\u0041",\r\n\t"_ours": [\r\n\t\t"a"\r\n\t],\r\n\t"y": {"_ours": 2}\r\n}',
            b'\xef\xbb\xbf{\r\n\t"x": "\\u0041",\r\n\t"y": {"_ours": 2}\r\n}',
        ),
        (
            b'{\n  "x": 1, // one\n  "_ours": ["a"],\n  "x": 2,\n}\n',
            b'{\n  "x": 1, // one\n  "x": 2,\n}\n',
        ),
    ],
)
def test_taking_it_out_keeps_every_other_byte(before: bytes, after: bytes) -> None:
    assert without_root_key(before, KEY) == after


@requirement("NAT-6")
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"_ours": 1, "_ours": 2}', "`_ours` stands here a second time (first on line 1); keep one of them"),
        (b'{"_ours": ["a"]', "an object that begins on line 1, column 1 is not closed"),
    ],
)
def test_what_cannot_be_edited_safely_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(HostFileError) as caught:
        without_root_key(data, KEY)
    assert caught.value.reason == reason
