"""`spec doctor` and `doctor` as commands: exit codes, JSON, annotations and SARIF."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from tests.conftest import ROOT, Sandbox, tree
from tests.requirements import requirement
from vaultspec_installer._version import __version__
from vaultspec_installer.annotations import github, sarif
from vaultspec_installer.finding import ERROR, INFO, WARNING, Code
from vaultspec_installer.probe import all_codes

Cli = Callable[..., Any]
NO_VAULT = {
    "code": "no-vault",
    "severity": "warning",
    "fails": True,
    "file": ".vault",
    "line": None,
    "message": "there is no .vault in this workspace",
    "command": "vaultspec-core install --upgrade",
}


@pytest.fixture
def workspace(sandbox: Sandbox, cli: Cli) -> Sandbox:
    """A workspace without any client, so that its launch lines say nothing."""
    assert cli("install", "core", "--mode", "tool").code == 0
    return sandbox


def remove_vault(sandbox: Sandbox) -> None:
    for path in sorted((sandbox.root / ".vault").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (sandbox.root / ".vault").rmdir()


def break_record(sandbox: Sandbox) -> None:
    (sandbox.root / ".vaultspec/workspace.json").write_text("[]", encoding="utf-8")


@requirement("DOC-1", "D-10")
def test_a_healthy_workspace_exits_0_and_is_left_alone(workspace: Sandbox, cli: Cli) -> None:
    before = tree(workspace.root)
    result = cli("spec", "doctor", "--json")
    assert (result.code, result.err) == (0, "")
    assert result.json == {
        "schema": "vaultspec.spec.doctor.v1",
        "status": "unchanged",
        "data": {"errors": 0, "warnings": 0, "infos": 0, "findings": []},
    }
    assert cli("spec", "doctor").out == "0 errors, 0 warnings\n"
    assert tree(workspace.root) == before


@requirement("DOC-1")
def test_warnings_exit_1_and_pass_the_gate(workspace: Sandbox, cli: Cli) -> None:
    remove_vault(workspace)
    result = cli("spec", "doctor", "--json")
    assert (result.code, result.json["status"]) == (1, "failed")
    assert result.data == {"errors": 0, "warnings": 1, "infos": 0, "findings": [NO_VAULT]}
    gated = cli("spec", "doctor", "--json", "--gate-errors")
    assert (gated.code, gated.json["status"]) == (0, "unchanged")
    assert gated.data == result.data


@requirement("DOC-1")
def test_errors_exit_2_and_stop_at_the_gate(workspace: Sandbox, cli: Cli) -> None:
    break_record(workspace)
    for words in ((), ("--gate-errors",)):
        result = cli("spec", "doctor", "--json", *words)
        assert (result.code, result.json["status"], result.data["errors"]) == (2, "failed", 1)


@requirement("DOC-1")
def test_a_folder_without_a_workspace_is_an_error_with_the_command_that_makes_one(sandbox: Sandbox, cli: Cli) -> None:
    result = cli("spec", "doctor", "--target", str(sandbox.home), "--json")
    assert (result.code, result.err) == (2, "")
    assert result.data["findings"] == [
        {
            "code": "no-workspace",
            "severity": "error",
            "fails": True,
            "file": ".vaultspec",
            "line": None,
            "message": f"{sandbox.home} (--target) holds no workspace",
            "command": f"vaultspec-core install --target {sandbox.home}",
        }
    ]


@requirement("DOC-1")
@pytest.mark.parametrize("way", ["below the root", "the variable"])
def test_the_workspace_is_found_as_by_every_command(way: str, workspace: Sandbox, cli: Cli) -> None:
    remove_vault(workspace)
    below = workspace.root / "src"
    below.mkdir()
    if way == "below the root":
        result = cli("spec", "doctor", "--json", cwd=below)
    else:
        env = {"VAULTSPEC_TARGET_DIR": str(workspace.root)}
        result = cli("spec", "doctor", "--json", cwd=workspace.home, env=env)
    assert result.data["findings"] == [NO_VAULT]


@requirement("DOC-2")
@pytest.mark.parametrize("state", ["prek.toml without the hooks", "a static seed"])
def test_two_states_warn_and_exit_0(state: str, workspace: Sandbox, cli: Cli) -> None:
    if state == "a static seed":
        (workspace.root / ".vaultspec/mcps/search.builtin.json").write_text('{"command": "x"}', encoding="utf-8")
    else:
        (workspace.root / "prek.toml").write_text("# mine\n", encoding="utf-8")
    result = cli("spec", "doctor", "--json")
    assert (result.code, result.json["status"]) == (0, "unchanged")
    assert [(one["severity"], one["fails"]) for one in result.data["findings"]] == [("warning", False)]


@requirement("DOC-2")
def test_hooks_that_a_person_has_transplanted_are_no_finding(workspace: Sandbox, cli: Cli) -> None:
    (workspace.root / "prek.toml").write_text(
        '[[repos]]\nrepo = "local"\nhooks = [{ id = "vault-fix" }, { id = "spec-check" }, { id = "mine" }]\n',
        encoding="utf-8",
    )
    assert cli("spec", "doctor", "--json").data["findings"] == []


@requirement("DOC-1")
def test_doctor_adds_the_whole_check_of_the_vault(workspace: Sandbox, cli: Cli) -> None:
    clean = cli("doctor", "--json")
    assert (clean.code, clean.json["schema"], clean.json["status"]) == (0, "vaultspec.doctor.v1", "unchanged")
    assert clean.data["spec"] == cli("spec", "doctor", "--json").data
    assert clean.data["vault"] == cli("vault", "check", "all", "--json").data
    (workspace.root / ".vault/adr/2026-01-02-search-adr.md").write_bytes(b"\xff")
    broken = cli("doctor", "--json")
    assert (broken.code, broken.json["status"]) == (1, "failed")
    assert broken.data["vault"] == cli("vault", "check", "all", "--json").data
    break_record(workspace)
    assert cli("doctor").code == 2


def test_doctor_without_a_workspace_checks_no_vault(sandbox: Sandbox, cli: Cli) -> None:
    result = cli("doctor", "--json")
    assert (result.code, result.data["spec"]["errors"], result.data["vault"]) == (2, 1, {"checks": []})


FILES = (
    ".vaultspec/workspace.json",
    ".vaultspec/providers.json",
    ".vaultspec/mcp-ownership.json",
    ".vaultspec/mcps/vaultspec-core.builtin.json",
    ".vaultspec/mcps",
    ".vaultspec/templates/adr.md",
    ".mcp.json",
    ".gitignore",
    ".pre-commit-config.yaml",
    "prek.toml",
    "pyproject.toml",
    ".venv",
    ".vault",
    ".git",
    "../.mcp.json",
    "../home/.claude.json",
    "../home/.vaultspec",
    "../home/.vaultspec/mcp-ownership.json",
)


@requirement("DOC-1")
@pytest.mark.parametrize("name", FILES)
def test_whatever_stands_in_the_place_of_a_file_is_no_fault_of_ours(name: str, sandbox: Sandbox, cli: Cli) -> None:
    (sandbox.root / ".git").mkdir()
    (sandbox.root / "pyproject.toml").write_text('[project]\nname = "app"\n', encoding="utf-8")
    env = {"PATH": str(sandbox.home)}
    assert cli("install", "claude", "--mode", "dependency", env=env).code == 0
    place = sandbox.root / name
    place.parent.mkdir(exist_ok=True)
    kept = sandbox.home / "kept"
    if place.exists():
        place.rename(kept)
    for state in (
        "nothing",
        "a folder",
        "a link to itself",
        b"",
        b"\xff\x00",
        b"{",
        b"[]",
        b"[[[",
        b'{"mcpServers": 1}',
        b"a: [",
    ):
        match state:
            case "nothing":
                pass
            case "a folder":
                place.mkdir()
            case "a link to itself":
                place.symlink_to(place)
            case _:
                assert isinstance(state, bytes)
                place.write_bytes(state)
        result = cli("spec", "doctor", "--format", "sarif", env=env)
        assert result.code in (0, 1, 2), (state, result.out, result.err)
        assert result.err == "", (state, result.err)
        if place.is_dir():
            place.rmdir()
        elif place.is_symlink() or place.exists():
            place.unlink()


GRAVE = Code("grave", ERROR, "It is broken.", "Mend it.", "a.json: broken")
LIGHT = Code("light", WARNING, "It is odd.", "Look at it.", "b.json: odd")
NEWS = Code("news", INFO, "It is so.", "Nothing.", "c.json: so")
FINDINGS = [
    GRAVE.found("a,b.json:3: 100% broken\r\nreally", "a,b.json", "mend a,b.json", 3),
    LIGHT.found("odd", "/home/me/b.json"),
    NEWS.found("so"),
]


@requirement("DOC-3")
def test_annotations_stand_on_the_lines_that_they_are_about() -> None:
    assert github(FINDINGS) == (
        "::error title=grave,file=a%2Cb.json,line=3::a,b.json:3: 100%25 broken%0D%0Areally%0Amend a,b.json\n"
        "::warning title=light::odd\n"
        "::notice title=news::so\n"
    )
    assert github([]) == ""


_TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1}},
    "required": ["text"],
    "additionalProperties": False,
}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}


def _exactly(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in ("locations", "region", "uriBaseId")],
        "additionalProperties": False,
    }


SHAPE = _exactly(
    **{"$schema": {"const": "https://json.schemastore.org/sarif-2.1.0.json"}},
    version={"const": "2.1.0"},
    runs={
        "type": "array",
        "minItems": 1,
        "maxItems": 1,
        "items": _exactly(
            tool=_exactly(
                driver=_exactly(
                    name={"const": "vaultspec-core"},
                    version={"const": __version__},
                    rules={
                        "type": "array",
                        "uniqueItems": True,
                        "items": _exactly(
                            id={"type": "string", "pattern": "^[a-z-]+$"},
                            shortDescription=_TEXT,
                            help=_TEXT,
                            defaultConfiguration=_exactly(level=_LEVEL),
                        ),
                    },
                )
            ),
            originalUriBaseIds=_exactly(**{"%SRCROOT%": _exactly(description=_TEXT)}),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            results={
                "type": "array",
                "items": _exactly(
                    ruleId={"type": "string"},
                    ruleIndex={"type": "integer", "minimum": 0},
                    level=_LEVEL,
                    message=_TEXT,
                    locations={
                        "type": "array",
                        "items": _exactly(
                            physicalLocation=_exactly(
                                artifactLocation=_exactly(uri={"type": "string"}, uriBaseId={"const": "%SRCROOT%"}),
                                region=_exactly(startLine={"type": "integer", "minimum": 1}),
                            )
                        ),
                    },
                ),
            },
        ),
    },
)
"""What SARIF 2.1.0 (section 3 of the standard) says of the part of it that we write."""


@requirement("DOC-3")
def test_sarif_has_the_shape_of_the_standard_and_names_the_rule_of_each_result(workspace: Sandbox, cli: Cli) -> None:
    remove_vault(workspace)
    break_record(workspace)
    result = cli("spec", "doctor", "--format", "sarif")
    assert (result.code, result.err) == (2, "")
    document = json.loads(result.out)
    jsonschema.validate(document, SHAPE)
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == [code.name for code in all_codes()]
    found = cli("spec", "doctor", "--json").data["findings"]
    assert [one["ruleId"] for one in run["results"]] == [one["code"] for one in found]
    assert [rules[one["ruleIndex"]] for one in run["results"]] == [one["code"] for one in found]
    assert run["results"][0] == {
        "ruleId": "no-vault",
        "ruleIndex": rules.index("no-vault"),
        "level": "warning",
        "message": {"text": "there is no .vault in this workspace\nMend it with: vaultspec-core install --upgrade"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": ".vault", "uriBaseId": "%SRCROOT%"}}}],
    }


@requirement("DOC-3")
def test_sarif_of_files_outside_the_workspace_and_names_with_blanks() -> None:
    code = all_codes()[0]
    findings = [code.found("x", "a b.json", None, 2), code.found("x", "/home/me/b c.json"), code.found("x")]
    document = json.loads(sarif(findings))
    jsonschema.validate(document, SHAPE)
    assert [one.get("locations") for one in document["runs"][0]["results"]] == [
        [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "a%20b.json", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 2},
                }
            }
        ],
        [{"physicalLocation": {"artifactLocation": {"uri": "file:///home/me/b%20c.json"}}}],
        None,
    ]


@requirement("DOC-3")
def test_annotations_keep_the_exit_code_and_the_gate(workspace: Sandbox, cli: Cli) -> None:
    remove_vault(workspace)
    said = "::warning title=no-vault,file=.vault::there is no .vault in this workspace%0Avaultspec-core install --upgrade\n"
    result = cli("spec", "doctor", "--format", "github")
    assert (result.code, result.out, result.err) == (1, said, "")
    assert cli("spec", "doctor", "--format", "github", "--gate-errors").code == 0


@requirement("SYN-8")
def test_json_and_another_format_at_once_are_wrong_usage(workspace: Sandbox, cli: Cli) -> None:
    result = cli("spec", "doctor", "--json", "--format", "sarif")
    assert result.code == 2
    assert result.data["message"] == "--json and --format sarif are two outputs; say one"


@requirement("DOC-1")
def test_the_page_explains_exactly_the_codes_that_there_are() -> None:
    page = (ROOT / "docs/doctor.md").read_text(encoding="utf-8").partition("## Findings")[2]
    assert re.findall(r"^### (\S+)$", page, re.MULTILINE) == [code.name for code in all_codes()]
    for code in all_codes():
        for text in (code.meaning, code.mend, f"```text\n{code.example}\n```"):
            assert text in page
