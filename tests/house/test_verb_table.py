"""The rules of the verb table: every declaration is complete, cheap to load, reachable by its words, and its example works."""

from __future__ import annotations

import ast
import shlex
from pathlib import Path

import pytest

from tests.house.test_rules import PARTS, imports
from tests.requirements import requirement
from vaultspec_core.load import load
from vaultspec_core.verb import Flag, Verb
from vaultspec_installer.help import PROGRAM
from vaultspec_installer.parser import HELP, ROOT, flags_of, understand
from vaultspec_installer.table import all_verbs, find_verb

VERBS = all_verbs()
FILES = [
    path
    for part, (folder, _) in PARTS.items()
    for path in sorted((folder / part / "verbs").glob("*.py"))
    if path.name != "__init__.py"
]


def spellings(flag: Flag) -> set[str]:
    return {name for name in (flag.name, flag.short) if name}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_verbs_imports_nothing_but_the_contract(path: Path) -> None:
    names = {name for _, name in imports(ast.parse(path.read_text(encoding="utf-8")))}
    assert names - {"__future__"} == {"vaultspec_core.verb"}


@requirement("CLI-2")
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
class TestEveryVerb:
    def test_is_found_by_its_words(self, verb: Verb) -> None:
        assert find_verb(verb.words) == verb

    def test_says_what_it_does_in_a_sentence(self, verb: Verb) -> None:
        texts = [verb.summary, *(flag.help for flag in verb.flags), *(operand.help for operand in verb.operands)]
        assert [text for text in texts if not text.endswith(".") or text != text.strip() or "\n" in text] == []

    def test_has_an_example_that_its_own_table_understands(self, verb: Verb) -> None:
        line = verb.example.partition(" | ")[0].partition(" > ")[0].partition(" < ")[0]
        words = shlex.split(line)
        assert words[0] == PROGRAM
        understood, _ = understand(words[1:])
        assert understood == verb

    def test_names_a_function_that_exists(self, verb: Verb) -> None:
        assert callable(load(verb.run))

    def test_gives_each_option_and_operand_a_name_of_its_own(self, verb: Verb) -> None:
        keys = [flag.key for flag in flags_of(verb)] + [operand.name for operand in verb.operands]
        assert sorted(keys) == sorted(set(keys))
        taken = {name for flag in ROOT for name in spellings(flag)} - (set() if verb.json else {"--json"})
        assert [flag.name for flag in verb.flags if spellings(flag) & taken] == []
        assert HELP not in verb.flags

    def test_declares_what_the_parser_can_tell_apart(self, verb: Verb) -> None:
        assert [flag.name for flag in verb.flags if not flag.name.startswith("--")] == []
        assert [flag.name for flag in verb.flags if flag.value is None and (flag.many or flag.choices)] == []
        assert [operand.name for operand in verb.operands[:-1] if operand.variadic] == []
        required = [operand.required for operand in verb.operands]
        assert required == sorted(required, reverse=True)


def test_no_two_verbs_have_the_same_words() -> None:
    names = [verb.name for verb in VERBS]
    assert sorted(names) == sorted(set(names))
