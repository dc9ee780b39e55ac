"""Rendering per mode, what earlier releases wrote, and when two launches are the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.requirements import requirement
from vaultspec_installer.declaration import Declaration, PackageRecord
from vaultspec_installer.definition import BUILT_IN, Definition, judge
from vaultspec_installer.launch import former_launches, normal, render, same_launch
from vaultspec_installer.launch import requirement as requirement_of
from vaultspec_installer.mode import CORE, Mode
from vaultspec_installer.seeds import seed_text
from vaultspec_providers.contract import Launch

APP = "vaultspec_core.mcp_server.app"
NOTHING = Declaration(Path("workspace.json"))
TOOL = Launch("uvx", ("--from", "vaultspec-core", "python", "-m", APP))
PROJECT = Launch("uv", ("run", "--no-sync", "python", "-m", APP))
RAG_TOOL = Launch("uvx", ("--from", "vaultspec-rag[mcp]", "python", "-m", "vaultspec_rag.server"))
RAG_PROJECT = Launch("uv", ("run", "--no-sync", "python", "-m", "vaultspec_rag.server"))


def seeded(text: str, **more: object) -> Definition:
    judged = judge("x", Path("x.builtin.json"), BUILT_IN, json.dumps({**json.loads(text), **more}).encode())
    assert isinstance(judged, Definition)
    return judged


CORE_DEFINITION = seeded(seed_text(CORE))
RAG = seeded(seed_text("vaultspec-rag", "vaultspec_rag.server", "vaultspec-rag[mcp]"))
CUSTOM = seeded("{}", command="npx", args=["-P", "-m", "x"], env={"A": "1"})


def recording(package: str = CORE, **fields: str) -> Declaration:
    return NOTHING.with_package(package, PackageRecord(Mode.TOOL, **fields))


def from_(said: str) -> Launch:
    return Launch("uvx", ("--from", said, "python", "-m", APP))


@requirement("MOD-1")
@pytest.mark.parametrize("mode", list(Mode))
def test_each_mode_renders_its_documented_launch(mode: Mode) -> None:
    assert render(CORE_DEFINITION, mode, NOTHING) == (TOOL if mode is Mode.TOOL else PROJECT)
    assert render(RAG, mode, NOTHING) == (RAG_TOOL if mode is Mode.TOOL else RAG_PROJECT)


@requirement("MOD-1", "DEF-2")
@pytest.mark.parametrize("mode", list(Mode))
def test_a_definition_that_says_its_launch_is_rendered_as_it_stands_in_every_mode(mode: Mode) -> None:
    assert render(CUSTOM, mode, recording(minimum_version="2")) == Launch("npx", ("-P", "-m", "x"), {"A": "1"})


@requirement("DEF-2")
def test_the_environment_goes_along_with_a_templated_launch() -> None:
    definition = seeded(seed_text(CORE), env={"VAULTSPEC_TARGET_DIR": "/srv/x"})
    assert render(definition, Mode.TOOL, NOTHING).env == {"VAULTSPEC_TARGET_DIR": "/srv/x"}
    assert render(definition, Mode.DEV, NOTHING).env == {"VAULTSPEC_TARGET_DIR": "/srv/x"}


REQUIREMENTS = {
    "no record": (CORE_DEFINITION, NOTHING, "vaultspec-core"),
    "a record without a requirement": (CORE_DEFINITION, recording(), "vaultspec-core"),
    "a floor": (CORE_DEFINITION, recording(minimum_version="1.2"), "vaultspec-core>=1.2"),
    "another package's floor": (CORE_DEFINITION, recording("vaultspec-rag", minimum_version="1.2"), "vaultspec-core"),
    "extras and a floor": (RAG, recording("vaultspec-rag", minimum_version="0.4"), "vaultspec-rag[mcp]>=0.4"),
    "a wheel": (CORE_DEFINITION, recording(tool_requirement="./dist/x.whl", minimum_version="1"), "./dist/x.whl"),
    "a version": (CORE_DEFINITION, recording(tool_requirement="vaultspec-core==1.3"), "vaultspec-core==1.3"),
    "a version and a floor": (
        CORE_DEFINITION,
        recording(tool_requirement="vaultspec-core==1.3", minimum_version="1"),
        "vaultspec-core==1.3",
    ),
    "a fork": (CORE_DEFINITION, recording(tool_requirement="our-core"), "our-core"),
    "a place": (
        CORE_DEFINITION,
        recording(tool_requirement="git+https://example.org/x", minimum_version="1"),
        "git+https://example.org/x",
    ),
    "the record over the definition": (RAG, recording("vaultspec-rag", tool_requirement="/src/rag"), "/src/rag"),
}


@requirement("MOD-6", "MOD-2")
@pytest.mark.parametrize(("definition", "declaration", "said"), REQUIREMENTS.values(), ids=REQUIREMENTS)
def test_the_tool_requirement_is_what_the_record_and_the_definition_say(
    definition: Definition, declaration: Declaration, said: str
) -> None:
    assert requirement_of(definition, declaration) == said
    assert render(definition, Mode.TOOL, declaration).args[:2] == ("--from", said)


SAME = {
    "itself": (TOOL, TOOL),
    "a safe path": (TOOL, Launch("uvx", ("--from", "vaultspec-core", "python", "-P", "-m", APP))),
    "a safe path in a project": (PROJECT, Launch("uv", ("run", "--no-sync", "python", "-P", "-m", APP))),
    "a floor": (TOOL, from_("vaultspec-core>=1.2")),
    "a floor with a space": (TOOL, from_("vaultspec-core >=1.2")),
    "a floor behind extras": (from_("x[a,b]"), from_("x[a,b]>=1.2.dev3")),
    "one floor and a safe path": (
        from_("x>=1"),
        Launch("uvx", ("--from", "x>=1", "python", "-P", "-m", APP)),
    ),
}
DIFFERENT = {
    "another mode": (TOOL, PROJECT),
    "no guard": (PROJECT, Launch("uv", ("run", "python", "-m", APP))),
    "two floors": (from_("x>=1"), from_("x>=2")),
    "an exact version": (TOOL, from_("vaultspec-core==1.2")),
    "a range": (TOOL, from_("vaultspec-core>=1,<2")),
    "another package": (from_("a>=1"), from_("b>=1")),
    "another environment": (TOOL, Launch(TOOL.command, TOOL.args, {"A": "1"})),
    "a flag for the server": (TOOL, Launch("uvx", (*TOOL.args, "--read-only"))),
    "a safe path elsewhere": (Launch("x", ("-P", "-m", "y")), Launch("x", ("-m", "y"))),
    "a floor of another shape": (Launch("pip", ("install", "x")), Launch("pip", ("install", "x>=1"))),
}


@requirement("MOD-6", "NAT-7")
@pytest.mark.parametrize(("left", "right"), SAME.values(), ids=SAME)
def test_spellings_of_one_launch_are_the_same(left: Launch, right: Launch) -> None:
    assert same_launch(left, right)
    assert same_launch(right, left)
    assert normal(left) == normal(right)


@requirement("MOD-6", "NAT-7")
@pytest.mark.parametrize(("left", "right"), DIFFERENT.values(), ids=DIFFERENT)
def test_launches_that_start_something_else_differ(left: Launch, right: Launch) -> None:
    assert not same_launch(left, right)
    assert not same_launch(right, left)


@requirement("NAT-7")
def test_a_launch_that_is_normal_already_stays_as_it_is() -> None:
    for launch in (TOOL, PROJECT, RAG_TOOL, Launch("npx", ("-P", "-m", "x"))):
        assert normal(launch) is launch


@requirement("OWN-4")
def test_what_earlier_releases_wrote_is_known_for_each_package() -> None:
    assert former_launches(CORE_DEFINITION) == (Launch("uv", ("run", "python", "-m", APP)), PROJECT, TOOL)
    assert former_launches(RAG) == (
        Launch("uv", ("run", "python", "-m", "vaultspec_rag.server")),
        RAG_PROJECT,
        RAG_TOOL,
        Launch("uvx", ("--from", "vaultspec-rag", "python", "-m", "vaultspec_rag.server")),
    )


@requirement("OWN-4")
def test_a_definition_that_says_its_launch_has_no_former_rendering() -> None:
    assert former_launches(CUSTOM) == ()


@requirement("OWN-4", "MOD-6")
def test_a_launch_with_an_older_floor_is_a_former_one() -> None:
    now = render(CORE_DEFINITION, Mode.TOOL, recording(minimum_version="2"))
    stands = from_("vaultspec-core>=1")
    assert not same_launch(now, stands)
    assert any(same_launch(former, stands) for former in former_launches(CORE_DEFINITION))


@requirement("MOD-1")
def test_no_rendering_is_a_console_executable() -> None:
    for definition in (CORE_DEFINITION, RAG):
        for launch in (*former_launches(definition), *(render(definition, mode, NOTHING) for mode in Mode)):
            assert launch.command in ("uv", "uvx")
            assert launch.args[-3:-1] == ("python", "-m")
