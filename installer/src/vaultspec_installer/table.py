"""Find verbs in the `verbs/` folders of the two distributions, loading only the file that holds the one asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from vaultspec_core.verb import Verb

from .parser import UsageError

PACKAGES = ("vaultspec_installer.verbs", "vaultspec_core.verbs")


@cache
def _modules() -> dict[str, str]:
    """Module names by file stem, from folder listings alone."""
    found: dict[str, str] = {}
    for package in PACKAGES:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            for path in Path(folder).glob("*.py"):
                if path.stem != "__init__":
                    found[path.stem] = f"{package}.{path.stem}"
    return found


def _verbs_of(stem: str) -> tuple[Verb, ...]:
    verbs: tuple[Verb, ...] = import_module(_modules()[stem]).VERBS
    return verbs


def all_verbs() -> list[Verb]:
    """The whole table, in the order of the words."""
    return sorted((verb for stem in _modules() for verb in _verbs_of(stem)), key=lambda verb: verb.words)


def find_verb(words: list[str]) -> tuple[Verb, list[str]]:
    """The verb that the command line names and the words after it. Raises UsageError for a group or an unknown word.

    The options of the root (`--target DIR`, `--json`) may stand before the verb.
    """
    leading, named = _split(words)
    for count in range(len(named), 0, -1):
        stem = "_".join(named[:count]).replace("-", "_")
        if stem not in _modules():
            continue
        for verb in sorted(_verbs_of(stem), key=lambda verb: -len(verb.words)):
            if named[: len(verb.words)] == list(verb.words):
                return verb, leading + words[len(leading) + len(verb.words) :]
    raise UsageError(f"unknown command: {' '.join(named) or '(none)'}", "vaultspec-core --help")


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Root options before the verb, and the run of plain words that starts it."""
    index = 0
    while index < len(words) and words[index].startswith("-"):
        index += 2 if words[index] in ("--target", "-t") else 1
    leading = words[:index]
    named: list[str] = []
    for word in words[index:]:
        if word.startswith("-"):
            break
        named.append(word)
    return leading, named
