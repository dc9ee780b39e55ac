"""The action and the hooks that other repositories use, run for real: their own shell, the real pre-commit, the real pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT, SOURCES, Sandbox
from tests.requirements import requirement

Cli = Callable[..., Any]


@pytest.fixture
def workspace(sandbox: Sandbox, cli: Cli) -> Sandbox:
    """A healthy workspace in a git repository."""
    subprocess.run(["git", "init", "-q"], cwd=sandbox.root, check=True)
    assert cli("install", "core", "--mode", "tool").code == 0
    return sandbox


def action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return found


def run_step(step: dict[str, Any], environ: dict[str, str], inputs: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """One step as a runner does it, with the variables that it exported so far."""
    said = dict(environ)
    for name, value in step.get("env", {}).items():
        said[name] = inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")]
    exported = Path(environ["GITHUB_ENV"])
    if exported.is_file():
        said |= dict(line.split("=", 1) for line in exported.read_text(encoding="utf-8").splitlines())
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, env=said, cwd=environ["HOME"], capture_output=True, text=True, check=False)


@requirement("DOC-3")
def test_the_action_installs_diagnoses_and_judges(workspace: Sandbox, wheels: Path, tmp_path: Path) -> None:
    steps = action()["runs"]["steps"]
    inputs = {name: about["default"] for name, about in action()["inputs"].items()}
    inputs |= {"target": str(workspace.root), "requirement": "vaultspec-core"}
    site = sysconfig.get_paths()["purelib"]
    environ = {
        **workspace.environ,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_ENV": str(tmp_path / "exported"),
        "GITHUB_ACTION_PATH": str(ROOT),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), workspace.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([*SOURCES, site]),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_IGNORE_INSTALLED": "1",
        "PIP_FIND_LINKS": str(wheels),
    }
    install, diagnose, judge = steps
    done = run_step(install, environ, inputs)
    assert done.returncode == 0, done.stderr
    clean = run_step(diagnose, environ, inputs)
    assert "::error" not in clean.stdout
    shutil.rmtree(workspace.root / ".vault")
    said = (
        "::warning title=no-vault,file=.vault::there is no .vault in this workspace%0Avaultspec-core install --upgrade"
    )
    warned = run_step(diagnose, environ, inputs)
    assert (warned.returncode, said in warned.stdout.splitlines()) == (1, True)
    assert run_step(diagnose, environ, inputs | {"gate-errors": "true"}).returncode == 0
    assert judge["if"] == "${{ !cancelled() }}"
    judged = run_step(judge, environ, inputs)
    assert judged.stdout.startswith("No client is installed in this workspace.\n")


@requirement("DOC-3")
def test_the_action_installs_its_own_release_without_a_requirement() -> None:
    run = action()["runs"]["steps"][0]["run"]
    for part in ("providers", "server", "installer"):
        assert f'"$GITHUB_ACTION_PATH/{part}"' in run
        assert (ROOT / part / "pyproject.toml").is_file()


@pytest.fixture
def hooked(workspace: Sandbox, cli: Cli, tmp_path: Path) -> dict[str, str]:
    """The workspace with the hooks of a repository that holds our list of them; the environment to run them in."""
    assert cli("spec", "precommit", "disable").code == 0
    assert cli("install", "claude", "--mode", "tool").code == 0
    programs = tmp_path / "programs"
    programs.mkdir()
    ours = programs / "vaultspec-core"
    ours.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m vaultspec_installer "$@"\n', encoding="utf-8")
    ours.chmod(0o755)
    environ = {
        **workspace.environ,
        "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), workspace.environ["PATH"]]),
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
        **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"], ["tag", "v1"]):
        subprocess.run(["git", *words], cwd=hooks, env=environ, check=True)
    ids = [hook["id"] for hook in yaml.safe_load((hooks / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))]
    assert ids == ["vaultspec-doctor", "vaultspec-mcps-status"]
    config = {"repos": [{"repo": str(hooks), "rev": "v1", "hooks": [{"id": one} for one in ids]}]}
    (workspace.root / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    subprocess.run(["git", "add", "."], cwd=workspace.root, env=environ, check=True)
    return environ


@requirement("DOC-3")
def test_pre_commit_runs_both_hooks(hooked: dict[str, str], sandbox: Sandbox) -> None:
    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"],
            cwd=sandbox.root,
            env=hooked,
            capture_output=True,
            text=True,
            check=False,
        )

    done = run()
    assert (done.returncode, done.stdout.count("Passed")) == (0, 2), done.stdout + done.stderr
    (sandbox.root / ".mcp.json").write_text("{", encoding="utf-8")
    done = run()
    assert (done.returncode, done.stdout.count("Failed")) == (1, 2), done.stdout + done.stderr
    assert "host-file" in done.stdout
