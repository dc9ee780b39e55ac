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


FRESH = "".join(f"{line}\n" for line in block(TOOL, whole=True))

STANDING = [
    ("repos:\n- repo: https://x.invalid\n  rev: v1\n  hooks:\n  - id: a  # mine\n", ""),
    ("# top\ndefault_stages: [pre-commit]\nrepos:\n  - repo: local\n    hooks: []\n", "  "),
    ("repos:\n- repo: meta\n  hooks:\n  - id: identity\n\n# about ci\nci:\n  skip: [x]\n", ""),
    ("repos:\r\n- repo: meta\r\n  hooks:\r\n  - id: identity\r\n", ""),
    ("exclude: '^x'\nrepos: []\n", ""),
    ("repos: []\n", ""),
    ("repos: []  # mine\nci: {}\n", ""),
    ("repos:\n- repo: local\n  hooks: 5\n", ""),
    ("\ufeffrepos:\n- repo: meta\n  hooks: [{id: identity}]\n", ""),
    ("fail_fast: true\n", ""),
]


@requirement("INS-5")
def test_the_fresh_block_reads_like_this() -> None:
    assert with_hooks(None, TOOL).decode() == (
        "# >>> vaultspec-managed hooks (do not edit this block) >>>\n"
        "repos:\n"
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


@requirement("INS-5", "NAT-3", "INS-4")
@pytest.mark.parametrize(("text", "indent"), STANDING, ids=range(len(STANDING)))
def test_every_other_byte_stays_and_taking_the_block_out_restores_the_file(text: str, indent: str) -> None:
    added = with_hooks(text.encode(), TOOL).decode()
    newline = "\r\n" if "\r\n" in text else "\n"
    new = "".join(f"{line}{newline}" for line in block(TOOL, indent, whole="repos" not in text))
    assert new in added
    assert added.replace(new, "") in (text, text.replace("[]", "", 1).replace("repos: \n", "repos:\n"))
    taken = without_hooks(added.encode())
    assert taken is not None
    assert taken.decode() == text


@requirement("INS-5", "INS-4")
def test_a_list_that_somebody_went_on_with_keeps_its_key() -> None:
    text = FRESH + "- repo: meta\n  hooks:\n  - id: identity\n"
    assert without_hooks(text.encode()) == b"repos:\n- repo: meta\n  hooks:\n  - id: identity\n"


EARLIER = """repos:
- repo: local
  hooks:
  - id: vault-fix
    name: Vault gate
    entry: PREFIX vault check all
    types:
    - markdown
    language: system
    pass_filenames: false
  - id: vault-sanitize-annotations
    name: Vault sanitize annotations
    entry: PREFIX vault sanitize annotations
    types:
    - markdown
    language: system
    pass_filenames: false
  - id: check-provider-artifacts
    name: Check provider artifacts
    entry: PREFIX check-providers
    always_run: true
    language: system
    pass_filenames: false
  - id: spec-check
    name: Spec check
    entry: PREFIX spec doctor --gate-errors
    types:
    - markdown
    language: system
    pass_filenames: false
"""


@requirement("INS-5", "INS-3")
@pytest.mark.parametrize("prefix", [TOOL, PROJECT])
def test_the_hooks_of_an_earlier_release_become_ours_and_what_follows_stays(prefix: str) -> None:
    more = "- repo: meta  # mine\n  hooks: [{id: identity}]\n"
    text = EARLIER.replace("PREFIX", prefix) + more
    assert with_hooks(text.encode(), TOOL).decode() == f"repos:\n{ours()}{more}"
    assert without_hooks(text.encode()) == f"repos:\n{more}".encode()
    edited = text.replace("Vault gate", "mine")
    with pytest.raises(Refusal, match="vaultspec did not write"):
        with_hooks(edited.encode(), TOOL)
    assert without_hooks(edited.encode()) == edited.encode()


@requirement("INS-5")
def test_a_file_that_held_nothing_else_goes() -> None:
    assert without_hooks(FRESH.encode()) is None
    assert without_hooks(None) is None


@requirement("INS-5")
def test_hooks_of_our_names_that_stand_elsewhere_are_not_doubled() -> None:
    text = "repos:\n- repo: local\n  hooks:\n  - {id: vault-fix, name: x, entry: x, language: system}\n  - {id: spec-check, name: y, entry: y, language: system}\n"
    with pytest.raises(Refusal, match="vaultspec did not write"):
        with_hooks(text.encode(), TOOL)


@requirement("INS-5", "REL-5")
def test_aliases_that_contain_themselves_or_multiply_are_compared_once() -> None:
    levels = "".join(f"b{n + 1}: &b{n + 1} [{', '.join([f'*b{n}'] * 9)}]\n" for n in range(40))
    for tail in ("x: &a [*a]\n", "b0: &b0 [x]\n" + levels):
        text = f"repos:\n- repo: local\n  hooks: []\n{tail}"
        made = with_hooks(text.encode(), TOOL)
        assert made.decode().endswith(f"\n{tail}")
        assert without_hooks(made) == text.encode()


KEPT = [
    (FRESH.replace("always_run: true", "always_run: false"), "the block was edited by hand"),
    (FRESH.replace("uvx --from", "env X=1 uvx --from"), "the block was edited by hand"),
    ('"repos": []\n', "its `repos` is written in a way that cannot be added to safely"),
    ("repos: &r []\n", "its `repos` is written in a way that cannot be added to safely"),
    (FRESH.replace("# <<< vaultspec-managed hooks <<<\n", ""), "the marks of vaultspec's block are half or doubled"),
    ("repos: [\n", "it is not YAML (line 2)"),
    ("- a\n", "it has no list of repositories"),
    ("repos: {a: b}\n", "it has no list of repositories"),
    ("repos: [{repo: meta, hooks: []}]\n", "its `repos` is written in a way that cannot be added to safely"),
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
