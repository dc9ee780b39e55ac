"""The published JSON Schemas: shipped, printed, and true of what we read and write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.conftest import Result, Sandbox
from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_installer.declaration import load, path_of
from vaultspec_installer.ownership import parse
from vaultspec_installer.schemas import text_of_schema

Cli = Callable[..., Result]
ROOT = Path(__file__).resolve().parents[2]
NAMES = ("definition", "workspace", "ownership", "envelope")
MARK = "e855b87699b8ab640a2bc930cfd1214272b5a7c2739376f18d1c4de5d7ec0a34"
RECORD = {"managed": {"a": MARK, "b": None}, "path": "/w/x", "provider": "p", "scope": "project"}


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(text_of_schema(name)))


def faults(name: str, document: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(document)]


@requirement("DEF-3", "D-7")
@pytest.mark.parametrize("name", NAMES)
def test_each_schema_is_one_of_its_draft_and_printed_as_shipped(cli: Cli, name: str) -> None:
    document = json.loads(text_of_schema(name))
    Draft202012Validator.check_schema(document)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert cli("spec", "reference", "schema", name) == Result(0, text_of_schema(name), "")
    assert cli("spec", "reference", "schema", name, "--json").json == {
        "schema": "vaultspec.spec.reference.schema.v1",
        "status": "unchanged",
        "data": {"name": name, "document": document},
    }


@requirement("DEF-3")
def test_an_unknown_schema_is_wrong_usage(cli: Cli) -> None:
    result = cli("spec", "reference", "schema", "nope")
    assert (result.code, result.out) == (2, "")


@requirement("DEF-3")
def test_every_schema_is_in_the_wheel() -> None:
    folder = ROOT / "installer" / "src" / "vaultspec_installer" / "schemas"
    assert sorted(path.stem for path in folder.glob("*.json")) == sorted(NAMES)


WORKSPACES: dict[str, tuple[str, bool]] = {
    "nothing": ("{}", True),
    "current": ('{"packages": {"a": {"install_mode": "tool"}}, "schema_version": "2.2"}', True),
    "full": (
        '{"packages": {"a": {"install_mode": "dev", "minimum_version": "1", "tool_requirement": "x", "k": 1}},'
        '"blocks": {"gitignore": false}, "hooks": {"pre_commit": true}, "opt_out": ["mcp"], "future": []}',
        True,
    ),
    "first schema": ('{"schema_version": "1.0", "install_mode": "tool", "minimum_vaultspec_version": "1"}', True),
    "newer": ('{"schema_version": "3.0"}', True),
    "version a number": ('{"schema_version": 2.2}', False),
    "version a word": ('{"schema_version": "new"}', False),
    "packages a list": ('{"packages": []}', False),
    "package a string": ('{"packages": {"a": "tool"}}', False),
    "no mode": ('{"packages": {"a": {}}}', False),
    "mode a number": ('{"packages": {"a": {"install_mode": 1}}}', False),
    "unknown mode": ('{"packages": {"a": {"install_mode": "x"}}}', False),
    "blank floor": ('{"packages": {"a": {"install_mode": "tool", "minimum_version": " "}}}', False),
    "opt_out a string": ('{"opt_out": "mcp"}', False),
    "flag a string": ('{"blocks": {"gitignore": "no"}}', False),
    "hooks a list": ('{"hooks": []}', False),
}


@requirement("DEF-3", "WSP-1", "WSP-2")
@pytest.mark.parametrize(("text", "sound"), WORKSPACES.values(), ids=WORKSPACES)
def test_the_workspace_schema_takes_what_the_reader_takes(text: str, sound: bool) -> None:
    assert validator("workspace").is_valid(json.loads(text)) == sound
    if sound:
        load(ROOT, {path_of(ROOT): text.encode()}.get)
    else:
        with pytest.raises(Refusal):
            load(ROOT, {path_of(ROOT): text.encode()}.get)


OWNERSHIPS: dict[str, tuple[dict[str, Any], bool]] = {
    "project": ({"targets": {"p:project": RECORD}, "version": 1}, True),
    "more": (
        {
            "targets": {"p:user:/h": {**RECORD, "pending": {"a": MARK}, "owners": {"a": "/w"}, "k": 1}},
            "version": 1,
            "k": 1,
        },
        True,
    ),
    "nothing": ({"targets": {}, "version": 1}, True),
    "newer": ({"targets": {}, "version": 2}, False),
    "targets a list": ({"targets": [], "version": 1}, False),
    "a record a string": ({"targets": {"p:project": "x"}, "version": 1}, False),
    "managed a list": ({"targets": {"p:project": {**RECORD, "managed": ["a"]}}, "version": 1}, False),
    "a short mark": ({"targets": {"p:project": {**RECORD, "managed": {"a": "ab"}}}, "version": 1}, False),
    "no path": ({"targets": {"p:project": {**RECORD, "path": None}}, "version": 1}, False),
}


@requirement("DEF-3", "OWN-1")
@pytest.mark.parametrize(("document", "sound"), OWNERSHIPS.values(), ids=OWNERSHIPS)
def test_the_ownership_schema_takes_what_the_reader_takes(document: dict[str, Any], sound: bool) -> None:
    assert validator("ownership").is_valid(document) == sound
    data = json.dumps(document).encode()
    if sound:
        parse(Path("x"), data)
    else:
        with pytest.raises(Refusal):
            parse(Path("x"), data)


EARLIER = ROOT / "fixtures" / "workspaces" / "earlier"


@requirement("DEF-3", "WSP-1", "OWN-1")
@pytest.mark.parametrize(("file", "name"), [("workspace.json", "workspace"), ("mcp-ownership.json", "ownership")])
def test_what_earlier_releases_wrote_is_true_to_the_schemas(file: str, name: str) -> None:
    found = sorted(EARLIER.rglob(file))
    assert found
    told = {path.relative_to(EARLIER).as_posix(): faults(name, json.loads(path.read_text())) for path in found}
    assert {path: said for path, said in told.items() if said} == {}


LINES = [
    "spec mcps list",
    "spec mcps add demo --command x",
    "spec mcps add demo --command y",
    "spec mcps add other --command x --dry-run --diff",
    "spec mcps add bad --config {}",
    "spec mcps add",
    "spec mcps nothing",
    "spec mcps remove demo --dry-run --diff",
    "spec mcps remove demo",
    "spec mcps status",
    "spec mcps status --scope nowhere",
    "spec mcps sync --dry-run --diff",
    "spec mcps sync",
    "spec mcps uninstall --dry-run",
    "spec mcps uninstall",
    "spec reference schema workspace",
    "install --dry-run",
    "status --target nowhere",
]


@requirement("DEF-3", "SYN-8")
@pytest.mark.parametrize("installed", [True, False])
def test_every_document_of_the_command_line_is_an_envelope(cli: Cli, sandbox: Sandbox, installed: bool) -> None:
    if installed:
        result = cli("install", "--mode", "tool", "--json")
        assert (result.code, faults("envelope", result.json)) == (0, [])
    for line in LINES:
        result = cli(*line.split(), "--json")
        assert (line, faults("envelope", result.json)) == (line, [])


@requirement("DEF-3")
def test_what_an_installation_writes_is_true_to_the_schemas(cli: Cli, sandbox: Sandbox) -> None:
    assert cli("install", "--mode", "tool", "--json").code == 0
    framework = sandbox.root / ".vaultspec"
    assert faults("workspace", json.loads((framework / "workspace.json").read_text())) == []
    assert faults("ownership", json.loads((framework / "mcp-ownership.json").read_text())) == []
    assert faults("definition", json.loads((framework / "mcps" / "vaultspec-core.builtin.json").read_text())) == []


@requirement("DEF-3")
@pytest.mark.parametrize(
    "document",
    [
        {},
        {"schema": "x", "status": "ok", "data": {}},
        {"schema": "vaultspec.x.v1", "status": "ok", "data": []},
        {"schema": "vaultspec.x.v1", "status": "ok", "data": {}, "more": 1},
        {"schema": "vaultspec.error.v1", "status": "failed", "data": {"message": "x"}},
        {"schema": "vaultspec.error.v1", "status": "ok", "data": {"code": "x", "message": "x"}},
        {
            "schema": "vaultspec.spec.mcps.list.v1",
            "status": "unchanged",
            "data": {"items": [{"name": "x"}], "invalid": []},
        },
        {
            "schema": "vaultspec.spec.mcps.sync.v1",
            "status": "mixed",
            "data": {"items": [{"name": "x", "outcome": "?"}]},
        },
    ],
)
def test_the_envelope_schema_refuses_what_is_none(document: dict[str, Any]) -> None:
    assert not validator("envelope").is_valid(document)
