"""The user's own rules, skills and agents: whatever stands in the folder, the others are listed, and nothing outside is touched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.requirements import requirement


@pytest.fixture
def rules(sandbox: Sandbox) -> Path:
    """The folder of a workspace's rules, with one rule."""
    folder = sandbox.root / ".vaultspec/rules"
    folder.mkdir(parents=True)
    (folder / "pure.md").write_text("---\nname: pure\ndescription: no state\n---\n", encoding="utf-8")
    return folder


@requirement("CLI-1", "SRV-7")
def test_strange_files_keep_nobody_from_the_others(rules: Path, sandbox: Sandbox, cli: Callable[..., Any]) -> None:
    secret = sandbox.home / "secret.md"
    secret.write_text("---\ndescription: secret\n---\n", encoding="utf-8")
    (rules / "out.md").symlink_to(secret)
    (rules / "loop.md").symlink_to("loop.md")
    (rules / "folder.md").mkdir()
    (rules / "binary.md").write_bytes(b"\xff\x00")
    (rules / ".hidden.md").touch()
    before = tree(sandbox.home)
    found = {row["name"]: row["description"] for row in cli("spec", "rules", "list", "--json").data["items"]}
    assert found == {"pure": "no state", "binary": None, "out": None}
    assert cli("spec", "rules", "status", "--json").data["names"] == ["binary", "out", "pure"]
    for words in (
        ["show", "out"],
        ["remove", "out", "--yes"],
        ["rename", "out", "in"],
        ["add", "out", "--body", "x", "--force"],
    ):
        result = cli("spec", "rules", *words)
        assert (result.code, result.out) == (1, ""), words
        assert "leads out of the workspace" in result.err
    assert tree(sandbox.home) == before


@requirement("CLI-1")
@pytest.mark.parametrize("name", ["../evil", "a/../../b", "", "con", "A B", "x" * 300])
def test_only_plain_names_are_taken(rules: Path, cli: Callable[..., Any], name: str) -> None:
    before = tree(rules.parent)
    for words in (["add", name], ["rename", "pure", name]):
        assert cli("spec", "rules", *words).code == 1
    assert tree(rules.parent) == before


@requirement("CLI-1")
def test_a_rename_keeps_every_other_byte(rules: Path, cli: Callable[..., Any]) -> None:
    text = "\ufeff---\r\nname: 'pure'  # mine\r\nx: [1, 2]\r\n---\r\nText\n"
    (rules / "pure.md").write_bytes(text.encode())
    assert cli("spec", "rules", "rename", "pure", "clean").code == 0
    assert (rules / "clean.md").read_bytes().decode() == text.replace("pure", "clean")
    assert not (rules / "pure.md").exists()


@requirement("CLI-1")
def test_a_skill_is_renamed_with_all_that_lies_beside_it(sandbox: Sandbox, cli: Callable[..., Any]) -> None:
    folder = sandbox.root / ".vaultspec/skills/write-tests"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: write-tests\n---\n", encoding="utf-8")
    (folder / "run.sh").write_text("true\n", encoding="utf-8")
    assert cli("spec", "skills", "rename", "write-tests", "prove").code == 0
    found = {name: data for name, (data, _) in tree(sandbox.root / ".vaultspec/skills").items()}
    assert found == {"prove/SKILL.md": b"---\nname: prove\n---\n", "prove/run.sh": b"true\n"}
    assert cli("spec", "skills", "remove", "prove", "--yes").code == 0
    assert list(tree(sandbox.root / ".vaultspec/skills")) == ["prove/run.sh"]
