"""What the gateway needs of the verb table: who is denied, which words are paths, and that operands never spell a verb."""

from __future__ import annotations

import re

import pytest

from tests.requirements import requirement
from vaultspec_core.verb import Flag, Operand, Verb
from vaultspec_installer.table import all_verbs

VERBS = all_verbs()

DENYLIST = (
    *("install", "uninstall", "sync", "vault feature index"),
    *("spec mcps add", "spec mcps remove", "spec mcps sync", "spec mcps uninstall"),
    *("spec hooks add", "spec hooks run", "spec hooks sync", "spec hooks trust"),
    *("spec triggers add", "spec triggers run", "spec triggers trust"),
)
"""The denylist of the documentation."""

ALSO_DENIED = re.compile(
    r"""spec\ mcps\ (probe|import|adopt|undo|rollback) | (probe|import|adopt|undo|rollback)
    | spec\ precommit\ \w+ | spec\ git(ignore|attributes)\ (enable|disable) | config\ (set|unset) | migrations\ run
    | spec\ (hooks|triggers)\ (add|edit|remove|rename|restore|run|sync|trust|untrust|enable|disable)
    | spec\ \w+\ (edit|sync)""",
    re.VERBOSE,
)
"""Verbs that start a program, write a client's file or a hook, or change trust or settings."""

PATH_WORDS = {"FILE", "PATH", "DIR", "FOLDER", "REF", "PLAN"}
PATH_HELP = re.compile(r"(?<!:)\bpath\b|\bwiki-link\b|\bfile\b.*\bread\b|\bRead\b.*\bfile\b")

PLACE_IN_A_PLAN = re.compile(r"\bdisplay path\b|\bpath of a step\b")
"""W01.P02.S03 is called a path as well."""


@requirement("GTW-2")
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
class TestEveryVerb:
    def test_is_denied_where_the_contract_says_so(self, verb: Verb) -> None:
        if verb.name in DENYLIST or ALSO_DENIED.fullmatch(verb.name):
            assert verb.denied

    @requirement("GTW-4")
    def test_marks_the_words_that_are_paths(self, verb: Verb) -> None:
        if verb.denied:
            return
        assert [flag.name for flag in verb.flags if names_a_path(flag) and not flag.path] == []
        assert [operand.name for operand in verb.operands if names_a_path(operand) and not operand.path] == []


def names_a_path(word: Flag | Operand) -> bool:
    if PLACE_IN_A_PLAN.search(word.help):
        return False
    if isinstance(word, Flag) and word.value is None:
        return False
    shown = word.value if isinstance(word, Flag) else word.name
    alternatives = {part.lstrip("@").upper() for part in (shown or "").split("|")}
    return not word.choices and bool(alternatives & PATH_WORDS or PATH_HELP.search(word.help))


@requirement("GTW-2")
def test_no_verb_is_the_start_of_another_so_operands_never_spell_one() -> None:
    names = {verb.words for verb in VERBS}
    starts = {verb.words[:count] for verb in VERBS for count in range(1, len(verb.words))}
    assert sorted(names & starts) == []


@requirement("GTW-2")
def test_a_deprecated_verb_is_denied_if_what_it_stands_for_is() -> None:
    denied = {verb.run for verb in VERBS if verb.denied}
    assert [verb.name for verb in VERBS if verb.deprecated and verb.run in denied and not verb.denied] == []


@requirement("GTW-4")
def test_options_that_read_standard_input_do_not_pass() -> None:
    reading = {
        flag.name
        for verb in VERBS
        if not verb.denied
        for flag in verb.flags
        if flag.value is None and re.search(r"\bstdin\b|standard input", flag.help)
    }
    assert reading <= {"--body-stdin"}
