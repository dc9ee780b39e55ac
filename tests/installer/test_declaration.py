"""workspace.json: what is read, what survives a rewrite, what is refused and how."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_installer.declaration import Declaration, PackageRecord, floor_refusal, load, path_of
from vaultspec_installer.mode import CORE, Mode

ROOT = Path("/w")
PATH = path_of(ROOT)
CURRENT = """{
  "packages": {
    "vaultspec-core": {
      "install_mode": "tool"
    }
  },
  "schema_version": "2.2"
}
"""
FULL = """{
  "blocks": {
    "gitignore": false
  },
  "future": {
    "k": 1
  },
  "hooks": {
    "pre_commit": false
  },
  "opt_out": [
    "mcp"
  ],
  "packages": {
    "vaultspec-core": {
      "install_mode": "dependency",
      "minimum_version": "0.1.5"
    },
    "vaultspec-rag": {
      "install_mode": "tool",
      "kept": [
        1
      ],
      "tool_requirement": "./rag"
    }
  },
  "schema_version": "2.2"
}
"""
TOOL = PackageRecord(Mode.TOOL)


def read(text: str | bytes | None) -> Declaration:
    data = text.encode() if isinstance(text, str) else text
    return load(ROOT, {PATH: data}.get)


def text_of(declaration: Declaration) -> str:
    data = declaration.to_bytes()
    assert data is not None
    return data.decode()


@requirement("WSP-1")
def test_no_file_declares_nothing_and_writes_nothing() -> None:
    declaration = read(None)
    assert (declaration.packages, declaration.opt_out, declaration.mode(CORE)) == ({}, frozenset(), None)
    assert declaration.to_bytes() is None


@requirement("WSP-1")
@pytest.mark.parametrize(
    "text",
    [
        CURRENT,
        FULL,
        "{}",
        '{"packages":{"vaultspec-core":{"install_mode":"tool","minimum_version":"9.9"}}}',
        '\ufeff{"schema_version": "2.0",\r\n "packages": {}}\r\n',
        '{"schema_version":"1.0","install_mode":"dependency","minimum_vaultspec_version":"0.1.5"}',
    ],
)
def test_what_is_only_read_keeps_its_bytes(text: str) -> None:
    assert text_of(read(text)) == text


@requirement("WSP-1", "WSP-3")
@pytest.mark.parametrize("text", [CURRENT, FULL])
def test_saying_again_what_is_said_already_changes_no_byte(text: str) -> None:
    declaration = read(text)
    for name, record in declaration.packages.items():
        declaration = declaration.with_package(name, record)
    declaration = declaration.with_opt_out(declaration.opt_out).with_opt_out(["hooks"], out=False)
    assert text_of(declaration.without_package("nobody")) == text


@requirement("WSP-1")
@pytest.mark.parametrize("inner", ['{"a":' * 99 + "1" + "}" * 99, "[" + "[]," * 200 + "[]]"], ids=["deep", "wide"])
def test_what_is_deep_or_wide_survives_a_change(inner: str) -> None:
    changed = read(f'{{"future": {inner}}}').with_package(CORE, TOOL)
    assert json.loads(text_of(changed)) == {"future": json.loads(inner), **json.loads(CURRENT)}


@requirement("WSP-1", "MOD-2")
def test_a_first_record_is_the_documented_file() -> None:
    assert text_of(read(None).with_package(CORE, TOOL)) == CURRENT


@requirement("MOD-2", "WSP-1")
def test_packages_stand_side_by_side_each_in_its_own_mode() -> None:
    declaration = read(FULL)
    assert declaration.packages == {
        "vaultspec-core": PackageRecord(Mode.DEPENDENCY, "0.1.5"),
        "vaultspec-rag": PackageRecord(Mode.TOOL, None, "./rag"),
    }
    assert (declaration.mode("Vaultspec_RAG"), declaration.mode("other")) == (Mode.TOOL, None)


@requirement("WSP-1")
def test_unknown_keys_at_every_level_survive_a_change() -> None:
    changed = read(FULL).with_package("vaultspec-rag", PackageRecord(Mode.DEV, "1.0")).with_opt_out(["gitattributes"])
    expected = (
        FULL.replace('"gitignore": false', '"gitattributes": false,\n    "gitignore": false')
        .replace('"tool",\n      "kept"', '"dev",\n      "kept"')
        .replace('],\n      "tool_requirement": "./rag"', '],\n      "minimum_version": "1.0"')
    )
    assert text_of(changed) == expected


@requirement("WSP-1", "MOD-2")
def test_one_packages_change_leaves_the_others() -> None:
    changed = read(FULL).with_package(CORE, PackageRecord(Mode.TOOL, "0.1.5"))
    assert text_of(changed) == FULL.replace('"dependency"', '"tool"')
    assert changed.mode("vaultspec-rag") is Mode.TOOL


@requirement("WSP-1")
def test_a_record_in_another_spelling_of_the_name_is_the_same_package() -> None:
    text = CURRENT.replace("vaultspec-core", "Vaultspec_Core").replace('"tool"', '" Tool "')
    declaration = read(text)
    assert declaration.mode(CORE) is Mode.TOOL
    assert text_of(declaration.with_package(CORE, TOOL)) == CURRENT


@requirement("WSP-1")
def test_a_package_can_be_forgotten() -> None:
    forgotten = read(FULL).without_package("vaultspec-rag")
    assert list(json.loads(text_of(forgotten))["packages"]) == ["vaultspec-core"]


LEGACY = {
    "1.0": '{"schema_version":"1.0","install_mode":"dependency","minimum_vaultspec_version":"0.1.5","future":{"k":1}}',
    "no version at all": '{"install_mode":"Dependency","minimum_vaultspec_version":"0.1.5","future":{"k":1}}',
}


@requirement("WSP-1")
@pytest.mark.parametrize("text", LEGACY.values(), ids=LEGACY)
def test_the_first_schema_is_read_and_becomes_the_current_one_with_the_next_change(text: str) -> None:
    declaration = read(text)
    assert declaration.packages == {CORE: PackageRecord(Mode.DEPENDENCY, "0.1.5")}
    assert json.loads(text_of(declaration.with_package(CORE, declaration.packages[CORE]))) == {
        "future": {"k": 1},
        "packages": {CORE: {"install_mode": "dependency", "minimum_version": "0.1.5"}},
        "schema_version": "2.2",
    }


@requirement("WSP-1")
@pytest.mark.parametrize("version", ["2.0", "2.1"])
def test_the_second_schemas_are_read_and_become_the_current_one_with_the_next_change(version: str) -> None:
    declaration = read(CURRENT.replace("2.2", version))
    assert declaration.mode(CORE) is Mode.TOOL
    assert text_of(declaration.with_opt_out([])) == CURRENT


@requirement("WSP-2")
@pytest.mark.parametrize("version", ["2.3", "2.10", "3.0", "3"])
def test_a_newer_schema_is_read_and_never_written(version: str) -> None:
    text = FULL.replace('"2.2"', f'"{version}"')
    declaration = read(text)
    assert (declaration.newer, declaration.mode("vaultspec-rag"), text_of(declaration)) == (True, Mode.TOOL, text)
    changes: list[Callable[[], Declaration]] = [
        lambda: declaration.with_package(CORE, TOOL),
        lambda: declaration.without_package(CORE),
        lambda: declaration.with_opt_out(["mcp"]),
    ]
    for change in changes:
        with pytest.raises(Refusal) as caught:
            change()
        assert caught.value.code == "workspace-newer"
        assert caught.value.message == (
            f".vaultspec/workspace.json has schema_version {version}, newer than 2.2, and is left as it is"
        )
        assert caught.value.hint == "uvx vaultspec-core@latest install --upgrade"


BAD: dict[str, tuple[str | bytes, str]] = {
    "blank": (" \n", ":2: the file is not JSON: Expecting value at column 1; allowed: one JSON object in UTF-8"),
    "an array": ("[]", ":1: the file is an array; allowed: one JSON object in UTF-8"),
    "not UTF-8": (b'{\n"a": "\xe4"}', ":2: the file is not UTF-8 (byte 0xe4); allowed: one JSON object in UTF-8"),
    "too deep": (
        '{"a":' * 9999 + "1" + "}" * 9999,
        ": the file is nested too deeply; allowed: one JSON object in UTF-8",
    ),
    "a little too deep": (
        '{"a":' * 101 + "1" + "}" * 101,
        ": the file is nested too deeply; allowed: one JSON object in UTF-8",
    ),
    "an unwritable number": (
        '{"a": 1e999}',
        ": the file is not JSON: a number is not finite, or too large; allowed: one JSON object in UTF-8",
    ),
    "a doubled key": (
        '{\n  "packages": {},\n  "packages": {"x": {"install_mode": "tool"}}\n}',
        ":3: /packages is a key that stands twice; allowed: each key once",
    ),
    "version a number": (
        '{"schema_version": 2.2}',
        ':1: /schema_version is a number; allowed: a version in a string, as "2.2"',
    ),
    "version a word": (
        '{"schema_version": "x"}',
        ':1: /schema_version is "x"; allowed: a version in a string, as "2.2"',
    ),
    "packages a list": ('{\n"packages": []}', ":2: /packages is an array; allowed: an object"),
    "packages null": ('{"packages": null}', ":1: /packages is null; allowed: an object"),
    "a package a string": ('{"packages": {\n"a/b": "tool"}}', ":2: /packages/a~1b is a string; allowed: an object"),
    "a mode a number": (
        '{"packages": {"x": {\n"install_mode": 1}}}',
        ':2: /packages/x/install_mode is a number; allowed: "tool", "dependency" or "dev"',
    ),
    "an unknown mode": (
        '{"packages": {"x": {"install_mode": "container"}}}',
        ':1: /packages/x/install_mode is "container"; allowed: "tool", "dependency" or "dev"',
    ),
    "no mode": (
        '{"packages": {\n"x": {\n}}}',
        ':2: /packages/x/install_mode is missing; allowed: "tool", "dependency" or "dev"',
    ),
    "a legacy mode": (
        '{"install_mode": null}',
        ':1: /install_mode is null; allowed: "tool", "dependency" or "dev"',
    ),
    "a floor a number": (
        '{"packages": {"x": {"install_mode": "tool", "minimum_version": 1}}}',
        ":1: /packages/x/minimum_version is a number; allowed: a string that says something",
    ),
    "an empty requirement": (
        '{"packages": {"x": {"install_mode": "tool", "tool_requirement": ""}}}',
        ":1: /packages/x/tool_requirement is an empty string; allowed: a string that says something",
    ),
    "two spellings": (
        '{"packages": {"a-b": {"install_mode": "tool"},\n"A_B": {"install_mode": "dev"}}}',
        ":2: /packages/A_B is a package that stands there in another spelling; allowed: each package once",
    ),
    "opt_out a string": ('{"opt_out": "mcp"}', ":1: /opt_out is a string; allowed: an array of names"),
    "opt_out of numbers": ('{"opt_out": [1]}', ":1: /opt_out is an array; allowed: an array of names"),
    "blocks a list": ('{"blocks": []}', ":1: /blocks is an array; allowed: an object"),
    "a flag a string": ('{"hooks": {"pre_commit": "no"}}', ":1: /hooks/pre_commit is a string; allowed: true or false"),
}


@requirement("WSP-2")
@pytest.mark.parametrize(("text", "said"), BAD.values(), ids=BAD)
def test_what_cannot_be_used_is_refused_with_file_line_and_key(text: str | bytes, said: str) -> None:
    with pytest.raises(Refusal) as caught:
        read(text)
    assert caught.value.code == "bad-workspace-record"
    assert caught.value.message == f".vaultspec/workspace.json{said}"
    assert caught.value.hint == (f"Correct it by hand; or move {PATH} away and run: vaultspec-core install --mode tool")
    assert caught.value.data["file"] == ".vaultspec/workspace.json"


@requirement("WSP-3")
def test_opt_outs_are_remembered_and_ended() -> None:
    out = read(CURRENT).with_opt_out(["mcp", "precommit", "gitignore", "gitattributes"])
    assert out.opt_out == {"mcp", "precommit", "gitignore", "gitattributes"}
    expected: dict[str, Any] = {
        **json.loads(CURRENT),
        "opt_out": ["mcp"],
        "hooks": {"pre_commit": False},
        "blocks": {"gitignore": False, "gitattributes": False},
    }
    assert json.loads(text_of(out)) == expected
    assert read(text_of(out)).opt_out == out.opt_out
    assert text_of(out.with_opt_out(out.opt_out, out=False)) == CURRENT


@requirement("WSP-3")
def test_switches_of_earlier_releases_count_as_opt_outs() -> None:
    text = '{"blocks": {"gitattributes": true, "gitignore": false}, "hooks": {"pre_commit": false}}'
    assert read(text).opt_out == {"gitignore", "precommit"}


@requirement("MOD-6")
@pytest.mark.parametrize(
    ("floor", "running"),
    [(None, "1.0.0"), ("1.0", "1.0.0"), ("0.9.9", "1.0"), ("1.0rc1", "1.0"), ("1.9", "1.10"), ("1.0", "1.0.post1")],
)
def test_a_release_at_or_above_the_floor_is_free_to_work(floor: str | None, running: str) -> None:
    declaration = read(None).with_package(CORE, PackageRecord(Mode.TOOL, floor))
    assert floor_refusal(declaration, CORE, running) is None
    assert floor_refusal(declaration, "vaultspec-rag", running) is None


UPGRADES = {
    Mode.TOOL: "uvx --refresh --from 'vaultspec-core>=1.10' vaultspec-core install --upgrade",
    Mode.DEPENDENCY: "uv add 'vaultspec-core>=1.10'",
    Mode.DEV: "uv add --dev 'vaultspec-core>=1.10'",
}


@requirement("MOD-6")
@pytest.mark.parametrize(("mode", "command"), UPGRADES.items())
def test_a_release_below_the_floor_is_refused_with_the_upgrade_of_the_recorded_mode(mode: Mode, command: str) -> None:
    declaration = read(None).with_package(CORE, PackageRecord(mode, "1.10"))
    refusal = floor_refusal(declaration, CORE, "1.9.dev1")
    assert refusal is not None
    assert (refusal.code, refusal.hint) == ("below-floor", command)
    assert refusal.message == "this workspace needs vaultspec-core 1.10 or later; this is 1.9.dev1"


@requirement("MOD-6", "WSP-2")
def test_a_floor_that_is_no_version_is_refused_by_its_key() -> None:
    text = CURRENT.replace('"tool"', '"tool",\n      "minimum_version": "latest"')
    refusal = floor_refusal(read(text), CORE, "1.0")
    assert refusal is not None
    assert refusal.message == (
        '.vaultspec/workspace.json:5: /packages/vaultspec-core/minimum_version is "latest"; '
        "allowed: a version as PEP 440 writes it"
    )


def read_or_refused(text: str | bytes) -> Declaration | None:
    """The declaration, or None when the file was refused as one that cannot be used; anything else is a fault."""
    try:
        return read(text)
    except Refusal as refusal:
        if refusal.code != "bad-workspace-record":
            raise
        return None


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.sampled_from(["tool", "2.2", "3.0", "", "mcp", "1.0"]))
ENTRIES = st.dictionaries(st.sampled_from(["install_mode", "minimum_version", "tool_requirement", "k"]), SCALARS)
FLAGS = st.dictionaries(st.sampled_from(["gitignore", "gitattributes", "pre_commit", "k"]), SCALARS)
PARTS = st.one_of(
    SCALARS, st.lists(SCALARS, max_size=2), FLAGS, st.dictionaries(st.sampled_from(["a", "A", "b"]), ENTRIES)
)
KEYS = ["schema_version", "packages", "opt_out", "blocks", "hooks", "install_mode", "minimum_vaultspec_version", "k"]


@requirement("WSP-2", "REL-5")
@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), PARTS))
def test_any_document_is_read_or_refused_and_a_change_loses_no_key(document: dict[str, Any]) -> None:
    declaration = read_or_refused(json.dumps(document))
    if declaration is None or declaration.newer:
        return
    written = json.loads(text_of(declaration.with_package("new", TOOL)))
    kept = set(document) - ({"install_mode", "minimum_vaultspec_version"} if "packages" not in document else set())
    assert set(written) >= kept
    assert written["packages"].pop("new") == {"install_mode": "tool"}
    assert read(json.dumps(written)).packages == declaration.packages


@requirement("WSP-2", "REL-5")
@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=30))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    declaration = read_or_refused(data)
    assert declaration is None or declaration.to_bytes() == data
