"""Our block in a line-based file: completed without moving a line, taken out without taking one that is not ours."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_installer.managed_block import BEGIN, END, with_block, without_block

WANTED = ("b/", "a/")
BLOCK = f"{BEGIN}\nb/\na/\n{END}\n"

WHOLE = [
    BLOCK,
    f"*.log\n\n{BLOCK}",
    f"*.log\n{BLOCK}*.tmp\n",
    f"{BEGIN}\n!keep\na/\n  # mine\nb/\n!keep\n{END}\n",
    f"{BEGIN}\na/\nb/\n{END}",
    BLOCK.replace("\n", "\r\n"),
    "\ufeff" + BLOCK,
]


@requirement("INS-5", "INS-1")
@pytest.mark.parametrize("text", WHOLE, ids=range(len(WHOLE)))
def test_a_block_that_holds_our_lines_is_left_alone(text: str) -> None:
    assert with_block(text.encode(), WANTED) == text.encode()


COMPLETED = [
    ("", BLOCK),
    ("*.log\n", f"*.log\n\n{BLOCK}"),
    ("*.log", f"*.log\n\n{BLOCK}"),
    ("*.log\n\n", f"*.log\n\n{BLOCK}"),
    ("*.log\r\n*.tmp\r\n", f"*.log\r\n*.tmp\r\n\r\n{BLOCK}".replace("\r", "").replace("\n", "\r\n")),
    (f"{BEGIN}\n*.log\n!keep.log\n{END}\nx\n", f"{BEGIN}\n*.log\n!keep.log\nb/\na/\n{END}\nx\n"),
    (f"{BEGIN}\na/\nmine\n", f"{BEGIN}\na/\nb/\n{END}\nmine\n"),
    (f"x\n{BLOCK}y\n{BLOCK}z\n", f"x\n{BEGIN}\nb/\na/\nb/\na/\n{END}\ny\nz\n"),
]


@requirement("INS-5", "NAT-3")
@pytest.mark.parametrize(("before", "after"), COMPLETED, ids=range(len(COMPLETED)))
def test_a_missing_or_incomplete_block_is_completed_in_place(before: str, after: str) -> None:
    assert with_block(before.encode(), WANTED).decode() == after
    assert with_block(after.encode(), WANTED).decode() == after


@requirement("INS-4", "INS-5", "NAT-3")
@pytest.mark.parametrize("text", ["*.log\n", "*.log\n\n# end\n", "a\r\nb\r\n", "\ufeffx\n"])
def test_taking_the_block_out_restores_the_file(text: str) -> None:
    assert without_block(with_block(text.encode(), WANTED), WANTED) == text.encode()


@requirement("INS-4")
def test_a_file_that_held_only_the_block_goes() -> None:
    assert without_block(BLOCK.encode(), WANTED) is None
    assert without_block(b"x\n", WANTED) == b"x\n"


@requirement("INS-4", "SYN-3")
def test_lines_of_the_users_in_the_block_outlive_it() -> None:
    text = f"*.log\n\n{BEGIN}\na/\nsecret.env\n/.mcp.json.lock\n# mine\nb/\n{END}\n"
    assert without_block(text.encode(), WANTED) == b"*.log\n\nsecret.env\n# mine\n"
