"""A hook goes in and out of any settings file, whatever its layout, and leaves every other byte alone."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_providers.contract import Hook
from vaultspec_providers.formats.json_hooks import JsonHooks

FORMAT = JsonHooks({"stop": "Stop"})
OURS: Any = FORMAT.entry(Hook("stop", "make lint", "x", 9))

space = st.sampled_from(["", "", " ", "\n", "\r\n", "\n  ", "\t", " // c\n", "/* , ] } */"])
scalar = st.sampled_from(["1.50", "true", "null", '"\\u0041"', '"]}"', "{}", "[]", '{"hooks": []}', "[[1], {}]"])


@st.composite
def joined(draw: st.DrawFn, items: list[str], opening: str, closing: str) -> str:
    """Items between brackets, with any blanks and comments about them, and perhaps a comma after the last."""
    parts = [draw(space) + item + draw(space) for item in items]
    last = draw(st.sampled_from(["", "", ","])) if parts else ""
    return opening + (",".join(parts) or draw(space)) + last + closing


@st.composite
def hosts(draw: st.DrawFn) -> str:
    """A settings file with foreign hooks or none; an `Stop` array that is there holds something of somebody's."""
    groups = draw(st.lists(scalar, min_size=1, max_size=3))
    events = [f'"Stop":{draw(space)}{draw(joined(groups, "[", "]"))}'] if draw(st.booleans()) else []
    events.insert(draw(st.integers(0, len(events))), f'"Other":{draw(scalar)}')
    members = [f'"hooks" :{draw(space)}{draw(joined(events, "{", "}"))}'] if draw(st.booleans()) else []
    members.insert(draw(st.integers(0, len(members))), f'"z": {draw(scalar)}')
    return draw(st.sampled_from(["", "\ufeff"])) + draw(space) + draw(joined(members, "{", "}")) + draw(space)


@requirement("REL-4", "NAT-3")
@settings(max_examples=150, deadline=None)
@given(hosts())
def test_adding_and_removing_a_hook_restores_the_file(text: str) -> None:
    before = text.encode()
    entries = FORMAT.read(before)
    added = FORMAT.apply(before, [], [OURS])
    assert added is not None
    assert [one for one in FORMAT.read(added) if one != OURS] == entries
    assert FORMAT.read(added).count(OURS) == 1
    restored = FORMAT.apply(added, [OURS], [])
    assert restored is not None
    assert FORMAT.read(restored) == entries
    if "//" not in text and "/*" not in text:
        assert restored == before
    assert "".join(restored.decode().split()).replace(",", "") == "".join(text.split()).replace(",", "")


@requirement("REL-4")
@settings(max_examples=50, deadline=None)
@given(st.text(), st.text())
def test_any_command_and_matcher_read_back(command: str, matcher: str) -> None:
    ours: Any = FORMAT.entry(Hook("stop", command, matcher))
    try:
        ours_text = json.dumps(ours, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    assert ours_text
    assert FORMAT.read(FORMAT.apply(None, [], [ours])) == [ours]
