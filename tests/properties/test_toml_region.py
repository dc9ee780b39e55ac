"""Edits in TOML host files hold their laws on any document; bytes of any kind do no harm."""

from __future__ import annotations

import tomllib
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.toml_laws import ENTRY, FORM, document, edits_hold_for, exactly, mutated, outcome, survives
from tests.requirements import requirement
from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.toml_document import plain_data, read_document
from vaultspec_providers.formats.toml_text import Statement, scan

modest = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
randoms = st.randoms(use_true_random=False)
texts = st.text(st.characters(exclude_categories=["Cs"]))
moments = (st.times() | st.datetimes()).map(lambda moment: moment.replace(fold=0))
values = st.recursive(
    texts | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.dates() | moments,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, min_size=1, max_size=3),
    max_leaves=8,
)


@requirement("NAT-3", "NAT-7", "REL-4", "D-3", "D-8")
@modest
@given(randoms)
def test_an_edit_changes_nothing_but_the_named_servers_and_can_be_taken_back(random: Random) -> None:
    edits_hold_for(document(random))


@requirement("NAT-6", "REL-5")
@modest
@given(randoms)
def test_a_damaged_file_is_refused_or_keeps_all_that_is_not_ours(random: Random) -> None:
    sample = document(random)
    survives(mutated(random, sample.data), sample.owned)


@requirement("NAT-6")
@modest
@given(st.binary(max_size=60) | texts.map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    survives(data, ())


@requirement("NAT-4")
@modest
@given(texts, texts, st.lists(texts, max_size=3), st.dictionaries(texts, texts, min_size=1, max_size=3))
def test_any_string_is_written_as_toml_that_reads_back_equal(
    name: str, command: str, args: list[str], env: dict[str, str]
) -> None:
    entry = {"command": command, "args": args, "env": env}
    result = FORM.apply(None, {name: entry})
    assert result is not None
    assert tomllib.loads(result.decode()) == {"mcp_servers": {name: entry}}


@requirement("NAT-4")
@modest
@given(st.dictionaries(texts, values.filter(lambda value: value != {}), min_size=1, max_size=3))
def test_any_value_that_toml_knows_is_written_and_reads_back_equal(entry: dict[str, Any]) -> None:
    result = FORM.apply(b"x = 1", {"name": entry})
    assert result is not None
    assert exactly(tomllib.loads(result.decode())["mcp_servers"]["name"]) == exactly(entry)


@requirement("NAT-4")
@pytest.mark.parametrize("place", ["name", "command", "argument", "env key", "env value"])
def test_half_a_surrogate_pair_is_refused(place: str) -> None:
    half = "a\ud800b"
    entry = {
        "command": half if place == "command" else "x",
        "args": [half if place == "argument" else "x"],
        "env": {half if place == "env key" else "x": half if place == "env value" else "x"},
    }
    with pytest.raises(HostFileError, match="half a surrogate pair"):
        FORM.apply(b"", {half if place == "name" else "x": entry})


@modest
@given(randoms, st.booleans())
def test_the_statements_of_a_text_say_what_tomllib_says(random: Random, damaged: bool) -> None:
    sample = document(random)
    data = mutated(random, sample.data) if damaged else sample.data
    try:
        text = data.decode().removeprefix("\ufeff")
        expected = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    statements = outcome(partial(scan, text))
    if isinstance(statements, HostFileError):
        assert "levels deep" in statements.reason
        return
    assert "".join(text[it.start : it.end] for it in statements) == text
    assert repr(_assembled(text, statements)) == repr(expected)


@modest
@given(randoms, st.booleans())
def test_the_short_way_of_reading_agrees_with_tomllib_or_stands_back(random: Random, damaged: bool) -> None:
    text = _plain(random)
    if damaged:
        text = mutated(random, text.encode()).decode(errors="replace")
    statements = outcome(partial(scan, text))
    short = None if isinstance(statements, HostFileError) else plain_data(text, statements)
    assert short is None or repr(short) == repr(tomllib.loads(text))


def test_a_file_of_our_own_is_read_the_short_way() -> None:
    data = FORM.apply(None, {"vaultspec-core": {**ENTRY, "env": {"A": "1"}}})
    document = read_document(data)
    assert plain_data(document.text, document.statements) == document.data


def _plain(random: Random) -> str:
    """Lines of the plain forms, with some that only look plain."""
    lines = []
    for number in range(random.randint(0, 8)):
        table = random.choice(
            ("[a]", "[b]", '[a."b"]', "[a.c]", f"[t{number}]", '[mcp_servers."x"]', "# [a]", "", "[x.y.z]")
        )
        lines += [table] * random.randint(0, 1)
        value = random.choice(
            ('"x"', "1", "-0", "30.0", "1e3", "true", '["a", "b"]', "[]", "{}", '{ "A" = "1" }', "'x'")
        )
        key = random.choice(("a", "b", '"c"', "x.y", f"k{number}", "x"))
        lines.append(f"{key} = {value}{random.choice(('', ' # c', ' '))}")
    return random.choice(("\n", "\r\n")).join(lines)


def _assembled(text: str, statements: list[Statement]) -> dict[str, Any]:
    """The data of a text put together from its statements, values read one by one."""
    root: dict[str, Any] = {}
    for it in statements:
        if not it.path:
            continue
        at: Any = root
        for part in it.path[:-1]:
            at = at.setdefault(part, {})
            at = at[-1] if isinstance(at, list) else at
        if it.kind == "table":
            at.setdefault(it.path[-1], {})
        elif it.kind == "array":
            at.setdefault(it.path[-1], []).append({})
        else:
            at[it.path[-1]] = tomllib.loads(f"value = {text[it.value_start : it.value_end]}")["value"]
    return root
