"""How a definition is launched: the rendering per mode, what earlier releases wrote, and when two launches are the same.

The server is always started as a module, never through a console executable, which Windows locks while a client is connected.
"""

from __future__ import annotations

import re

from vaultspec_providers.contract import Launch

from .declaration import Declaration
from .definition import Definition
from .mode import CORE, Mode

CORE_MODULE = "vaultspec_core.mcp_server.app"
_PLAIN = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\s*\[[^\[\]]*\])?"
_FLOORED = rf"({_PLAIN})\s*(>=[^,;\s<>=!~@]+)"


def render(definition: Definition, mode: Mode, declaration: Declaration) -> Launch:
    """The launch to write. `declaration` gives the package's requirement and floor."""
    if not definition.templated:
        return Launch(definition.command, definition.args, definition.env)
    return _launch(definition, mode, requirement(definition, declaration))


def requirement(definition: Definition, declaration: Declaration) -> str:
    """What `uvx --from` gets: as recorded by `install --from`, else as the definition says, else the package's name.

    A bare name (with or without extras) carries the recorded floor; a requirement that says a version or a place is taken as it is.
    """
    package = definition.package or CORE
    record = declaration.package(package)
    said = (record and record.tool_requirement) or definition.requirement or package
    if record and record.minimum_version and re.fullmatch(_PLAIN, said.strip()):
        return f"{said.strip()}>={record.minimum_version}"
    return said


def _launch(definition: Definition, mode: Mode, said: str) -> Launch:
    module = definition.module or CORE_MODULE
    match mode:
        case Mode.TOOL:
            return Launch("uvx", ("--from", said, "python", "-m", module), definition.env)
        case Mode.DEPENDENCY | Mode.DEV:
            return Launch("uv", ("run", "--no-sync", "python", "-m", module), definition.env)


def former_launches(definition: Definition) -> tuple[Launch, ...]:
    """Every launch that a release of ours has written for this definition, whatever its mode. Compare with `same_launch`."""
    if not definition.templated:
        return ()
    module, package = definition.module or CORE_MODULE, definition.package or CORE
    bare = Launch("uv", ("run", "python", "-m", module), definition.env)
    tools = dict.fromkeys((definition.requirement or package, package))
    return (
        bare,
        _launch(definition, Mode.DEPENDENCY, package),
        *(_launch(definition, Mode.TOOL, said) for said in tools),
    )


def normal(launch: Launch) -> Launch:
    """The launch without what makes no difference to what is started: `-P` before `-m`, and the floor of the tool requirement."""
    args = _without_safe_path(launch.args)
    bare, floor = _split_floor(launch.command, args)
    if floor:
        args = (args[0], bare, *args[2:])
    return launch if args == launch.args else launch._replace(args=args)


def same_launch(left: Launch, right: Launch) -> bool:
    """Whether two launches are the same, not drift: `-P` or not, a floor or none. Two different floors do differ."""
    if left == right:
        return True
    if normal(left) != normal(right):
        return False
    floors = {_split_floor(one.command, _without_safe_path(one.args))[1] for one in (left, right)}
    return len(floors - {""}) < 2


def _without_safe_path(args: tuple[str, ...]) -> tuple[str, ...]:
    for index in range(len(args) - 2):
        if args[index : index + 3] == ("python", "-P", "-m"):
            return args[: index + 1] + args[index + 2 :]
    return args


def _split_floor(command: str, args: tuple[str, ...]) -> tuple[str, str]:
    """The tool requirement of a launch of ours without its floor, and the floor; empty where there is none."""
    ours = command == "uvx" and len(args) == 5 and args[0] == "--from" and args[2:4] == ("python", "-m")
    match = re.fullmatch(_FLOORED, args[1]) if ours and ">=" in args[1] else None
    return (match.group(1), match.group(2)) if match else ("", "")
