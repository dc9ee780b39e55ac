"""Install modes: how a package's server is started, and where that choice comes from.

Precedence: `--mode`, what workspace.json records, what pyproject.toml says, tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from vaultspec_core.report import Refusal
from vaultspec_providers.contract import Launch

CORE = "vaultspec-core"


class Mode(StrEnum):
    """`tool`: an isolated environment made by uvx. `dependency`, `dev`: the project's own environment, as it is."""

    TOOL = "tool"
    DEPENDENCY = "dependency"
    DEV = "dev"


Source = Literal["option", "recorded", "detected", "default"]


class ModeChoice(NamedTuple):
    """A mode, where it comes from, and what a person should know about it."""

    value: Mode
    source: Source
    warnings: tuple[str, ...] = ()


class Detection(NamedTuple):
    """What pyproject.toml says of a package: `dependency`, `dev` or nothing. `warning`: why the file says nothing."""

    value: Mode | None = None
    warning: str | None = None


_NAME = r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?=[<>=!~;\[(@,]|$)"

_LEAKS = (
    "{package} stands among the dependencies of the project itself, so it is installed with every build of it; "
    "a dependency group (uv add --dev {package}) or --mode tool keeps it out"
)


def canonical(package: str) -> str:
    """A distribution name as PEP 503 compares it."""
    return "-".join(filter(None, package.strip().lower().replace("_", "-").replace(".", "-").split("-")))


def choose_mode(option: str | None, recorded: Mode | None, package: str, pyproject: bytes | None) -> ModeChoice:
    """The mode to provision a package in. `pyproject`: the bytes of the project's file, None without one.

    Raises Refusal `mode-needs-project` when the option asks for a project's environment where there is no project.
    """
    if option is not None:
        return _optional(Mode(option), package, pyproject)
    if recorded is not None:
        return ModeChoice(recorded, "recorded")
    found = detect(pyproject, package)
    warnings = (found.warning,) if found.warning else ()
    if found.value is None:
        return ModeChoice(Mode.TOOL, "default", warnings)
    return ModeChoice(found.value, "detected", warnings + _advice(found.value, package))


def _optional(value: Mode, package: str, pyproject: bytes | None) -> ModeChoice:
    if value is not Mode.TOOL and pyproject is None:
        raise Refusal(
            "mode-needs-project",
            f"--mode {value} runs {package} from the project's environment, but there is no pyproject.toml",
            "vaultspec-core install --mode tool",
        )
    return ModeChoice(value, "option", _advice(value, package))


def _advice(value: Mode, package: str) -> tuple[str, ...]:
    return (_LEAKS.format(package=package),) if value is Mode.DEPENDENCY else ()


def detect(pyproject: bytes | None, package: str) -> Detection:
    """Whether the project lists the package: at run time (or as an extra) = dependency, in any dependency group = dev.

    A project never depends on itself. Poetry's own tables are no evidence, because `uv run` does not read them.
    """
    if pyproject is None:
        return Detection()
    import tomllib

    try:
        document = tomllib.loads(pyproject.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Detection(warning="pyproject.toml is not UTF-8 and was not read for the install mode")
    except tomllib.TOMLDecodeError as error:
        return Detection(warning=f"pyproject.toml is not TOML and was not read for the install mode: {error}")
    except RecursionError:
        return Detection(warning="pyproject.toml is nested too deeply and was not read for the install mode")
    project = _table(document, "project")
    name = project.get("name")
    if isinstance(name, str) and canonical(name) == canonical(package):
        return Detection()
    extras = _table(project, "optional-dependencies").values()
    if any(_lists(group, package) for group in (project.get("dependencies"), *extras)):
        return Detection(Mode.DEPENDENCY)
    legacy = _table(_table(document, "tool"), "uv").get("dev-dependencies")
    groups = _table(document, "dependency-groups").values()
    if any(_lists(group, package) for group in (legacy, *groups)):
        return Detection(Mode.DEV)
    return Detection()


def _table(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = document.get(key)
    return value if isinstance(value, Mapping) else {}


def _lists(group: object, package: str) -> bool:
    """Whether one of the group's own requirements names the package; `{include-group = ...}` names a group that is judged too."""
    if not isinstance(group, list):
        return False
    found = (re.match(_NAME, line) for line in group if isinstance(line, str))
    return any(match is not None and canonical(match.group(1)) == canonical(package) for match in found)


def infer_on_upgrade(
    launches: Iterable[Launch], hook_lines: Iterable[str], package: str, pyproject: bytes | None
) -> ModeChoice:
    """The mode of a workspace that records none, from how it runs already: dependency when everything that we own there
    (the entries' launches, the hooks' command lines) is a `uv run` and the project lists the package at run time; else tool.

    The evidence must be what stood there before anything was repaired.
    """
    shapes = [launch.command == "uv" and launch.args[:1] == ("run",) for launch in launches]
    shapes += [line.split()[:2] == ["uv", "run"] for line in hook_lines]
    found = detect(pyproject, package)
    warnings = (found.warning,) if found.warning else ()
    if shapes and all(shapes) and found.value is Mode.DEPENDENCY:
        return ModeChoice(Mode.DEPENDENCY, "detected", warnings)
    return ModeChoice(Mode.TOOL, "detected" if shapes else "default", warnings)
