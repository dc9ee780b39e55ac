"""What looks like trouble and is none: after each, the code must not come up."""

from __future__ import annotations

import json

from tests.installer.probes.enrollments import HOST, YAML
from tests.installer.probes.launches import prepare
from tests.installer.probes.place import MODULE, Case, Place

SAME = {"command": "uvx", "args": ["--from", "vaultspec-core", "python", "-P", "-m", MODULE], "type": "stdio"}


def _hold(place: Place, name: str, entry: object) -> None:
    (place.root / name).write_text(json.dumps({"mcpServers": {"vaultspec-core": entry}}), encoding="utf-8")


def _install_hook(place: Place) -> None:
    place.write(".git/hooks/pre-commit", "#!/bin/sh\n")


def _worktree(place: Place) -> None:
    """A second checkout of the same repository, whose hooks are those of the first."""
    _install_hook(place)
    place.git("add", ".")
    place.git("-c", "user.name=x", "-c", "user.email=x", "-c", "core.hooksPath=/dev/null", "commit", "-qm", "x")
    place.git("worktree", "add", "-q", "../tree")
    place.root = place.root.parent / "tree"
    place.run("install", "claude", "--mode", "tool")


def _path_of_hooks(place: Place) -> None:
    place.git("config", "core.hooksPath", "elsewhere")


def _transplanted(place: Place) -> None:
    place.write("prek.toml", '[[repos]]\nrepo = "local"\nhooks = [{ id = "vault-fix" }, { id = "spec-check" }]\n')


def _uvx_on_windows(place: Place) -> None:
    place.windows = True


def _server_of_another_kind(place: Place) -> None:
    place.define("search", "npx", args=["-y", "search-mcp"])
    place.run("spec", "mcps", "sync")


def _safe_path(place: Place) -> None:
    _hold(place, HOST, SAME)
    place.write("vaultspec_core/__init__.py", "")


def _own_project(place: Place) -> None:
    place.write("pyproject.toml", '[project]\nname = "Vaultspec_Core"\n')
    place.write("vaultspec_core/__init__.py", "")


def _environment_above(place: Place) -> None:
    """The workspace is a member of a project above it, whose environment it shares."""
    prepare(place, "1.2.3")
    (place.root / ".venv").rename(place.root.parent / ".venv")


def _own_environment_variable(place: Place) -> None:
    prepare(place, "1.2.3")
    (place.root / ".venv").rename(place.root / "environment")
    place.environ["UV_PROJECT_ENVIRONMENT"] = "environment"


def _homeless(place: Place) -> None:
    del place.environ["HOME"], place.environ["USERPROFILE"]


def _opted_out(place: Place) -> None:
    place.edit(".vaultspec/workspace.json", '"packages"', '"opt_out": ["mcp"], "packages"')
    place.define("search")


QUIET = {
    "workspace: a key that we do not know": (
        "bad-workspace-record",
        Case(lambda place: place.edit(".vaultspec/workspace.json", '"packages"', '"theirs": [1], "packages"'), ()),
    ),
    "floor: what is running": ("below-floor", Case(lambda place: place.floor("0.1"), ())),
    "definition: a reference to a secret": (
        "literal-secret",
        Case(lambda place: place.define("search", env={"API_KEY": "${API_KEY}"}), ()),
    ),
    "definition: the user's own says its launch outright": (
        "static-seed",
        Case(lambda place: place.define("search"), ()),
    ),
    "enrollment: an entry with the client's own defaults": (
        "entry-edited",
        Case(lambda place: _hold(place, HOST, SAME), ()),
    ),
    "enrollment: somebody else's server": (
        "entry-conflict",
        Case(lambda place: place.edit(HOST, '"mcpServers": {', '"mcpServers": {"theirs": {"command": "x"},'), ()),
    ),
    "enrollment: a user's file that is broken and holds nothing of ours": (
        "host-file",
        Case(lambda place: (place.home / ".claude.json").write_text("{", encoding="utf-8"), ()),
    ),
    "enrollment: opted out": ("entry-missing", Case(_opted_out, ())),
    "enrollment: a machine without a home": (
        "scope-unjudged",
        Case(_homeless, ()),
    ),
    "blocks: opted out": (
        "block-incomplete",
        Case(lambda place: place.run("spec", "gitignore", "disable"), ()),
    ),
    "blocks: lines of the user's round ours": (
        "block-incomplete",
        Case(lambda place: place.edit(".gitignore", "# >>>", "*.log\n\n# >>>"), ()),
    ),
    "hooks: opted out": ("hooks-missing", Case(lambda place: place.run("spec", "precommit", "disable"), (), git=True)),
    "hooks: no repository": ("hooks-missing", Case(lambda place: None, ())),
    "hooks: another hook above ours": (
        "hooks-missing",
        Case(
            lambda place: place.edit(YAML, "repos:\n", "repos:\n- repo: meta\n  hooks: [{id: identity}]\n"),
            (),
            git=True,
        ),
    ),
    "hooks: installed": ("hook-not-installed", Case(_install_hook, (), git=True)),
    "hooks: installed in the repository of a worktree": ("hook-not-installed", Case(_worktree, (), git=True)),
    "hooks: in a folder that git is told": ("hook-not-installed", Case(_path_of_hooks, (), git=True)),
    "hooks: transplanted by hand": ("hooks-unrefreshable", Case(_transplanted, (), git=True)),
    "uv: on the path": ("uv-missing", Case(lambda place: None, ())),
    "shape: uvx on Windows": ("launch-script-shim", Case(_uvx_on_windows, ())),
    "shape: npx elsewhere": ("launch-script-shim", Case(_server_of_another_kind, ())),
    "served: a server that is not launched by a mode": ("launch-serves", Case(_server_of_another_kind, ())),
    "modules: a launch that leaves the current folder out": ("server-shadowed", Case(_safe_path, ())),
    "modules: where the server itself is developed": ("server-shadowed", Case(_own_project, ())),
    "modules: a folder without code": (
        "library-shadowed",
        Case(lambda place: place.write("json/data.txt", ""), ()),
    ),
    "environment: of a project above": ("environment-missing", Case(_environment_above, (), mode="dependency")),
    "environment: where uv is told": ("environment-missing", Case(_own_environment_variable, (), mode="dependency")),
    "environment: not used in tool mode": ("environment-missing", Case(lambda place: None, ())),
    "shadowing: the same launch at user scope": (
        "launch-shadowed",
        Case(lambda place: _hold(place, str(place.home / ".claude.json"), SAME), ()),
    ),
    "shadowing: the same launch above": (
        "launch-shadowed-above",
        Case(lambda place: _hold(place, str(place.root.parent / HOST), SAME), ()),
    ),
    "shadowing: another name above": (
        "launch-shadowed-above",
        Case(
            lambda place: (place.root.parent / HOST).write_text('{"mcpServers": {"theirs": {}}}', encoding="utf-8"), ()
        ),
    ),
    "shadowing: a file above that cannot be read": (
        "launch-shadowed-above",
        Case(lambda place: (place.root.parent / HOST).write_text("{", encoding="utf-8"), ()),
    ),
}
"""Name -> the code that must not come up, and the case."""
