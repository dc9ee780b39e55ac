"""Our commit hooks in the user's configuration: one block, every other byte as it was."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_installer.precommit import block, with_hooks, without_hooks

TOOL = "uvx --from vaultspec-core vaultspec-core"
PROJECT = "uv run --no-sync vaultspec-core"


def ours(indent: str = "", prefix: str = TOOL) -> str:
    return "".join(f"{line}\n" for line in block(prefix, indent))


FRESH = f"""repos:
{ours()}"""

STANDING = [
    ("repos:\n- repo: https://x.invalid\n  rev: v1\n  hooks:\n  - id: a  # mine\n", ""),
    ("# top\ndefault_stages: [pre-commit]\nrepos:\n  - repo: local\n    hooks: []\n", "  "),
    ("repos:\n- repo: meta\n  hooks:\n  - id: identity\n\n# about ci\nci:\n  skip: [x]\n", ""),
    ("repos:\r\n- repo: meta\r\n  hooks:\r\n  - id: identity\r\n", ""),
    ("exclude: '^x'\nrepos: []\n", ""),
    ("\ufeffrepos:\n- repo: meta\n  hooks: [{id: identity}]\n", ""),
    ("fail_fast: true\n", ""),
]


@requirement("INS-5")
def test_the_fresh_block_reads_like_this() -> None:
    assert with_hooks(None, TOOL).decode() == (
        "repos:\n"
        "# >>> vaultspec-managed hooks (do not edit this block) >>>\n"
        "- repo: local\n"
        "  hooks:\n"
        "  - id: vault-fix\n"
        "    name: 'vault: check and repair documents'\n"
        "    entry: uvx --from vaultspec-core vaultspec-core vault check all --fix\n"
        "    language: system\n"
        "    types: [markdown]\n"
        "    pass_filenames: false\n"
        "  - id: spec-check\n"
        "    name: 'vaultspec: check the workspace'\n"
        "    entry: uvx --from vaultspec-core vaultspec-core spec doctor --gate-errors\n"
        "    language: system\n"
        "    always_run: true\n"
        "    pass_filenames: false\n"
        "# <<< vaultspec-managed hooks <<<\n"
    )


@requirement("INS-5")
@pytest.mark.parametrize(("text", "indent"), STANDING, ids=range(len(STANDING)))
def test_a_standing_block_is_left_alone_and_follows_the_mode(text: str, indent: str) -> None:
    once = with_hooks(text.encode(), TOOL)
    assert with_hooks(once, TOOL) == once
    moved = with_hooks(once, PROJECT)
    assert moved.decode() == once.decode().replace(TOOL, PROJECT)


@requirement("INS-5", "NAT-3")
@pytest.mark.parametrize(("text", "indent"), STANDING, ids=range(len(STANDING)))
def test_every_other_line_stays_and_taking_the_block_out_restores_it(text: str, indent: str) -> None:
    added = with_hooks(text.encode(), TOOL).decode()
    newline = "\r\n" if "\r\n" in text else "\n"
    new = ours(indent).replace("\n", newline)
    assert new in added
    rest = added.replace(new, "")
    assert rest in (text, text.replace("repos: []", "repos:"), text + "repos:\n")
    taken = without_hooks(added.encode())
    assert taken is not None
    assert taken.decode() in (text, text + "repos: []\n")


@requirement("INS-5")
def test_a_file_that_held_nothing_else_goes() -> None:
    assert without_hooks(FRESH.encode()) is None
    assert without_hooks(None) is None


@requirement("INS-5")
def test_hooks_of_ours_that_stand_elsewhere_are_not_doubled() -> None:
    text = "repos:\n- repo: local\n  hooks:\n  - {id: vault-fix, name: x, entry: x, language: system}\n  - {id: spec-check, name: y, entry: y, language: system}\n"
    assert with_hooks(text.encode(), TOOL) == text.encode()


KEPT = [
    (FRESH.replace("always_run: true", "always_run: false"), "the block was edited by hand"),
    (FRESH.replace("# <<< vaultspec-managed hooks <<<\n", ""), "the marks of vaultspec's block are half or doubled"),
    ("repos: [\n", "it is not YAML (line 2)"),
    ("- a\n", "it has no list of repositories"),
    ("repos: {a: b}\n", "it has no list of repositories"),
    ("repos: [{repo: meta, hooks: []}]\n", "vaultspec's block cannot be placed without changing something else"),
]


@requirement("INS-5")
@pytest.mark.parametrize(("text", "reason"), KEPT, ids=[reason for _, reason in KEPT])
def test_a_file_that_cannot_be_edited_safely_is_kept_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        with_hooks(text.encode(), TOOL)
    assert refused.value.message == f"left as it is: {reason}"


@requirement("INS-5")
def test_bytes_that_are_no_text_are_kept() -> None:
    with pytest.raises(Refusal, match="it is not UTF-8"):
        with_hooks(b"\xff\xfe", TOOL)
