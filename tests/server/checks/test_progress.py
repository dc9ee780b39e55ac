"""A long check tells how far it is and ends when it is cancelled, at any step, with every document whole."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.requirements import requirement
from tests.server.checks.conftest import Lay, opened, tree
from vaultspec_core.checks.pace import EVERY
from vaultspec_core.checks.run import check, run
from vaultspec_core.tool import Cancelled
from vaultspec_core.vault.find import run as find
from vaultspec_core.vault.orient import run as orient
from vaultspec_core.vault.vault import Vault

Said = tuple[int, int, str]
MANY = 3 * EVERY + 7
TEXT = "---\ntags: ['#adr', '#x']\ndate: '2026-07-01'\nrelated: []\n---\n\n# `x` adr\n\nTrailing.  \n"


def fill(vault: Vault) -> Vault:
    folder = vault.folder / "adr"
    folder.mkdir()
    for number in range(MANY):
        (folder / f"2026-07-01-x-n{number:03}-adr.md").write_text(TEXT, encoding="utf-8")
    return opened(vault.root)


def cancelled_at(step: int) -> Callable[[int, int, str], None]:
    left = [step]

    def progress(done: int, total: int, message: str) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Cancelled

    return progress


@requirement("SRV-6", "CHK-1")
def test_a_cold_check_tells_now_and_then_how_many_documents_it_examined(empty: Vault) -> None:
    vault, told = fill(empty), list[Said]()
    run(vault, {"feature": None, "fix": False}, lambda *said: told.append(said))
    shown = [said for said in told if said[1] or said[2]]
    assert [(done, total) for done, total, _ in shown] == [*((EVERY * n, MANY) for n in (1, 2, 3)), (MANY, MANY)]
    assert shown[-1][2] == f".vault/adr/2026-07-01-x-n{MANY - 1:03}-adr.md"
    assert len(told) == 2 * MANY


@requirement("SRV-6")
def test_a_warm_check_has_nothing_to_tell(empty: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vaultspec_core.vault.walk.RACY_NS", 0)
    vault, told = fill(empty), list[Said]()
    check(vault)
    run(vault, {"feature": None, "fix": False}, lambda *said: told.append(said))
    assert told == []


@requirement("SRV-6", "CHK-2")
def test_what_a_repair_tells_never_falls(empty: Vault) -> None:
    told: list[Said] = []
    run(fill(empty), {"feature": None, "fix": True}, lambda *said: told.append(said))
    shown = [said for said in told if said[1]]
    assert len(shown) > MANY // EVERY
    assert all(before[0] < after[0] <= after[1] for before, after in pairwise(shown))


@requirement("SRV-6")
@pytest.mark.parametrize("step", [1, MANY, MANY + 1, 2 * MANY])
def test_a_cancelled_check_ends_and_the_next_one_is_whole(empty: Vault, step: int) -> None:
    vault = fill(empty)
    with pytest.raises(Cancelled):
        run(vault, {"feature": None, "fix": False}, cancelled_at(step))
    assert check(vault) == check(opened(vault.root))


@requirement("SRV-6", "CHK-2")
def test_a_repair_that_is_cancelled_anywhere_leaves_every_document_as_it_was_or_as_it_should_be(lay: Lay) -> None:
    vault = lay("dangling", "failing")
    before = tree(vault.root)
    steps: list[Said] = []
    check(opened(vault.root), fix=True, progress=lambda *said: steps.append(said))
    after = tree(vault.root)
    assert before != after
    for step in range(1, len(steps) + 1):
        for path, data in before.items():
            (vault.root / path).write_bytes(data)
        with pytest.raises(Cancelled):
            check(opened(vault.root), fix=True, progress=cancelled_at(step))
        now = tree(vault.root)
        assert now.keys() == after.keys()
        assert all(data in (before[path], after[path]) for path, data in now.items())


@requirement("SRV-6")
def test_looking_for_documents_and_orienting_can_be_cancelled_as_well(empty: Vault) -> None:
    arguments = {"type": ["adr"], "limit": 20}
    for step in (1, MANY, MANY + 1, MANY + 20):
        with pytest.raises(Cancelled):
            find(fill(empty) if step == 1 else opened(empty.root), arguments, cancelled_at(step))
    with pytest.raises(Cancelled):
        orient(opened(empty.root), {"target": None}, cancelled_at(MANY))
