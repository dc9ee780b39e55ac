"""Laws of frontmatter: the fast reader says what YAML says, and setting a field leaves every other byte."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_core.vault.frontmatter import read_fields, split
from vaultspec_core.vault.splice import remove_field, set_list, set_scalar
from vaultspec_core.vault.stamp import body_hash, stamped
from vaultspec_core.vault.yaml_fields import Unreadable, read_yaml

KEYS = st.sampled_from(["tags", "date", "modified", "related", "tier", "body_hash", "note-1", "Z"])
SCALARS = st.one_of(
    st.sampled_from(["", "true", "No", "~", "null", "12", "1.5", "2026-01-01", "2026-01-01 # c", "it's", "a: b", "a #b", "#x", "- a", "[]", "[a, 'b']", "{a: b}", "'it''s' # c", '"a" # c', '"\\n"', "|", "*a", "&a b", "x,y", "'open", "[a", "!t x", "a  b ", "%", "@a", "?", "a\\b"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.text("ab01 '\"#:-[],{}\\", max_size=10),
)  # fmt: skip
LINES = st.one_of(
    st.builds("{}: {}".format, KEYS, SCALARS),
    st.builds("{}:".format, KEYS),
    st.builds("  - {}".format, SCALARS),
    st.builds("- {}".format, SCALARS),
    st.builds("  {}".format, SCALARS),
    st.sampled_from(["", "# a comment", "  # another", "...", "\t"]),
)
BLOCKS = st.lists(LINES, max_size=7).map(lambda lines: "".join(f"{line}\n" for line in lines))
CLEAN_LINES = st.one_of(
    st.builds("{}: {}".format, KEYS, st.sampled_from(["a", "'b' # c", '"#d"', "[]", "[a, b]", "2026-01-01", "yes"])),
    st.builds(
        "{}:\n  - {}\n  - {}".format, KEYS, st.sampled_from(["a", "'#b'"]), st.sampled_from(['"[[c]]"', "d # e"])
    ),
    st.sampled_from(["", "# a comment", "desc: |\n  a\n\n  b", "map:\n  inner: x"]),
)
CLEAN_BLOCKS = st.lists(CLEAN_LINES, max_size=6).map(lambda lines: "".join(f"{line}\n" for line in lines))
VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=10) | st.sampled_from(["x", "'", "a b", "true"])
NEWLINES = st.sampled_from(["\n", "\r\n"])
OUTSIDE = st.sampled_from([("", ""), ("\ufeff", "body"), ("\n\n", "\n# T\n\n---\nx: y\n---\n"), ("", "\r\nx\ry")])

LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def as_text(loaded: Any) -> Any:
    """What PyYAML's own text-only loader says, in the shape of ours: plain words as values cannot be told from quoted ones there."""
    match loaded:
        case dict():
            return {key: as_text(value) for key, value in loaded.items()}
        case list():
            return [as_text(value) for value in loaded]
        case True | False | None:
            return None
    return None if str(loaded).lower() in ("", "~", "null", "true", "false", "yes", "no", "on", "off") else loaded


@given(BLOCKS)
@example("a: 'b'\n  # c\n")
@settings(max_examples=300, deadline=None)
def test_the_fast_reader_says_what_yaml_says(block: str) -> None:
    fields, problems = read_fields(block)
    if any(problem.code == "frontmatter-unreadable" for problem in problems):
        return
    try:
        loaded, _ = read_yaml(block)
    except Unreadable as fault:
        raise AssertionError(f"read though YAML says: {fault.reason}") from fault
    assert fields == loaded
    if "&" not in block:  # PyYAML's loaders also refuse an anchor given twice, which harms nobody who follows none
        assert as_text(fields) == (as_text(yaml.load(block, Loader=LOADER)) or {})


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_the_reader_and_its_parts_are_the_text(text: str) -> None:
    front = split(text)
    assert 0 <= front.block_start <= front.block_end <= front.body_start <= len(text)
    assert front.present or front.body_start == front.block_start


@requirement("EDT-1")
@given(CLEAN_BLOCKS, KEYS, VALUES, NEWLINES, OUTSIDE)
@settings(max_examples=300, deadline=None)
def test_a_set_field_reads_back_and_all_else_is_byte_for_byte_what_it_was(
    block: str, key: str, value: str, newline: str, outside: tuple[str, str]
) -> None:
    head, body = outside
    text = f"{head}---{newline}{block.replace(chr(10), newline)}---{newline}{body}"
    before = split(text)
    try:
        after = set_scalar(text, key, value, after=("date", "tags"))
    except Refusal:
        return
    front = split(after)
    assert front.fields == {**before.fields, key: value}
    assert after[: front.block_start] == text[: before.block_start]
    assert after[front.block_end :] == text[before.block_end :]
    assert set_scalar(after, key, value) == after
    assert others(after, key) == others(text, key)


@given(CLEAN_BLOCKS, KEYS, st.lists(VALUES, max_size=4), NEWLINES)
@settings(max_examples=300, deadline=None)
def test_a_set_list_reads_back_and_all_else_is_byte_for_byte_what_it_was(
    block: str, key: str, values: list[str], newline: str
) -> None:
    text = f"---{newline}{block.replace(chr(10), newline)}---{newline}body"
    try:
        after = set_list(text, key, values)
    except Refusal:
        return
    assert split(after).fields == {**split(text).fields, key: values}
    assert set_list(after, key, values) == after
    assert others(after, key) == others(text, key)


def others(text: str, key: str) -> list[str]:
    """The lines that belong to other fields, comments and the body."""
    front = split(text)
    kept: list[str] = []
    own = False
    for line in text[front.block_start : front.block_end].split("\n"):
        if line[:1] not in ("", " ", "\r", "#", "-"):
            own = line.startswith(f"{key}:")
        if not own or (line[:1] == "#"):
            kept.append(line)
    return [*[line for line in kept if line.strip()], text[front.block_end :]]


@given(BLOCKS, st.text(max_size=40), NEWLINES)
@settings(max_examples=200, deadline=None)
def test_a_stamp_is_idempotent_and_never_touches_the_body(block: str, body: str, newline: str) -> None:
    text = f"---\n{block}---\n{body}".replace("\n", newline)
    once = stamped(text, "2026-08-01")
    before, front = split(text), split(once)
    assert stamped(once, "2026-08-01") == once
    assert once[front.block_end :] == text[before.block_end :]
    if once != text:
        assert front.fields["modified"] == "2026-08-01"
        assert front.fields["body_hash"] == body_hash(once[front.body_start :])


@given(BLOCKS, KEYS)
@settings(max_examples=100, deadline=None)
def test_a_field_that_was_removed_is_gone_and_the_others_stay(block: str, key: str) -> None:
    text = f"---\n{block}---\nbody"
    try:
        after = remove_field(text, key)
    except Refusal:
        return
    fields = dict(split(text).fields)
    fields.pop(key, None)
    assert split(after).fields == fields
