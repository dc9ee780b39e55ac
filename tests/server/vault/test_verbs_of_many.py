"""The verbs over several documents: a dry run writes nothing and shows what would change; a second run has nothing to do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Sandbox, tree
from tests.requirements import requirement

ADR, RESEARCH = "2026-07-12-search-api-adr", "2026-07-11-search-api-research"
CHANGES = [
    ["vault", "rename", RESEARCH, "--to", "2026-07-11-search-api-ranking-research"],
    ["vault", "feature", "rename", "search-api", "find"],
    ["vault", "feature", "archive", "search-api"],
    ["vault", "archive", "documents", "--manifest", "list.txt"],
    ["vault", "link", "add", ADR, "2026-06-20-caching-research"],
    ["vault", "link", "remove", ADR, RESEARCH],
    ["vault", "adr", "supersede", "2026-07-01-auth-adr", "--by", ADR],
    ["vault", "feature", "index"],
    ["vault", "repair"],
]
STATUS = {"add": "created", "remove": "removed"}
AGAIN = CHANGES[4:]
"""Those that may be said twice."""


@pytest.fixture
def root(sandbox: Sandbox) -> Path:
    """A workspace with the readable vault and a list of one document."""
    (sandbox.root / ".vaultspec").mkdir()
    shutil.copytree(ROOT / "fixtures/vaults/search", sandbox.root / ".vault")
    (sandbox.root / "list.txt").write_text(f".vault/research/{RESEARCH}.md\n", encoding="utf-8")
    return sandbox.root


@requirement("CLI-1", "SYN-8", "D-11")
@pytest.mark.parametrize("words", CHANGES, ids=" ".join)
class TestEveryChange:
    def test_a_dry_run_writes_nothing_and_shows_what_the_command_then_does(
        self, root: Path, cli: Callable[..., Any], words: list[str]
    ) -> None:
        before = tree(root)
        shown = cli(*words, "--dry-run", "--json")
        assert (shown.code, shown.err, tree(root)) == (0, "", before)
        assert (shown.json["status"], shown.data["dry_run"]) == ("unchanged", True)
        done = cli(*words, "--json")
        assert (done.code, done.err) == (0, "")
        assert (done.json["status"], done.data["dry_run"]) == (status_of(words), False)
        changed = {name for name, now in tree(root).items() if before.get(name) != now} | (
            before.keys() - tree(root).keys()
        )
        assert changed == named_by(shown.data["diff"])

    def test_says_nothing_but_one_document_in_json(self, root: Path, cli: Callable[..., Any], words: list[str]) -> None:
        assert json.loads(cli(*words, "--json").out)["schema"] in (
            f"vaultspec.{'.'.join(verb_of(words))}.v{version}" for version in (1, 2)
        )


@requirement("CLI-1")
@pytest.mark.parametrize("words", AGAIN, ids=" ".join)
def test_a_second_run_touches_nothing(root: Path, cli: Callable[..., Any], words: list[str]) -> None:
    assert cli(*words).code == 0
    before = tree(root)
    result = cli(*words, "--json")
    assert (result.code, result.json["status"], tree(root)) == (0, "unchanged", before)


def named_by(diff: str) -> set[str]:
    """The files that a diff is about."""
    names = [line[6:] for line in diff.splitlines() if line.startswith(("--- a/", "+++ b/"))]
    return set(names)


def status_of(words: list[str]) -> str:
    return next((STATUS[word] for word in words if word in STATUS), "updated")


def verb_of(words: list[str]) -> list[str]:
    return words[: 2 if words[1] in ("rename", "repair") else 3]
