"""Renames, archiving and links over several documents: all of it or nothing, and no byte beside what is changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox, tree
from tests.faults import Fault, Killed, strikes
from tests.requirements import requirement
from vaultspec_core.dry_run import DryDisk
from vaultspec_core.files import Disk
from vaultspec_core.report import Refusal
from vaultspec_core.vault.archive import archive_documents, archive_feature, restore_documents, restore_feature
from vaultspec_core.vault.index import write_index
from vaultspec_core.vault.linking import add_link, remove_link
from vaultspec_core.vault.rename import rename, rename_feature
from vaultspec_core.vault.stamp import body_hash
from vaultspec_core.vault.supersede import supersede
from vaultspec_core.vault.together import together
from vaultspec_core.vault.vault import Vault

TODAY = "2026-08-01"

Write = Callable[..., Path]


def files(vault: Vault) -> dict[str, bytes]:
    """Every file of the vault."""
    return {name: data for name, (data, _) in tree(vault.folder).items()}


def opened(vault: Vault, disk: Disk | None = None) -> Vault:
    return Vault.open(vault.root, disk, today=lambda: TODAY)


def refused(vault: Vault, act: Callable[[Vault], Any]) -> Refusal:
    """The Refusal of an act that must change nothing."""
    before = tree(vault.folder)
    with pytest.raises(Refusal) as refusal, together(opened(vault)) as staged:
        act(staged)
    assert tree(vault.folder) == before
    return refusal.value


@requirement("CLI-1", "SRV-7")
class TestAllOrNothing:
    @pytest.fixture
    def small(self, vault: Vault, write: Write) -> Vault:
        """Two documents of a feature and one that links to them."""
        write("research/2026-01-01-old-research.md", feature="old")
        write("exec/2026-01-02-old/2026-01-02-old-ledger.md", feature="old", related="2026-01-01-old-research")
        write("adr/2026-01-03-auth-adr.md", "[[2026-01-01-old-research]]")
        return vault

    @pytest.mark.parametrize(
        "act",
        [
            lambda vault: rename_feature(vault, "old", "new"),
            lambda vault: archive_feature(vault, "old"),
        ],
        ids=["rename", "archive"],
    )
    @pytest.mark.parametrize("fault", [Fault.KILLED, Fault.DISK_FULL])
    def test_a_change_that_is_cut_short_anywhere_is_whole_afterwards(
        self, small: Vault, act: Callable[[Vault], Any], fault: Fault
    ) -> None:
        before = files(small)
        with together(opened(small)) as staged:
            act(staged)
        after = files(small)
        seen = set()
        for system in strikes(fault):
            put_back(small, before)
            with suppress(Killed, Refusal), together(opened(small, Disk(system))) as staged:
                act(staged)
            with together(opened(small)):
                pass
            found = files(small)
            assert found in (before, after), f"operation {system.n}"
            seen.add(found == after)
        assert seen == {True, False}

    def test_a_file_that_another_program_changed_meanwhile_stops_all_of_it(self, small: Vault, write: Write) -> None:
        before: dict[str, Any] = {}

        def act() -> None:
            with together(small) as staged:
                rename_feature(staged, "old", "new")
                write("adr/2026-01-03-auth-adr.md", "mine [[2026-01-01-old-research]]")
                before.update(tree(small.folder))

        with pytest.raises(Refusal, match="was being changed by another program; nothing was changed"):
            act()
        assert tree(small.folder) == before
        small.corpus.refresh()
        assert sorted(small.corpus.features) == ["auth", "old"]

    def test_a_fault_in_the_middle_changes_nothing(self, small: Vault) -> None:
        def act(vault: Vault) -> None:
            archive_feature(vault, "old")
            raise Refusal("x", "x")

        assert refused(small, act).code == "x"

    def test_a_dry_run_of_it_changes_nothing_and_shows_it(self, small: Vault) -> None:
        before, disk = tree(small.folder), DryDisk()
        with together(opened(small, disk)) as staged:
            rename_feature(staged, "old", "new")
        assert tree(small.folder) == before
        assert "+++ b/.vault/exec/2026-01-02-new/2026-01-02-new-ledger.md\n" in disk.diff(small.root)
        assert "records.json" not in disk.diff(small.root)


def put_back(vault: Vault, wanted: dict[str, bytes]) -> None:
    for name in files(vault):
        (vault.folder / name).unlink()
    for name, data in wanted.items():
        path = vault.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@requirement("CLI-1")
class TestRename:
    def test_line_ends_mark_and_comments_stay(self, vault: Vault, write: Write) -> None:
        write("research/2026-01-01-a-research.md")
        head = "\ufeff---\r\ntags: ['#adr', '#auth']   # tags\r\nrelated: ['[[2026-01-01-a-research]]', \"[[x]]\"] # mine\r\n---\r\n"
        body = "Text [[2026-01-01-a-research|a]]  \r\nand <!-- [[2026-01-01-a-research]] -->\n"
        path = write("adr/2026-01-02-auth-adr.md", text=head + body)
        with together(vault) as staged:
            rename(staged, "2026-01-01-a-research", "2026-01-01-b-research")
        wanted = head.replace("a-research", "b-research") + body.replace("a-research|a", "b-research|a")
        assert path.read_bytes().decode() == wanted

    def test_the_body_hash_follows_where_it_was_right(self, vault: Vault, write: Write) -> None:
        write("research/2026-01-01-a-research.md")
        body = "\nSee [[2026-01-01-a-research]].\n"
        head = "---\ntags: ['#adr', '#auth']\nmodified: '2026-01-02'\nbody_hash: '{}'\n---\n"
        right = write("adr/2026-01-02-auth-adr.md", text=head.format(body_hash(body)) + body)
        wrong = write("adr/2026-01-03-auth-adr.md", text=head.format("sha256:00") + body)
        with together(vault) as staged:
            rename(staged, "2026-01-01-a-research", "2026-01-01-b-research")
        new = body.replace("a-research", "b-research")
        assert right.read_text(encoding="utf-8") == head.format(body_hash(new)) + new
        assert wrong.read_text(encoding="utf-8") == head.format("sha256:00") + new

    def test_a_bare_link_to_a_stem_of_two_documents_stays_with_the_other(self, vault: Vault, write: Write) -> None:
        write("adr/2026-01-01-a-adr.md")
        write("research/2026-01-01-a-adr.md")
        link = write("adr/2026-01-02-auth-adr.md", "[[2026-01-01-a-adr]] [[adr/2026-01-01-a-adr]]")
        with together(vault) as staged:
            done = rename(staged, ".vault/adr/2026-01-01-a-adr.md", "2026-01-01-b-adr")
        assert "[[2026-01-01-a-adr]] [[adr/2026-01-01-b-adr]]" in link.read_text(encoding="utf-8")
        assert done.relinked == (".vault/adr/2026-01-02-auth-adr.md",)

    @pytest.mark.parametrize(
        "taken", ["adr/2026-01-09-b-adr.md", "_archive/adr/2026-01-09-b-adr.md", "exec/x/2026-01-09-B-adr.md"]
    )
    def test_a_name_that_is_taken_anywhere_is_refused(self, vault: Vault, write: Write, taken: str) -> None:
        write("adr/2026-01-01-a-adr.md")
        write(taken)
        refusal = refused(vault, lambda staged: rename(staged, "2026-01-01-a-adr", "2026-01-09-b-adr"))
        assert refusal.code == "stem-taken"

    def test_a_link_of_the_file_system_is_refused(self, vault: Vault, write: Write) -> None:
        target = write("data/real.md")
        (vault.folder / "adr").mkdir()
        (vault.folder / "adr/2026-01-01-a-adr.md").symlink_to(target)
        refusal = refused(vault, lambda staged: rename(staged, "2026-01-01-a-adr", "2026-01-09-b-adr"))
        assert refusal.code == "is-a-link"

    def test_an_index_is_named_after_its_feature(self, vault: Vault, write: Write) -> None:
        write("index/auth.index.md")
        assert refused(vault, lambda staged: rename(staged, "auth.index", "b.index")).code == "generated-type"

    def test_a_document_that_is_no_text_can_be_renamed(self, vault: Vault, write: Write) -> None:
        path = write("adr/2026-01-01-a-adr.md")
        path.write_bytes(b"\xff\xfe[[2026-01-01-a-adr]]")
        with together(vault) as staged:
            rename(staged, "2026-01-01-a-adr", "2026-01-01-b-adr")
        assert (vault.folder / "adr/2026-01-01-b-adr.md").read_bytes() == b"\xff\xfe[[2026-01-01-a-adr]]"

    def test_a_private_file_stays_private(self, vault: Vault, write: Write) -> None:
        write("adr/2026-01-01-a-adr.md").chmod(0o600)
        with together(vault) as staged:
            rename(staged, "2026-01-01-a-adr", "2026-01-01-b-adr")
        assert os.name != "posix" or (vault.folder / "adr/2026-01-01-b-adr.md").stat().st_mode & 0o777 == 0o600


@requirement("CLI-1")
class TestFeatures:
    def test_the_index_moves_and_is_regenerated(self, vault: Vault, write: Write) -> None:
        write("adr/2026-01-01-old-adr.md", "# A", feature="old")
        vault.corpus.refresh()
        write_index(vault, "old")
        with together(vault) as staged:
            done = rename_feature(staged, "old", "new")
        assert done.paths[".vault/index/old.index.md"] == ".vault/index/new.index.md"
        text = (vault.folder / "index/new.index.md").read_text(encoding="utf-8")
        assert "- `2026-01-01-new-adr` - A\n" in text
        assert "old" not in text
        assert not (vault.folder / "index/old.index.md").exists()

    def test_two_features_are_merged_on_request(self, vault: Vault, write: Write) -> None:
        write("adr/2026-01-01-old-adr.md", feature="old")
        write("adr/2026-01-02-new-adr.md", feature="new")
        vault.corpus.refresh()
        write_index(vault, "old")
        write_index(vault, "new")
        assert refused(vault, lambda staged: rename_feature(staged, "old", "new")).code == "feature-exists"
        with together(vault) as staged:
            rename_feature(staged, "old", "new", merge=True)
        assert sorted(files(vault)) == ["adr/2026-01-01-new-adr.md", "adr/2026-01-02-new-adr.md", "index/new.index.md"]
        vault.corpus.refresh()
        assert list(vault.corpus.features) == ["new"]

    def test_a_collision_is_refused_with_all_that_collide(self, vault: Vault, write: Write) -> None:
        write("adr/2026-01-01-old-adr.md", feature="old")
        write("adr/2026-01-01-new-adr.md", feature="other")
        refusal = refused(vault, lambda staged: rename_feature(staged, "old", "new"))
        wanted = {
            "path": ".vault/adr/2026-01-01-old-adr.md",
            "new": ".vault/adr/2026-01-01-new-adr.md",
            "taken_by": ".vault/adr/2026-01-01-new-adr.md",
        }
        assert refusal.data == {"collisions": [wanted]}

    def test_another_feature_that_begins_alike_is_left_alone(self, vault: Vault, write: Write) -> None:
        write("adr/2026-01-01-old-adr.md", feature="old")
        other = write("adr/2026-01-01-old-but-gold-adr.md", "[[2026-01-01-old-but-gold-adr]]", feature="old-but-gold")
        before = other.read_bytes()
        with together(vault) as staged:
            rename_feature(staged, "old", "new")
        assert other.read_bytes() == before

    def test_archiving_takes_the_documents_of_the_feature_alone(self, vault: Vault, write: Write) -> None:
        write("adr/2026-01-01-old-adr.md", feature="old")
        write("adr/2026-01-02-auth-adr.md", related="2026-01-01-old-adr")
        with together(vault) as staged:
            moved = archive_feature(staged, "#Old")
        assert moved.cross_links == (".vault/adr/2026-01-02-auth-adr.md",)
        assert sorted(files(vault)) == ["_archive/adr/2026-01-01-old-adr.md", "adr/2026-01-02-auth-adr.md"]

    def test_a_document_whose_place_is_taken_stays_in_the_archive(self, vault: Vault, write: Write) -> None:
        write("_archive/adr/2026-01-01-old-adr.md", feature="old", text="---\ntags: ['#adr', '#old']\n---\n")
        write("adr/2026-01-01-old-adr.md", feature="old")
        assert refused(vault, lambda staged: restore_feature(staged, "old")).code == "name-taken"

    def test_a_stem_that_lives_elsewhere_keeps_its_namesake_in_the_archive(self, vault: Vault, write: Write) -> None:
        write("_archive/adr/2026-01-01-old-adr.md", text="x")
        write("adr/sub/2026-01-01-old-adr.md")
        assert refused(vault, lambda staged: restore_documents(staged, ["2026-01-01-old-adr"])).code == "stem-taken"

    def test_nothing_outside_the_archive_is_restored(self, vault: Vault, write: Write, sandbox: Sandbox) -> None:
        secret = sandbox.home / "secret.md"
        secret.write_text("secret", encoding="utf-8")
        write("_archive/adr/x.md", text="x")
        (vault.folder / "_archive/adr/link.md").symlink_to(secret)
        for reference in (str(secret), "../../home/secret.md", ".vault/_archive/adr/link.md", "link"):

            def act(staged: Vault, name: str = reference) -> None:
                restore_documents(staged, [name])

            assert refused(vault, act).code == "not-archived"

    def test_archived_documents_come_back_and_the_index_follows(self, vault: Vault, write: Write) -> None:
        write("adr/2026-01-01-old-adr.md", feature="old")
        write("adr/2026-01-02-old-adr.md", feature="old")
        vault.corpus.refresh()
        write_index(vault, "old")
        before = files(vault)
        with together(opened(vault)) as staged:
            archive_documents(staged, ["2026-01-01-old-adr"])
        assert "2026-01-01" not in (vault.folder / "index/old.index.md").read_text(encoding="utf-8")
        with together(opened(vault)) as staged:
            restore_documents(staged, [".vault/adr/2026-01-01-old-adr.md"])
        assert files(vault) == before


@requirement("CLI-1")
class TestLinks:
    TEXT = "---\r\ntags: ['#adr', '#auth'] # t\r\ndate: 2026-01-01\r\nrelated:\r\n  - '[[a]]'  # one\r\n---\r\nBody\r\n"

    def test_a_link_is_one_line_more(self, vault: Vault, write: Write) -> None:
        path = write("adr/2026-01-01-auth-adr.md", text=self.TEXT)
        write("adr/2026-01-02-auth-adr.md")
        with together(vault) as staged:
            add_link(staged, "2026-01-01-auth-adr", "[[2026-01-02-auth-adr]]")
        stamp = f"modified: '{TODAY}'\r\nbody_hash: '{body_hash('Body')}'\r\n"
        wanted = self.TEXT.replace("related:", f"{stamp}related:").replace(
            "# one\r\n", "# one\r\n  - '[[2026-01-02-auth-adr]]'\r\n"
        )
        assert path.read_bytes().decode() == wanted
        with together(vault) as staged:
            assert remove_link(staged, "2026-01-01-auth-adr", "2026-01-02-auth-adr")[2]
        assert path.read_bytes().decode() == self.TEXT.replace("related:", f"{stamp}related:")

    def test_an_archived_document_may_be_linked(self, vault: Vault, write: Write) -> None:
        write("adr/2026-01-01-auth-adr.md")
        write("_archive/adr/2025-01-01-auth-adr.md")
        with together(vault) as staged:
            assert add_link(staged, "2026-01-01-auth-adr", "2025-01-01-auth-adr")[1:] == ("2025-01-01-auth-adr", True)

    def test_an_index_is_not_linked_by_hand(self, vault: Vault, write: Write) -> None:
        write("index/auth.index.md")
        write("adr/2026-01-01-auth-adr.md")
        assert (
            refused(vault, lambda staged: add_link(staged, "auth.index", "2026-01-01-auth-adr")).code
            == "generated-type"
        )

    def test_a_decision_names_its_successor_and_that_one_its_predecessors(self, vault: Vault, write: Write) -> None:
        head = "---\ntags: ['#adr', '#auth']\n---\n"
        old = write("adr/2026-01-01-auth-adr.md", text=f"{head}# `auth` adr: `a` | (**status:** `accepted`)\n\nText.\n")
        new = write("adr/2026-01-02-auth-adr.md", text=f"{head}# B\n")
        with together(vault) as staged:
            assert supersede(staged, "2026-01-01-auth-adr", "2026-01-02-auth-adr")[2]
        body = "# `auth` adr: `a` | (**status:** `superseded`)\n\nText.\n"
        assert old.read_text(encoding="utf-8") == (
            f"---\ntags: ['#adr', '#auth']\nmodified: '{TODAY}'\nbody_hash: '{body_hash(body)}'\n"
            f"superseded_by: '2026-01-02-auth-adr'\n---\n{body}"
        )
        assert "supersedes:\n  - '2026-01-01-auth-adr'\n" in new.read_text(encoding="utf-8")

    def test_a_circle_of_successors_is_refused(self, vault: Vault, write: Write) -> None:
        for day, by in ((1, 2), (2, 3), (3, 0)):
            head = f"---\nsuperseded_by: 2026-01-0{by}-auth-adr\n---\n" if by else "---\na: b\n---\n"
            write(f"adr/2026-01-0{day}-auth-adr.md", text=f"{head}# A\n")
        refusal = refused(vault, lambda staged: supersede(staged, "2026-01-03-auth-adr", "2026-01-01-auth-adr"))
        assert refusal.code == "superseded-in-a-circle"
        refusal = refused(vault, lambda staged: supersede(staged, "2026-01-01-auth-adr", "2026-01-03-auth-adr"))
        assert refusal.code == "superseded-already"
