"""Literal secrets in definitions, and how every output hides them (DEF-6, D-20)."""

from __future__ import annotations

from collections.abc import Iterable

from .definition import Definition
from .json_text import pointer
from .redaction import conceal_settings
from .secret_shapes import HIDDEN, announces, conceal, holds_secret, is_literal_secret, is_reference


def find_secrets(definition: Definition) -> list[str]:
    """JSON pointers of the fields that hold what looks like a literal secret: `/env/API_KEY`, `/args/3`. A reference is none."""
    found = ["/command"] if holds_secret(definition.command) else []
    if not definition.templated:
        found += _secret_args(definition.args)
    for name, value in definition.env.items():
        if is_literal_secret(name, value) or holds_secret(value):
            found.append(pointer(["env", name]))
    return found


def _secret_args(args: Iterable[str]) -> list[str]:
    found = []
    flag = ""
    for index, arg in enumerate(args):
        name, equals, value = arg.partition("=")
        if flag and not arg.startswith("--"):
            secret = is_literal_secret(flag, arg)
        else:
            secret = bool(equals and arg.startswith("-") and is_literal_secret(name, value))
        if secret or holds_secret(arg):
            found.append(pointer(["args", index]))
        flag = _flag(arg)
    return found


def _flag(arg: str) -> str:
    """The argument if it is a flag whose secret value follows, else empty."""
    return arg if arg.startswith("-") and "=" not in arg and announces(arg) else ""


def redact_args(args: Iterable[str]) -> tuple[str, ...]:
    """The arguments as output may show them. What a token-like flag is given is hidden, whatever it is, unless it is a reference."""
    shown = []
    flag = ""
    for arg in args:
        name, equals, value = arg.partition("=")
        if flag and not arg.startswith("--"):
            shown.append(arg if is_reference(arg) else HIDDEN)
        elif equals and arg.startswith("-") and announces(name):
            shown.append(arg if is_reference(value) else f"{name}={HIDDEN}")
        else:
            shown.append(conceal(arg))
        flag = _flag(arg)
    return tuple(shown)


def redact_text(text: str) -> str:
    """A configuration file's text (JSON, TOML, YAML), or any part of it, as output may show it. Lines stay lines.

    Hidden are the values of `env` and of headers, values whose name announces a secret, what follows a token-like flag, and
    token-shaped text and credentials in URLs anywhere.
    """
    return conceal_settings(conceal(text))
