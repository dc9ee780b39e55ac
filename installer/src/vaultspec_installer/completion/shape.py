"""What may follow where on the command line: the verb table as a tree, for the scripts of all shells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from vaultspec_core.verb import Flag, Operand, Verb
from vaultspec_providers.registry import built_in_names

from ..parser import HELP, ROOT, flags_of
from ..table import all_verbs


class Place(NamedTuple):
    """A start of a command line: nothing, a group's words or a verb's. `words`: what may come next, with what it does.

    `values`: for every spelling of an option that takes a value, the values known; none known means a file.
    """

    path: str
    words: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def at(self) -> str:
        """How the scripts call the place: a space before each word."""
        return f" {self.path}" if self.path else ""


def places() -> list[Place]:
    """Every place, the root first."""
    verbs = {verb.words: verb for verb in all_verbs() if not verb.hidden}
    paths = {words[:count] for words in verbs for count in range(len(words) + 1)}
    return [_place(path, verbs) for path in sorted(paths)]


def _place(path: tuple[str, ...], verbs: dict[tuple[str, ...], Verb]) -> Place:
    verb = verbs.get(path)
    flags = (*flags_of(verb), HELP) if verb else ROOT if not path else (HELP,)
    below = [words for words in verbs if words[: len(path)] == path and len(words) > len(path)]
    nexts = {words[len(path)]: _summary((*path, words[len(path)]), verbs) for words in below}
    operands = [(value, "") for operand in (verb.operands if verb else ()) for value in _known(operand)]
    return Place(
        " ".join(path),
        (*nexts.items(), *operands),
        tuple((name, flag.help) for flag in flags for name in _long(flag)),
        tuple((name, _known(flag)) for flag in flags if flag.value for name in (flag.name, flag.short) if name),
    )


def _summary(path: tuple[str, ...], verbs: dict[tuple[str, ...], Verb]) -> str:
    if path in verbs:
        return verbs[path].summary
    return ", ".join(dict.fromkeys(words[len(path)] for words in verbs if words[: len(path)] == path))


def _long(flag: Flag) -> Iterator[str]:
    yield flag.name
    if flag.negatable:
        yield f"--no-{flag.name.removeprefix('--')}"


def _known(word: Flag | Operand) -> tuple[str, ...]:
    """The values that are known beforehand: the choices, or the clients that come with the product."""
    return word.choices or (built_in_names() if word.name.strip("-") == "provider" else ())
