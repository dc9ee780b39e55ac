"""What the documents say can be done: their command lines exist, their links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from tests.requirements import requirement
from vaultspec_installer.parser import understand

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = re.compile(r"(?:^|`)(?:uvx |uv run |\./scripts/)?vaultspec-core (?!\.\.\.)([^`#\n]*)", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


@requirement("PKG-4")
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_line_of_a_document_is_understood(path: Path) -> None:
    for line in COMMAND.findall(path.read_text(encoding="utf-8")):
        words = shlex.split(line.partition(" > ")[0].replace("GROUP ", "").replace("COMMAND ", ""))
        if "[OPTIONS]" not in words:
            understand(words)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_of_a_document_leads_to_a_file(path: Path) -> None:
    links = LINK.findall(path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


@requirement("PKG-4")
def test_the_two_commands_of_the_readme_are_programs() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in ("scripts/vaultspec-core", "scripts/test"):
        assert f"\n./{name}" in text
        assert (ROOT / name).stat().st_mode & 0o111


@requirement("PKG-5")
def test_ci_runs_the_script_of_the_repository_on_every_supported_python() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    assert job["steps"][-1] == {"run": ".ci/run"}
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    for step in ("ruff", "mypy", "spec reference generate --check", "scripts/test -n 2", "-m smoke"):
        assert step in script


def test_every_offered_hook_is_a_command_that_exists() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for hook in hooks:
        program, *words = shlex.split(hook["entry"])
        assert program == "vaultspec-core"
        understand(words)
