"""What `spec mcps add` is given: a name, and a definition as JSON or as options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from vaultspec_core.files import Disk
from vaultspec_core.report import USAGE, Refusal
from vaultspec_core.verb import Call

HELP = "vaultspec-core spec mcps add --help"


class Input(NamedTuple):
    """`data`: the definition as JSON text, not judged yet. `shown`: where it comes from, as messages name it."""

    name: str
    data: bytes
    shown: str


def read_input(call: Call) -> Input:
    """The input of the call. Raises Refusal `usage`, and what reading the named file raises."""
    names = [name for name in (call["server"], call["name"]) if name is not None]
    if len(set(names)) != 1:
        raise _usage("say the name of the server once" if names else "say the name of the server")
    ways = [
        ("--config", call["config"]),
        ("--from-json", call["from_json"]),
        ("--command", call["command"]),
    ]
    said = [(flag, value) for flag, value in ways if value is not None]
    if len(said) != 1:
        raise _usage("say the definition by one of --command, --config and --from-json")
    flag, value = said[0]
    if flag == "--command":
        return Input(names[0], _composed(call), f"{names[0]}.json")
    if call["arg"] or call["env"]:
        raise _usage(f"--arg and --env belong to --command, not to {flag}")
    if flag == "--from-json" and value == "-":
        return Input(names[0], call.stdin(), "stdin")
    if flag == "--from-json" and value.startswith("@"):
        return Input(names[0], _file(value[1:]), value[1:])
    return Input(names[0], value.encode("utf-8", "surrogatepass"), flag)


def _composed(call: Call) -> bytes:
    document: dict[str, object] = {"command": call["command"]}
    if call["arg"]:
        document["args"] = call["arg"]
    env: dict[str, str] = {}
    for pair in call["env"]:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise _usage("--env takes NAME=VALUE")
        if name in env:
            raise _usage(f"--env names {name} twice")
        env[name] = value
    if env:
        document["env"] = env
    return json.dumps(document, indent=2).encode()


def _file(name: str) -> bytes:
    data = Disk().read(Path.cwd() / name)
    if data is None:
        raise Refusal("no-file", f"there is no file {name}", "Name an existing file after @.")
    return data


def _usage(message: str) -> Refusal:
    return Refusal("usage", message, HELP, exit_code=USAGE)
