"""Canonical definitions: which file counts, what is taken, and that every fault of every file is told."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.conftest import Sandbox
from tests.requirements import requirement
from vaultspec_core.files import Disk
from vaultspec_core.report import Refusal
from vaultspec_installer.definition import (
    ARGS_TOKEN,
    COMMAND_TOKEN,
    CUSTOM,
    MAX_BYTES,
    Definition,
    Definitions,
    InvalidDefinition,
    folder_of,
    judge,
    load_definitions,
)
from vaultspec_installer.definition_faults import name_fault
from vaultspec_installer.json_text import line_of, pointer
from vaultspec_installer.schemas import text_of_schema

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "definitions"
SOUND = '{"command": "x"}'
Write = Callable[..., Definitions]


@pytest.fixture
def write(sandbox: Sandbox) -> Write:
    """Write definition files (text or bytes by file name) and load them."""

    def load(**files: str | bytes) -> Definitions:
        folder = folder_of(sandbox.root)
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        return load_definitions(sandbox.root, Disk().read)

    return load


def messages(found: Definitions) -> list[str]:
    return [fault.message for one in found.invalid.values() for fault in one.faults]


@requirement("DEF-1")
def test_a_workspace_without_the_folder_has_no_definitions(sandbox: Sandbox) -> None:
    assert load_definitions(sandbox.root, Disk().read) == Definitions({}, {})


@requirement("DEF-1")
def test_other_files_of_the_folder_are_no_definitions(write: Write) -> None:
    assert write(**{"README.md": "x", "x.json.bak": "{", "x.JSON": "{", "json": "{"}) == Definitions({}, {})


@requirement("DEF-1", "DEF-2")
def test_sound_definitions_are_read_as_they_stand(sandbox: Sandbox) -> None:
    folder = folder_of(sandbox.root)
    shutil.copytree(FIXTURES / "valid", folder)
    found = load_definitions(sandbox.root, Disk().read)
    assert found.invalid == {}
    assert list(found.valid.values()) == [
        Definition(
            "at-signs",
            folder / "at-signs.json",
            "Custom",
            "mail",
            ("a@@b", "@@", "user@@host@@"),
            {"AT": "@@lower@@"},
        ),
        Definition("bare", folder / "bare.json", "Custom", "python"),
        Definition("bom", folder / "bom.json", "Custom", "with-a-byte-order-mark-and-crlf"),
        Definition(
            "search",
            folder / "search.json",
            "Custom (shadows Built-in)",
            "uvx",
            ("search-mcp", "--root", "C:\\data\\ä", "😀", ""),
            {"SEARCH_REGION": "eu", "SEARCH_KEY": "${SEARCH_KEY}", "😀": "line\nline", "EMPTY": ""},
        ),
        Definition(
            "vaultspec-core",
            folder / "vaultspec-core.builtin.json",
            "Built-in",
            COMMAND_TOKEN,
            (ARGS_TOKEN,),
            templated=True,
        ),
        Definition(
            "vaultspec-rag",
            folder / "vaultspec-rag.builtin.json",
            "Built-in",
            COMMAND_TOKEN,
            (ARGS_TOKEN,),
            {},
            "vaultspec-rag",
            "vaultspec_rag.server",
            "vaultspec-rag[mcp]",
            templated=True,
        ),
    ]


@requirement("DEF-3", "DEF-4")
def test_every_fault_of_every_file_is_told_and_none_hides_another(sandbox: Sandbox) -> None:
    shutil.copytree(FIXTURES / "invalid", folder_of(sandbox.root))
    found = load_definitions(sandbox.root, Disk().read)
    assert found.valid == {}
    assert "\n".join(messages(found)) + "\n" == (FIXTURES / "invalid" / "expected.txt").read_text()


@requirement("DEF-3")
def test_a_fault_names_line_pointer_what_was_found_and_what_is_allowed(write: Write) -> None:
    (fault,) = write(**{"x.json": '{\n  "command": "x",\n  "args": [1]\n}'}).invalid["x"].faults
    assert (fault.pointer, fault.line, fault.found, fault.allowed) == ("/args/0", 3, "a number", "a string")
    assert fault.message == ".vaultspec/mcps/x.json:3: /args/0 is a number; allowed: a string"


@requirement("DEF-3")
def test_bad_files_leave_the_good_ones_alone(write: Write) -> None:
    found = write(**{"a.json": "{", "b.json": SOUND, "c.json": '{"url": "x"}', "d.json": SOUND})
    assert (list(found.valid), list(found.invalid)) == (["b", "d"], ["a", "c"])


@requirement("DEF-3")
def test_a_value_is_never_repeated(write: Write) -> None:
    text = '{"command": "x", "args": ["--token", "s3cr3t@@A@@"], "env": {"A": ["s3cr3t"]}, "x": "s3cr3t"}'
    found = write(**{"x.json": text})
    assert "s3cr3t" not in "".join(messages(found))
    assert len(found.invalid["x"].faults) == 3


@requirement("DEF-3")
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{\n"command": "\xff"}', ":2: the file is not UTF-8 (byte 0xff); allowed: one JSON object in UTF-8"),
        (b"[" * 60_000, ": the file is nested too deeply; allowed: one JSON object in UTF-8"),
        (b'{"a":' * 20_000, ": the file is nested too deeply; allowed: one JSON object in UTF-8"),
        (b" " * (MAX_BYTES + 1), ": the file is 131073 bytes long; allowed: at most 131072 bytes"),
        (
            b'{"command": ' + b"1" * 5000 + b"}",
            ": the file is not JSON: a number is not finite, or too large; allowed: one JSON object in UTF-8",
        ),
    ],
    ids=["not UTF-8", "deep arrays", "deep objects", "too long", "a huge number"],
)
def test_bytes_that_are_no_object_are_a_fault_of_the_file(write: Write, data: bytes, said: str) -> None:
    found = write(**{"bad.json": data, "good.json": SOUND})
    assert messages(found) == [f".vaultspec/mcps/bad.json{said}"]
    assert list(found.valid) == ["good"]


@requirement("DEF-3")
def test_a_trailing_comma_is_told_with_its_line(write: Write) -> None:
    (fault,) = write(**{"x.json": '{\n  "command": "x",\n}'}).invalid["x"].faults
    assert fault.line in (2, 3)
    assert fault.found.startswith("not JSON: ")


@requirement("DEF-3")
def test_a_folder_or_a_pipe_in_place_of_a_file_is_a_fault_of_that_name(sandbox: Sandbox, write: Write) -> None:
    folder = folder_of(sandbox.root)
    (folder / "dir.json").mkdir(parents=True)
    os.mkfifo(folder / "pipe.json")
    found = write(**{"good.json": SOUND})
    assert messages(found) == [
        ".vaultspec/mcps/dir.json: the file is no regular file; allowed: a file that can be read",
        ".vaultspec/mcps/pipe.json: the file is no regular file; allowed: a file that can be read",
    ]
    assert list(found.valid) == ["good"]


@requirement("DEF-3")
def test_a_file_that_the_system_refuses_is_a_fault_of_that_name(sandbox: Sandbox, write: Write) -> None:
    write(**{"bad.json": SOUND, "good.json": SOUND})

    def read(path: Path) -> bytes | None:
        if path.stem == "bad":
            raise Refusal("unreadable", f"{path} cannot be read: Permission denied")
        return Disk().read(path)

    found = load_definitions(sandbox.root, read)
    assert messages(found) == [
        ".vaultspec/mcps/bad.json: the file is unreadable (Permission denied); allowed: a file that can be read"
    ]
    assert list(found.valid) == ["good"]


@requirement("DEF-3")
def test_a_file_in_place_of_the_folder_is_refused(sandbox: Sandbox) -> None:
    folder_of(sandbox.root).parent.mkdir()
    folder_of(sandbox.root).write_text("x")
    with pytest.raises(Refusal) as caught:
        load_definitions(sandbox.root, Disk().read)
    assert (caught.value.code, caught.value.message) == (
        "definitions-unreadable",
        f"{folder_of(sandbox.root)} cannot be listed: Not a directory",
    )


@requirement("DEF-1")
def test_a_custom_file_that_is_invalid_does_not_let_the_bundled_one_through(write: Write) -> None:
    found = write(**{"x.builtin.json": SOUND, "x.json": "{}"})
    assert (list(found.valid), found.invalid["x"].path.name) == ([], "x.json")


@requirement("DEF-1")
def test_a_dangling_link_shadows_nothing(sandbox: Sandbox, write: Write) -> None:
    folder_of(sandbox.root).mkdir(parents=True)
    (folder_of(sandbox.root) / "x.json").symlink_to("nowhere")
    assert write(**{"x.builtin.json": SOUND}).valid["x"].source == "Built-in"


@requirement("DEF-1")
def test_a_file_that_a_changeset_is_about_to_create_counts_already(sandbox: Sandbox) -> None:
    folder = folder_of(sandbox.root)
    files = {folder / "new.json": SOUND.encode(), folder / "deep" / "x.json": b"{"}
    found = load_definitions(sandbox.root, files.get, pending=list(files))
    assert (list(found.valid), list(found.invalid)) == (["new"], [])


@requirement("DEF-4")
def test_names_that_differ_only_in_case_are_faults_of_both(write: Write) -> None:
    found = write(**{"Foo.json": SOUND, "foo.builtin.json": "{}", "bar.json": SOUND})
    assert list(found.valid) == ["bar"]
    assert messages(found) == [
        ".vaultspec/mcps/Foo.json: the file is named like foo but for the case of letters; "
        "allowed: names that differ in more than case",
        ".vaultspec/mcps/foo.builtin.json: the file is named like Foo but for the case of letters; "
        "allowed: names that differ in more than case",
        ".vaultspec/mcps/foo.builtin.json:1: /command is missing; allowed: a string that names a program",
    ]


@requirement("DEF-4")
@pytest.mark.parametrize(
    "name",
    ["a", "0", "vaultspec-core", "a.b_c-D9", "x" * 64, "console", "com", "com10", "nul_", "lpt", "x.con", "a.", "a..b"],
)
def test_a_sound_name_has_no_fault(name: str) -> None:
    assert name_fault(name) is None


@requirement("DEF-4")
@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 65,
        ".a",
        "-a",
        "_a",
        "a b",
        "a\n",
        "a]",
        'a"',
        "a/b",
        "a\\b",
        "ä",
        "😀",
        "con",
        "NUL",
        "Com1",
        "lpt9.x",
    ],
)
def test_a_name_outside_the_grammar_has_a_fault(name: str) -> None:
    assert name_fault(name)


@requirement("DEF-3")
def test_a_name_that_no_terminal_should_see_is_escaped(write: Write) -> None:
    found = write(**{"a\x1b[31m\n.json": SOUND})
    assert list(found.invalid) == ["a\\u001b[31m\\n"]
    assert messages(found)[0].startswith(
        '.vaultspec/mcps/a\\u001b[31m\\n.json: the file is called after the name "a\\u001b[31m\\n"; allowed: '
    )


TEXTS = st.one_of(
    st.sampled_from([COMMAND_TOKEN, ARGS_TOKEN, "@@X@@", "a@@A_1@@b", "", " ", "\ud800", "uvx", "--flag", "@@"]),
    st.text(max_size=5),
)
ANY = st.one_of(TEXTS, st.none(), st.integers(), st.booleans(), st.just([]), st.just({}))
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "command": st.one_of(TEXTS, ANY),
        "args": st.one_of(st.just([ARGS_TOKEN]), st.lists(TEXTS, max_size=3), st.lists(ANY, max_size=3), ANY),
        "env": st.one_of(st.dictionaries(TEXTS, TEXTS, max_size=3), st.dictionaries(TEXTS, ANY, max_size=3), ANY),
        "_vaultspec_mode_package": ANY,
        "_vaultspec_mode_module": ANY,
        "_vaultspec_mode_tool_spec": ANY,
        "url": ANY,
    },
)
VALIDATOR = Draft202012Validator(json.loads(text_of_schema("definition")))


@requirement("DEF-3")
@settings(max_examples=400, deadline=None)
@given(DOCUMENTS)
def test_the_quick_check_takes_exactly_what_the_published_schema_takes(document: dict[str, Any]) -> None:
    judged = judge("x", Path("x.json"), CUSTOM, json.dumps(document, indent=1).encode())
    assert isinstance(judged, Definition) == VALIDATOR.is_valid(document)
    if isinstance(judged, InvalidDefinition):
        assert judged.faults
        assert all(fault.line for fault in judged.faults)


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=4)
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=12,
)


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every path below the value, in the order of the text."""
    found = [path]
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        found += places(inner, (*path, key))
    return found


@requirement("DEF-3")
@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_every_place_of_a_text_is_found_on_its_line(value: Any) -> None:
    text = json.dumps(value, indent=1)
    lines = text.split("\n")
    last = 0
    for path in places(value):
        line = line_of(text, pointer(path))
        assert line is not None
        assert line > last or path == ()
        if path and isinstance(path[-1], str):
            assert lines[line - 1].lstrip().startswith(json.dumps(path[-1]))
        last = line


@requirement("DEF-3")
def test_a_place_that_is_missing_is_told_by_what_should_hold_it() -> None:
    text = '{\n "a": {\n  "b": 1\n }\n}'
    assert [line_of(text, place) for place in ("", "/a", "/a/b", "/a/c", "/x", "/x/y")] == [1, 2, 3, 2, 1, None]


JSONISH = st.lists(
    st.sampled_from(
        [
            b"{",
            b"}",
            b"[",
            b"]",
            b":",
            b",",
            b'"',
            b'"command"',
            b'"x"',
            b'"args"',
            b'"env"',
            b"1",
            b"-",
            b"null",
            b"\\",
            b"\n",
        ]
    ),
    max_size=14,
).map(b"".join)


@requirement("REL-5", "DEF-3")
@settings(max_examples=300, deadline=None)
@given(st.one_of(JSONISH, st.binary(max_size=20), DOCUMENTS.map(lambda one: json.dumps(one).encode()[:-2])))
def test_any_bytes_are_a_definition_or_faults(data: bytes) -> None:
    judged = judge("x", Path("x.json"), CUSTOM, data)
    assert isinstance(judged, Definition) or judged.faults
