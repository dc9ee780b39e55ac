"""Wrong words on the command line, explained: what is wrong, what was probably meant, and the command that tells more."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from vaultspec_core.report import USAGE, Refusal
from vaultspec_core.verb import Flag, Operand, Verb

from .table import all_verbs


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` for the nearest known word, or nothing when none is near."""
    near = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean `{near[0]}`?" if near else ""


def unknown_command(named: Sequence[str]) -> Refusal:
    """For words that start no verb: a group without its verb, a slip of the pen, or nothing at all."""
    if not named:
        return _refusal("no command given", "")
    verbs = [verb for verb in all_verbs() if not verb.hidden]
    group = _known_part(named, verbs)
    if len(group) == len(named):
        members = dict.fromkeys(verb.words[len(group)] for verb in verbs if verb.words[: len(group)] == group)
        return _refusal(f"`{' '.join(group)}` needs one of: {', '.join(members)}", " ".join(group))
    wrong = " ".join(named[: len(group) + 1])
    return _refusal(f"unknown command `{wrong}`{_nearest(named, group, verbs)}", " ".join(group))


def _known_part(named: Sequence[str], verbs: Iterable[Verb]) -> tuple[str, ...]:
    """The longest start of the words that starts a verb too."""
    starts = {verb.words[:count] for verb in verbs for count in range(len(verb.words) + 1)}
    return max((start for start in starts if tuple(named[: len(start)]) == start), key=len)


def _nearest(named: Sequence[str], group: tuple[str, ...], verbs: Iterable[Verb]) -> str:
    """A verb of the group with a like next word, else one whose last words these are, else one that reads alike as a whole."""
    names = [verb.words for verb in verbs]
    nexts = {words[len(group)] for words in names if words[: len(group)] == group and len(words) > len(group)}
    near = difflib.get_close_matches(named[len(group)], nexts, 1)
    if near:
        return f"; did you mean `{' '.join([*group, *near])}`?"
    for count in range(len(named), 0, -1):
        ends = [words for words in names if words[-count:] == tuple(named[:count])]
        if len(ends) == 1:
            return f"; did you mean `{' '.join(ends[0])}`?"
    return did_you_mean(" ".join(named[:4]), (" ".join(words) for words in names))


def unknown_flag(verb: str, known: Iterable[str], name: str) -> Refusal:
    """For an option that the verb does not have."""
    meant = did_you_mean(name, known) or ("" if verb else "; an option of a command stands after it")
    return _refusal(f"`{verb or 'vaultspec-core'}` has no option `{name}`{meant}", verb)


def no_value_wanted(verb: str, name: str) -> Refusal:
    """For `--switch=value`."""
    return _refusal(f"`{name}` takes no value", verb)


def value_missing(verb: str, flag: Flag, following: Sequence[str]) -> Refusal:
    """For a value option at the end of the words, or before another option."""
    remedy = f"; if `{following[0]}` is meant, write `{flag.name}={following[0]}`" if following else ""
    return _refusal(f"`{flag.name}` needs a value: {flag.value}{remedy}", verb)


def bad_choice(verb: str, name: str, choices: Sequence[str], text: str) -> Refusal:
    """For a value that is none of those allowed."""
    return _refusal(f"{name} is one of {', '.join(choices)}, not `{text}`{did_you_mean(text, choices)}", verb)


def bad_number(verb: str, name: str, text: str) -> Refusal:
    """For a value that is no whole number."""
    return _refusal(f"`{name}` takes a whole number, not `{text}`", verb)


def operand_missing(verb: Verb, operand: Operand) -> Refusal:
    """For a required operand that was not given."""
    return _refusal(f"`{verb.name}` needs {operand.name.upper()}: {operand.help}", verb.name)


def operand_unwanted(verb: Verb, text: str) -> Refusal:
    """For a word too many."""
    return _refusal(f"`{verb.name}` takes no further word: `{text}`", verb.name)


def _refusal(message: str, verb: str) -> Refusal:
    return Refusal("usage", message, f"vaultspec-core {verb} --help".replace("  ", " "), exit_code=USAGE)
