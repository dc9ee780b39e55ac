"""Words into a verb and its options, by the table.

The grammar: operands and options mix freely; a value option takes the next word whatever it looks like (`--arg -m`), unless that
word is itself an option of the verb; `--` ends the options; `--target`, `--json` and `--help` stand anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from vaultspec_core.load import load
from vaultspec_core.report import Refusal
from vaultspec_core.verb import Flag, Verb

from .table import find_verb

TARGET = Flag(
    "--target", "The workspace; else VAULTSPEC_TARGET_DIR, else the nearest one from here.", value="DIR", short="-t"
)
JSON = Flag("--json", "Print one JSON document.")
HELP = Flag("--help", "Show this help.", short="-h")
VERSION = Flag("--version", "Print the version.")
ROOT = (TARGET, JSON, HELP, VERSION)


def asks(words: Sequence[str], *names: str) -> bool:
    """Whether one of these options stands among the words: a value never looks like a root option, so this is exact."""
    return any(word in names for word in takewhile(lambda word: word != "--", words))


def flags_of(verb: Verb) -> tuple[Flag, ...]:
    """Every option that the verb is called with, its own first."""
    return (*verb.flags, TARGET, *((JSON,) if verb.json else ()))


def understand(words: Sequence[str]) -> tuple[Verb, dict[str, Any]]:
    """The verb, and its options and operands by key. Raises Refusal `usage`."""
    before, _, rest = _read(words, ROOT, "", leading=True)
    named = list(takewhile(lambda word: not word.startswith("-"), rest))
    verb = find_verb(named)
    if not words or asks(words, "--help", "-h"):
        return _stand_in("help", words, list(verb.words) if verb else named)
    if "version" in before:
        return _stand_in("version", words, [])
    if verb is None:
        raise _usage("unknown_command", named)
    flags = flags_of(verb)
    options = {flag.key: list(flag.default or ()) if flag.many else _default(flag) for flag in flags}
    given, operands, _ = _read(rest[len(verb.words) :], (*flags, HELP), verb.name)
    if "json" in before and not verb.json:
        raise _usage("unknown_flag", verb.name, (), JSON.name)
    return verb, {**options, **before, **given, **_bind(verb, operands)}


def _stand_in(name: str, words: Sequence[str], command: list[str]) -> tuple[Verb, dict[str, Any]]:
    """`--help` and `--version` are spellings of two verbs."""
    verb = find_verb([name])
    assert verb is not None
    return verb, {"target": None, "json": asks(words, JSON.name), "command": command}


def _default(flag: Flag) -> Any:
    return False if flag.value is None and not flag.negatable and flag.default is None else flag.default


def _read(
    words: Sequence[str], flags: Sequence[Flag], verb: str, *, leading: bool = False
) -> tuple[dict[str, Any], list[str], list[str]]:
    """Options by key, operands, and the words left over: those from the first operand on when only what is `leading` is read."""
    known = {name: flag for flag in flags for name in _spellings(flag)}
    options: dict[str, Any] = {}
    operands: list[str] = []
    rest = list(words)
    while rest and not (leading and _is_plain(rest[0])):
        word = rest.pop(0)
        if word == "--":
            operands, rest = operands + rest, []
        elif _is_plain(word):
            operands.append(word)
        else:
            flag, value = _option(word, rest, known, verb)
            options[flag.key] = [*options.get(flag.key, ()), value] if flag.many else value
    return options, operands, rest


def _is_plain(word: str) -> bool:
    return not word.startswith("-") or word == "-"


def _option(word: str, rest: list[str], known: Mapping[str, Flag], verb: str) -> tuple[Flag, Any]:
    """The option that a word spells and its value, which may be the first word of the rest and is then taken off it."""
    name, equals, value = word.partition("=")
    if name not in known and not word.startswith("--"):
        name, equals, value = word[:2], word[2:], word[2:]
    if name not in known:
        raise _usage("unknown_flag", verb, known, name)
    flag = known[name]
    if flag.value is None:
        if equals:
            raise _usage("no_value_wanted", verb, name)
        return flag, not (flag.negatable and name.startswith("--no-"))
    if not equals:
        if not rest or rest[0] == "--" or rest[0].partition("=")[0] in known:
            raise _usage("value_missing", verb, flag, rest[:1])
        value = rest.pop(0)
    return flag, _value(flag, value, verb)


def _spellings(flag: Flag) -> tuple[str, ...]:
    negated = (f"--no-{flag.name.removeprefix('--')}",) if flag.negatable else ()
    return (flag.name, *((flag.short,) if flag.short else ()), *negated)


def _value(flag: Flag, text: str, verb: str) -> Any:
    if flag.choices and text not in flag.choices:
        raise _usage("bad_choice", verb, f"`{flag.name}`", flag.choices, text)
    if not flag.number:
        return text
    try:
        return int(text)
    except ValueError:
        raise _usage("bad_number", verb, flag.name, text) from None


def _bind(verb: Verb, given: list[str]) -> dict[str, Any]:
    """Operands by name. Raises Refusal `usage` for one that is missing, unwanted or not among the choices."""
    bound: dict[str, Any] = {}
    for operand in verb.operands:
        taken, given = (given, []) if operand.variadic else (given[:1], given[1:])
        for text in taken:
            if operand.choices and text not in operand.choices:
                raise _usage("bad_choice", verb.name, operand.name.upper(), operand.choices, text)
        if operand.required and not taken:
            raise _usage("operand_missing", verb, operand)
        bound[operand.name] = taken if operand.variadic else next(iter(taken), None)
    if given:
        raise _usage("operand_unwanted", verb, given[0])
    return bound


def _usage(kind: str, *about: Any) -> Refusal:
    """The refusal that explains wrong words; how it is put together is loaded only then."""
    refusal: Refusal = load(f"vaultspec_installer.usage:{kind}")(*about)
    return refusal
