"""The `check` tool: its shape, its counts, its feature filter, and that it survives whatever stands in a vault."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.requirements import requirement
from tests.server.checks.conftest import FIXTURES, Lay, opened, tree
from vaultspec_core.checks.run import check, run
from vaultspec_core.files import Disk
from vaultspec_core.mcp_server.arguments import settle
from vaultspec_core.report import Refusal
from vaultspec_core.tools.check import TOOL
from vaultspec_core.vault.vault import Vault


def ignore(done: int, total: int, message: str) -> None:
    """Progress that nobody asked for."""


def plain(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer without what only a fixing one says."""
    rows = [{key: row[key] for key in row if key != "fixed_count"} for row in answer["checks"]]
    return {key: answer[key] for key in answer if key not in ("fixed", "total_fixed")} | {"checks": rows}


@requirement("CHK-1")
def test_an_empty_vault_is_clean(empty: Vault) -> None:
    answer, summary = run(empty, {"feature": None, "fix": False}, ignore)
    assert summary == "0 errors, 0 warnings"
    assert {key: answer[key] for key in answer if key != "checks"} == {
        "status": "ok",
        "fixed": False,
        "total_errors": 0,
        "total_warnings": 0,
        "total_fixed": 0,
        "findings": [],
        "findings_total": 0,
    }
    assert answer["checks"][0] == {
        "check": "structure",
        "error_count": 0,
        "warning_count": 0,
        "info_count": 0,
        "fixed_count": 0,
        "clean": True,
    }
    assert len(answer["checks"]) == 20


@requirement("CHK-1", "D-16")
def test_every_error_and_warning_is_listed_and_no_information(lay: Lay) -> None:
    answer = check(lay("exec-mapping", "failing"))
    assert answer["status"] == "failed"
    assert answer["findings_total"] == len(answer["findings"])
    assert answer["findings_total"] == answer["total_errors"] + answer["total_warnings"]
    assert {finding["severity"] for finding in answer["findings"]} == {"error", "warning"}
    row = next(row for row in answer["checks"] if row["check"] == "exec-mapping")
    assert row["info_count"] == 1


def test_warnings_alone_do_not_fail_a_check(lay: Lay) -> None:
    answer = check(lay("orphans", "failing"))
    assert (answer["status"], answer["total_errors"], answer["total_warnings"] > 0) == ("ok", 0, True)


@requirement("D-16")
def test_what_a_repair_mended_is_told_as_fixed_and_not_as_an_error(lay: Lay) -> None:
    vault = lay("dangling", "failing")
    before = check(vault)
    answer = check(vault, fix=True)
    assert answer["fixed"] is True
    assert answer["total_fixed"] == sum(finding["fixable"] for finding in before["findings"])
    assert not [finding for finding in answer["findings"] if finding["fixable"]]
    assert plain(answer) == plain(check(opened(vault.root)))


def test_a_feature_narrows_the_check_with_and_without_its_hash(lay: Lay) -> None:
    vault = lay("exec-mapping", "failing")
    narrowed = check(vault, "#billing")
    assert narrowed == check(vault, "billing")
    assert {finding["path"] for finding in narrowed["findings"]} == {None, ".vault/plan/2026-07-02-billing-plan.md"}
    assert all(row["clean"] for row in check(vault, "no-such-feature")["checks"])


def test_a_repair_of_one_feature_leaves_the_others_alone(lay: Lay) -> None:
    vault = lay("links", "failing")
    before = tree(vault.root)
    assert check(vault, "billing", fix=True)["total_fixed"] == 0
    assert tree(vault.root) == before


def test_the_read_only_surface_takes_no_fix() -> None:
    assert TOOL.read_only_arguments is not None
    assert settle(TOOL.read_only_arguments, {}, frozenset({"fix"})) == {"feature": None}
    with pytest.raises(Refusal):
        settle(TOOL.read_only_arguments, {"fix": False}, frozenset({"fix"}))


@requirement("SRV-7", "CHK-2")
def test_documents_with_every_kind_of_trouble_are_findings_and_keep_their_bytes(empty: Vault) -> None:
    shutil.copytree(ROOT / "fixtures" / "vaults" / "troubled", empty.folder, dirs_exist_ok=True)
    unreadable = {
        path: path.read_bytes()
        for path in empty.folder.rglob("*.md")
        if any(word in path.name for word in ("broken", "unclosed", "aliases", "deep", "list", "bare", "empty"))
    }
    answer = check(empty, fix=True)
    told = {Path(finding["path"]).name for finding in answer["findings"] if finding["path"]}
    assert {path.name for path in unreadable} <= told
    assert {path: path.read_bytes() for path in unreadable} == unreadable
    assert plain(answer) == plain(check(opened(empty.root), fix=True))


@requirement("SRV-7")
def test_a_document_that_is_no_utf_8_is_left_alone_and_the_others_are_repaired(lay: Lay) -> None:
    vault = lay("encoding", "failing")
    bad = vault.folder / "research" / "2026-07-02-auth-research.md"
    before = bad.read_bytes()
    shutil.copy(FIXTURES / "links/failing/vault/adr/2026-07-01-auth-adr.md", vault.folder / "adr")
    answer = check(vault, fix=True)
    assert bad.read_bytes() == before
    assert answer["total_fixed"] > 0
    assert [finding["check"] for finding in answer["findings"] if finding["severity"] == "error"] == ["encoding"]


class Rival(Disk):
    """A disk on which somebody else saves the document just before we do."""

    def write(self, path: Path, data: bytes, *, expected: bytes | None, private: bool = False) -> None:
        if path.suffix == ".md" and (old := path.read_bytes()) == expected:
            path.write_bytes(old + b"A thought of somebody else.\n")
        super().write(path, data, expected=expected, private=private)


@requirement("CHK-2")
def test_a_document_that_somebody_saves_meanwhile_is_not_overwritten(lay: Lay) -> None:
    root = lay("adr-status", "failing").root
    answer = check(Vault.open(root, Rival(), lambda: "2026-08-01"), fix=True)
    for path in (root / ".vault").rglob("*.md"):
        if path.name == "2026-07-01-auth-adr.md":
            assert path.read_bytes().endswith(b"A thought of somebody else.\n")
    assert any(finding["fixable"] for finding in answer["findings"])


def test_an_unchanged_document_is_not_read_again(lay: Lay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vaultspec_core.vault.walk.RACY_NS", 0)
    vault = lay("links", "failing")
    first = check(vault)
    monkeypatch.setattr("vaultspec_core.checks.survey.Survey.page", lambda self, document: pytest.fail("read again"))
    assert check(vault) == first


def test_a_changed_template_is_heeded_at_once(lay: Lay) -> None:
    vault = lay("annotations", "failing")
    assert [f["fixable"] for f in check(vault)["findings"] if f["check"] == "annotations"] == [True, True, False]
    (vault.root / ".vaultspec" / "templates").mkdir()
    (vault.root / ".vaultspec/templates/research.md").write_text("<!-- TODO: ask Kim about the second source. -->\n")
    assert [f["fixable"] for f in check(vault)["findings"] if f["check"] == "annotations"] == [True, True, True]


@requirement("CHK-1", "SRV-7")
def test_links_that_are_not_followed_are_named_by_the_structure_check(empty: Vault, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "2026-07-01-x-adr.md").write_text("# not ours\n", encoding="utf-8")
    (outside / "secret.txt").touch()
    (empty.folder / "adr" / "deep").mkdir(parents=True)
    (empty.folder / "adr/2026-07-01-x-adr.md").symlink_to(outside / "2026-07-01-x-adr.md")
    (empty.folder / "adr/deep/more").symlink_to(outside)
    (empty.folder / "plan").symlink_to(outside)
    (empty.folder / "logs").symlink_to(outside)
    before = tree(outside)
    answer = check(opened(empty.root), fix=True)
    assert [(one["check"], one["path"], one["message"], one["severity"]) for one in answer["findings"]] == [
        (
            "structure",
            ".vault/adr/2026-07-01-x-adr.md",
            "a link that leaves the workspace is not followed",
            "warning",
        ),
        ("structure", ".vault/adr/deep/more", "a link to a folder is not followed: nothing in it is seen", "warning"),
        ("structure", ".vault/plan", "a link to a folder is not followed: nothing in it is seen", "warning"),
    ]
    assert tree(outside) == before
