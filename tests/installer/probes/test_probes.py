"""Each kind of finding comes up in its case with all its words, and none of them in a healthy workspace."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.installer.probes import enrollments, launches, quiet, records
from tests.installer.probes.place import MODULE, Case, Place, Told
from tests.requirements import requirement
from vaultspec_installer._version import __version__
from vaultspec_installer.finding import INFO
from vaultspec_installer.parser import understand
from vaultspec_installer.probe import NO_WORKSPACE, Patient, Probe, all_codes, all_probes, examine
from vaultspec_installer.probes.modules import NAMES

CASES: dict[str, Case] = {**records.CASES, **enrollments.CASES, **launches.CASES}


def installed(sandbox: Sandbox, cli: Callable[..., Any], case: Case) -> Place:
    place = Place(sandbox.root, sandbox.home, sandbox.environ, cli)
    if case.git:
        place.git("init", "-q")
    if case.mode != "tool":
        place.write("pyproject.toml", '[project]\nname = "app"\nversion = "1"\n')
    place.run("install", case.provider, "--mode", case.mode)
    return place


def probe_of(code: str) -> Probe:
    return next(probe for probe in all_probes() if code in {one.name for one in probe.codes})


@requirement("DOC-1", "DOC-2", "SYN-9", "MOD-6", "D-8")
@pytest.mark.parametrize("code", CASES)
def test_a_finding_says_what_is_wrong_where_and_what_mends_it(
    code: str, sandbox: Sandbox, cli: Callable[..., Any]
) -> None:
    case = CASES[code]
    place = installed(sandbox, cli, case)
    case.breaks(place)
    before = tree(place.root)
    found = list(probe_of(code).look(Patient(place.root, place.environ, windows=place.windows)))
    names = {
        "{ROOT}": str(place.root),
        "{OLD}": str(sandbox.root),
        "{HOME}": str(sandbox.home),
        "{PARENT}": str(sandbox.root.parent),
        "{VERSION}": __version__,
    }

    def said(text: str | None) -> str | None:
        for name, value in names.items():
            text = text and text.replace(name, value)
        return text

    told = [
        Told(_cacheless(place, one.message), one.file, one.command, one.line) for one in found if one.code.name == code
    ]
    assert told == [Told(said(one.message) or "", said(one.file), said(one.command), one.line) for one in case.found]
    assert tree(place.root) == before


@requirement("DOC-1", "DOC-2", "SYN-9", "D-8")
@pytest.mark.parametrize("name", quiet.QUIET)
def test_what_is_no_trouble_is_no_finding(name: str, sandbox: Sandbox, cli: Callable[..., Any]) -> None:
    code, case = quiet.QUIET[name]
    place = installed(sandbox, cli, case)
    case.breaks(place)
    found = probe_of(code).look(Patient(place.root, place.environ, windows=place.windows))
    assert [one.message for one in found if one.code.name == code] == []


def test_every_module_that_a_real_server_imports_is_guarded(sandbox: Sandbox, cli: Callable[..., Any]) -> None:
    place = installed(sandbox, cli, Case(lambda place: None, ()))
    messages: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": HELLO},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "status", "arguments": {}}},
    ]
    said = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    server = [sys.executable, "-X", "importtime", "-m", MODULE]
    done = subprocess.run(server, cwd=place.root, env=place.environ, input=said, capture_output=True, text=True)
    bare = subprocess.run([sys.executable, "-I", "-X", "importtime", "-c", ""], capture_output=True, text=True)
    imported = modules_of(done.stderr) - modules_of(bare.stderr) - set(sys.builtin_module_names)
    assert "json" in imported
    public = {name for name in imported & sys.stdlib_module_names if not name.startswith("_")}
    assert public - set(NAMES.split()) - PLATFORMS == set()


HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
PLATFORMS = {"msvcrt", "nt"}
"""Looked for where there are none: they are built into the interpreter of Windows."""


def modules_of(trace: str) -> set[str]:
    """The outermost names in a trace of imports."""
    lines = [line for line in trace.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def _cacheless(place: Place, message: str) -> str:
    """The message without the folder that uv has made up."""
    start, mark, _ = message.partition(str(place.home / "uv-cache"))
    return f"{start}{{CACHE}}" if mark else message


@requirement("NAT-8")
def test_a_requirement_in_the_workspace_is_not_built_to_see_what_it_is(
    sandbox: Sandbox, cli: Callable[..., Any]
) -> None:
    place = installed(sandbox, cli, Case(lambda place: None, ()))
    mark = sandbox.home / "built"
    place.write("tool/pyproject.toml", '[build-system]\nrequires = []\nbuild-backend = "b"\nbackend-path = ["."]\n')
    place.write("tool/b.py", f"open({str(mark)!r}, 'w').close()\n")
    place.edit(".vaultspec/workspace.json", '"install_mode"', '"tool_requirement": "./tool", "install_mode"')
    place.run("spec", "mcps", "sync")
    found = probe_of("launch-unknown").look(Patient(place.root, place.environ))
    assert [one.message for one in found] == [".mcp.json: what vaultspec-core would serve is unknown"]
    assert not mark.exists()


def test_every_kind_of_finding_has_a_case() -> None:
    assert set(CASES) == {code.name for code in all_codes()} - {NO_WORKSPACE.name}


def test_every_command_of_ours_that_mends_is_one() -> None:
    lines = [told.command for case in CASES.values() for told in case.found if told.command]
    ours = [part for line in lines for part in line.split(" && ") if part.startswith("vaultspec-core ")]
    assert len(ours) > 20
    for line in ours:
        understand(shlex.split(line)[1:])


def test_no_two_kinds_of_finding_have_the_same_name() -> None:
    names = [code.name for code in all_codes()]
    assert sorted(names) == sorted(set(names))


@requirement("D-10")
@pytest.mark.parametrize("mode", ["tool", "dependency", "dev"])
def test_nothing_in_a_fresh_workspace_fails(mode: str, sandbox: Sandbox, cli: Callable[..., Any]) -> None:
    place = installed(sandbox, cli, Case(lambda place: None, (), mode=mode, provider="all", git=True))
    if mode != "tool":
        launches.prepare(place, __version__)
    found = examine(Patient(place.root, place.environ))
    assert {one.code.severity for one in found} <= {INFO}
    assert [one.message for one in found if one.fails] == []
