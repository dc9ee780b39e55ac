"""Literal secrets in definitions, and how every output hides them (DEF-6, D-20)."""

from __future__ import annotations

from collections.abc import Iterable

from .definition import Definition
from .json_text import pointer
from .redaction import conceal_settings
from .secret_shapes import (
    conceal,
    conceal_given,
    conceal_given_in,
    conceal_shapes,
    conceal_word,
    holds_secret,
    is_literal_secret,
)


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
        if _given(flag, arg, careful=True) != arg or conceal_word(arg, careful=True) != arg:
            found.append(pointer(["args", index]))
        flag = _flag(arg)
    return found


def redact_args(args: Iterable[str]) -> tuple[str, ...]:
    """The words of a command line as output may show them. What a token-like flag is given is hidden unless it is a reference."""
    shown = []
    flag = ""
    for arg in args:
        given = _given(flag, arg, careful=False)
        shown.append(given if given != arg else redact_word(arg))
        flag = _flag(arg)
    return tuple(shown)


def _given(flag: str, arg: str, *, careful: bool) -> str:
    return conceal_given(flag, arg, careful=careful) if flag and not arg.startswith("--") else arg


def _flag(arg: str) -> str:
    return arg if arg.startswith("-") and "=" not in arg else ""


def redact_word(word: str) -> str:
    """One word as output may show it, whatever it holds: a requirement with credentials in its URL, a script, JSON."""
    shown = conceal_given_in(word)
    if shown != word:
        return shown
    return redact_text(word) if "\n" in word or '":' in word else conceal(word)


def redact_text(text: str) -> str:
    """A configuration file's text (JSON, TOML, YAML, `.env`), or any part of it, as output may show it. Lines stay lines.

    Hidden are the values of `env` and of headers, what stands under a name that announces a secret or below it, what follows a
    token-like flag, all of these in comments and in strings too, and token-shaped text and credentials in URLs anywhere.
    """
    return conceal_shapes(conceal_settings(text))
