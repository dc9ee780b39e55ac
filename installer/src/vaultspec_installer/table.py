"""Find verbs in the `verbs/` folders of the two distributions, loading only the file that holds the one asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType

import vaultspec_core.verbs
from vaultspec_core.load import load
from vaultspec_core.verb import Verb

from . import verbs

FOLDERS: tuple[ModuleType, ...] = (verbs, vaultspec_core.verbs)


@cache
def _modules(folders: tuple[ModuleType, ...]) -> dict[str, list[str]]:
    """Module names by file stem, from folder listings alone."""
    found: dict[str, list[str]] = {}
    for package in folders:
        for stem in stems(list(package.__path__)):
            found.setdefault(stem, []).append(f"{package.__name__}.{stem}")
    return found


def stems(path: list[str]) -> Iterator[str]:
    """Names of the modules in the folders of a package, also inside a zip archive; what begins with `_` is none."""
    try:
        names = [name for folder in path for name in os.listdir(folder)]
    except NotADirectoryError:  # inside a zip archive
        names = [f"{module.name}.py" for module in load("pkgutil:iter_modules")(path)]
    return (name[:-3] for name in names if name.endswith(".py") and not name.startswith("_"))


def _verbs_of(stem: str) -> Iterator[Verb]:
    for module in _modules(FOLDERS)[stem]:
        yield from import_module(module).VERBS


def all_verbs() -> list[Verb]:
    """The whole table, in the order of the words."""
    return sorted((verb for stem in _modules(FOLDERS) for verb in _verbs_of(stem)), key=lambda verb: verb.words)


def find_verb(named: Sequence[str]) -> Verb | None:
    """The verb whose words these start with, the longest if several; None when they start none."""
    for count in range(len(named), 0, -1):
        stem = "_".join(named[:count]).replace("-", "_")
        if stem in _modules(FOLDERS):
            fitting = [verb for verb in _verbs_of(stem) if tuple(named[: len(verb.words)]) == verb.words]
            if fitting:
                return max(fitting, key=lambda verb: len(verb.words))
    return None
