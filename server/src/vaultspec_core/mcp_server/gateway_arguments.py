"""The arguments of `invoke` as words of a command line: typed values in, and nothing that the verb did not declare."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vaultspec_core.mcp_server.arguments import near, shown
from vaultspec_core.mcp_server.gateway_catalogue import BLOCKED, RESERVED, Entry, FlagEntry
from vaultspec_core.report import Refusal

TEXT_BYTES = 100_000
"""The longest value; a system's own bound on one word of a command line is a little above it."""


def operand_words(entry: Entry, positionals: Sequence[str], root: Path) -> list[str]:
    """The operands, in order. Raises Refusal `invalid-argument`: an option, too many, or a path that leaves the workspace.

    A missing operand is left to the verb, which says what it is.
    """
    limit = None if entry.arguments and entry.arguments[-1].variadic else len(entry.arguments)
    for text in positionals:
        if text.startswith("-"):
            raise _invalid(f"operand `{text}` begins with `-`", "Options go into `arguments`, by name.")
    if limit is not None and len(positionals) > limit:
        most = f"at most {limit}" if limit else "no"
        raise _invalid(f"`{entry.verb}` takes {most} operand{'s' * (limit != 1)}, got {len(positionals)}")
    for index, text in enumerate(positionals):
        operand = entry.arguments[min(index, len(entry.arguments) - 1)]
        _check_text(text, f"operand {operand.name.upper()}")
        if operand.path:
            _confine(text, f"operand {operand.name.upper()}", root)
    return list(positionals)


def argument_words(entry: Entry, arguments: Mapping[str, Any], root: Path) -> list[str]:
    """The options, in the order given. Raises Refusal `invalid-argument`, which names the option.

    null is an option that is not given; a list repeats an option that may be repeated; true and false are for switches.
    """
    words: list[str] = []
    seen: set[str] = set()
    for key, value in arguments.items():
        flag = _declared(entry, key)
        if flag.name in seen:
            raise _invalid(f"`{flag.name}` is given twice")
        seen.add(flag.name)
        if value is not None:
            words += _option(flag, value, root)
    return words


def _declared(entry: Entry, key: str) -> FlagEntry:
    name = "--" + key.lstrip("-").replace("_", "-")
    if name in RESERVED:
        raise _invalid(f"`{key}` is `{name}`, which the server sets itself", f"Leave `{key}` out.")
    if name in BLOCKED:
        raise _invalid(f"`{name}` does not pass the gateway: {BLOCKED[name]}", f"Leave `{key}` out.")
    for flag in entry.flags:
        if flag.name == name:
            return flag
    meant = near(name, [flag.name for flag in entry.flags if flag.name not in BLOCKED])
    raise _invalid(f"`{entry.verb}` has no option `{name}`{meant}")


def _option(flag: FlagEntry, value: Any, root: Path) -> Iterator[str]:
    if not flag.takes_value:
        yield from _switch(flag, value)
        return
    if isinstance(value, list) and not flag.repeatable:
        raise _invalid(f"`{flag.name}` takes one value, not {shown(value)}")
    for one in value if isinstance(value, list) else [value]:
        text = _text(flag, one)
        if flag.path:
            _confine(text, f"`{flag.name}`", root)
        # A value that looks like an option is bound to its own, so that it cannot be read as another.
        yield from [f"{flag.name}={text}"] if text.startswith("-") else [flag.name, text]


def _switch(flag: FlagEntry, value: Any) -> list[str]:
    if not isinstance(value, bool):
        raise _invalid(f"`{flag.name}` is a switch: true or false, not {shown(value)}")
    if value:
        return [flag.name]
    return [f"--no-{flag.name.removeprefix('--')}"] if flag.negatable else []


def _text(flag: FlagEntry, value: Any) -> str:
    """The value as a word: text as it is, a number in digits. Nothing else becomes text."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    fits = isinstance(value, str | int) or (isinstance(value, float) and not flag.number and math.isfinite(value))
    if isinstance(value, bool) or not fits:
        wanted = "a whole number" if flag.number else "text or a number"
        raise _invalid(f"`{flag.name}` takes {wanted}, not {shown(value)}")
    text = str(value)
    _check_text(text, f"`{flag.name}`")
    return text


def _check_text(text: str, what: str) -> None:
    """Refuse what no command line can carry."""
    if "\0" in text:
        raise _invalid(f"{what} holds a NUL character")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise _invalid(f"{what} is not Unicode text: character {error.start} is half of a surrogate pair") from error
    if size > TEXT_BYTES:
        raise _invalid(f"{what} holds {size} bytes; at most {TEXT_BYTES} fit on a command line")


def _confine(text: str, what: str, root: Path) -> None:
    """Refuse a path that leads out of the workspace, by itself or through links, and a value that stands for standard input."""
    path = text.removeprefix("@")
    if path == "-":
        raise _invalid(f"{what} reads standard input, which a tool call does not have")
    try:
        inside = (root / path).resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a name too long for the file system, or a loop of links
        inside = not Path(path).is_absolute() and ".." not in Path(path).parts
    if not inside:
        raise _invalid(f"{what} leads out of the workspace: `{text}`", f"Only paths below {root} pass the gateway.")


def _invalid(message: str, hint: str | None = None) -> Refusal:
    return Refusal("invalid-argument", message, hint)
