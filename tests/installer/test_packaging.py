"""What is delivered: versions, the wheels and what is in them, and that uv runs the product from them."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.conftest import ROOT, Sandbox
from tests.house.test_rules import imports
from tests.requirements import requirement

PARTS = {
    "providers": ("vaultspec-core-providers", "vaultspec_providers"),
    "server": ("vaultspec-core-mcp", "vaultspec_core"),
    "installer": ("vaultspec-core", "vaultspec_installer"),
}
ALLOWED = {"tomlkit", "platformdirs", "packaging", "jsonschema", "mcp", "rich", "psutil", "PyYAML"}


def project(part: str) -> dict[str, Any]:
    with open(ROOT / part / "pyproject.toml", "rb") as file:
        found: dict[str, Any] = tomllib.load(file)["project"]
    return found


def version(part: str) -> Version:
    """The version of a distribution, from the only line that says it."""
    package = PARTS[part][1]
    text = (ROOT / part / "src" / package / "_version.py").read_text(encoding="utf-8")
    assert text.startswith('__version__ = "')
    assert text.count("\n") == 1
    return Version(text.split('"')[1])


@requirement("PKG-1")
def test_the_top_level_holds_what_a_reader_expects() -> None:
    expected = (
        *("pyproject.toml", "installer", "server", "providers", "fixtures", "tests", "scripts", "docs"),
        *("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE", ".ci/run", ".github"),
        ".pre-commit-hooks.yaml",
    )
    assert [name for name in expected if not (ROOT / name).exists()] == []
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


@requirement("PKG-2")
@pytest.mark.parametrize("part", PARTS)
def test_each_distribution_has_its_name_and_one_line_for_its_version(part: str) -> None:
    said = project(part)
    assert said["name"] == PARTS[part][0]
    assert said["dynamic"] == ["version"]
    assert "version" not in said
    assert version(part) >= Version("1.0.0")


@requirement("PKG-2")
def test_the_installer_requires_the_other_two_at_versions_that_they_have() -> None:
    required = {one.name: one.specifier for one in map(Requirement, project("installer")["dependencies"])}
    for part in ("server", "providers"):
        floors = [item for item in required[PARTS[part][0]] if item.operator == ">="]
        assert len(floors) == 1
        assert version(part) in required[PARTS[part][0]]
        assert Version(floors[0].version) <= version(part)
    assert project("providers")["dependencies"] == []


@requirement("PKG-3")
def test_dependencies_are_the_few_that_are_agreed() -> None:
    ours = {name for name, _ in PARTS.values()}
    for part in PARTS:
        said = project(part)
        assert said["requires-python"] == ">=3.11"
        assert {Requirement(text).name for text in said["dependencies"]} <= ALLOWED | ours


@requirement("PKG-3")
@pytest.mark.parametrize("part", PARTS)
def test_each_distribution_declares_what_it_imports(part: str) -> None:
    source = ROOT / part / "src" / PARTS[part][1]
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in source.rglob("*.py"))
    tops = {name.split(".")[0] for tree in trees for _, name in imports(tree) if not name.startswith(".")}
    ours = {package: name for name, package in PARTS.values()}
    names = {"yaml": "PyYAML", "mcp_types": "mcp", "anyio": "mcp", **ours}
    imported = {names.get(top, top) for top in tops - set(sys.stdlib_module_names)} - {PARTS[part][0]}
    assert imported - {Requirement(text).name for text in project(part)["dependencies"]} == set()


@requirement("PKG-2")
@pytest.mark.parametrize("part", PARTS)
def test_a_wheel_holds_every_file_of_its_package_and_nothing_else(wheels: Path, part: str) -> None:
    name, package = PARTS[part]
    (wheel,) = wheels.glob(f"{name.replace('-', '_')}-{version(part)}-py3-none-any.whl")
    source = ROOT / part / "src"
    expected = {
        path.relative_to(source).as_posix()
        for path in (source / package).rglob("*")
        if path.is_file() and not any(name.startswith((".", "__pycache__")) for name in path.relative_to(source).parts)
    }
    assert f"{package}/py.typed" in expected
    with zipfile.ZipFile(wheel) as archive:
        held = {item for item in archive.namelist() if ".dist-info/" not in item}
    assert held == expected


def test_the_verb_table_is_found_inside_wheels_as_they_are(wheels: Path, sandbox: Sandbox) -> None:
    command = [sys.executable, "-m", "vaultspec_installer", "spec", "reference", "verbs", "--json"]
    zipped = {**sandbox.environ, "PYTHONPATH": os.pathsep.join(map(str, sorted(wheels.glob("*.whl"))))}
    found = [
        subprocess.run(command, env=environ, capture_output=True, check=True) for environ in (zipped, sandbox.environ)
    ]
    assert found[0].stdout == found[1].stdout


@pytest.fixture
def uvx(uv_environ: dict[str, str], sandbox: Sandbox) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`uvx` on a machine where the wheels stand beside the index."""

    def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["uvx", "--quiet", *words],
            env=uv_environ,
            cwd=sandbox.root,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@requirement("PKG-2")
@pytest.mark.smoke
def test_uvx_provisions_a_project_and_serves_it_from_the_wheels(
    uvx: Callable[..., subprocess.CompletedProcess[str]], sandbox: Sandbox
) -> None:
    installed = uvx("vaultspec-core", "install", "--mode", "tool", "--json")
    assert (installed.returncode, installed.stderr) == (0, "")
    assert json.loads(installed.stdout)["data"]["action"] == "install"
    launch = json.loads((sandbox.root / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["vaultspec-core"]
    assert (launch["command"], launch["args"][:2]) == ("uvx", ["--from", "vaultspec-core"])
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    served = uvx(*launch["args"], stdin=json.dumps(message) + "\n")
    assert (served.returncode, served.stderr) == (0, "")
    answer = json.loads(served.stdout)["result"]
    assert (answer["protocolVersion"], answer["serverInfo"]["version"]) == ("2025-11-25", str(version("server")))
