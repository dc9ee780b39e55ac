"""argparse fed by a verb of the table: one parser, for the verb at hand."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from vaultspec_core.verb import Flag, Verb


class UsageError(Exception):
    """Words that do not fit the table. `hint` is the command that tells more."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"{self.prog} --help")


TARGET = Flag(
    "--target", "The workspace; else VAULTSPEC_TARGET_DIR, else the nearest one from here.", value="DIR", short="-t"
)
JSON = Flag("--json", "Print one JSON document.")


def parse(verb: Verb, words: list[str]) -> dict[str, Any]:
    """Options and operands by key. Raises UsageError."""
    parser = _Parser(prog=f"vaultspec-core {verb.name}", add_help=False, allow_abbrev=False)
    for operand in verb.operands:
        nargs = ("+" if operand.required else "*") if operand.variadic else (None if operand.required else "?")
        parser.add_argument(operand.name, nargs=nargs, choices=operand.choices or None)
    for flag in (*verb.flags, TARGET, *((JSON,) if verb.json else ())):
        _add(parser, flag)
    return vars(parser.parse_args(words))


def _add(parser: argparse.ArgumentParser, flag: Flag) -> None:
    names = [flag.name, *([flag.short] if flag.short else [])]
    if flag.value is None:
        action = argparse.BooleanOptionalAction if flag.negatable else "store_true"
        parser.add_argument(*names, action=action, default=None if flag.negatable else False, dest=flag.key)
        return
    parser.add_argument(
        *names,
        dest=flag.key,
        metavar=flag.value,
        action="append" if flag.many else "store",
        default=[] if flag.many and flag.default is None else flag.default,
        choices=flag.choices or None,
        type=int if flag.number else str,
    )
