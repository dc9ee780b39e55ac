"""`vault check` and `vault sanitize` from the command line: text for a person, one JSON document for a program, exit codes."""

from __future__ import annotations

from collections.abc import Callable

from tests.conftest import Result
from tests.requirements import requirement
from tests.server.checks.conftest import Lay, tree

Cli = Callable[..., Result]


def test_a_clean_check_says_so_in_one_line(cli: Cli, lay: Lay) -> None:
    lay("links", "clean")
    assert cli("vault", "check", "links") == Result(0, "0 errors, 0 warnings\n", "")


@requirement("CHK-1")
def test_findings_stand_under_their_document_and_the_next_command_below(cli: Cli, lay: Lay) -> None:
    lay("dangling", "failing")
    result = cli("vault", "check", "dangling")
    assert result.code == 1
    assert result.out + result.err == (
        ".vault/adr/2026-07-01-auth-adr.md\n"
        "  error    dangling  wiki-link target not found: [[2026-05-05-lost-research]]  (--fix)\n"
        ".vault/research/2026-06-30-auth-research.md\n"
        "  error    dangling  wiki-link target not found: [[2026-05-06-gone-audit]]\n"
        "\n"
        "2 errors, 0 warnings, 1 can be repaired\n"
        "Repair what can be repaired: vaultspec-core vault check dangling --fix\n"
    )


@requirement("CHK-2")
def test_a_repair_says_what_it_repaired_and_what_is_left(cli: Cli, lay: Lay) -> None:
    lay("dangling", "failing")
    result = cli("vault", "check", "dangling", "--fix")
    assert (result.code, result.out.splitlines()[-1]) == (1, "1 error, 0 warnings, 1 repaired")


def test_warnings_alone_leave_the_exit_code_at_zero(cli: Cli, lay: Lay) -> None:
    lay("orphans", "failing")
    assert cli("vault", "check", "orphans").code == 0
    assert cli("vault", "check", "all", "--feature", "no-such").out == "0 errors, 0 warnings\n"


def test_json_holds_one_check_with_its_findings_in_pages(cli: Cli, lay: Lay) -> None:
    lay("adr-status", "failing")
    result = cli("vault", "check", "adr-status", "--json", "--limit", "2", "--offset", "1")
    assert result.json["schema"] == "vaultspec.vault.check.adr-status.v1"
    assert result.data["check_name"] == "adr-status"
    assert result.data["diagnostics"]["paging"] == {"returned": 2, "total": 5, "truncated": True, "next_offset": 3}
    assert result.data["diagnostics"]["items"][0] == {
        "path": ".vault/adr/2026-07-02-auth-adr.md",
        "line": 11,
        "message": "the heading does not end with `| (**status:** `...`)`",
        "severity": "warning",
        "fixable": False,
    }
    assert (result.data["fixed_count"], result.data["supports_fix"]) == (0, True)


def test_json_of_all_holds_the_twenty_checks(cli: Cli, lay: Lay) -> None:
    lay("adr-status", "failing")
    result = cli("vault", "check", "all", "--json")
    assert len(result.data["checks"]) == 20
    assert set(result.data["checks"][0]) == {"check_name", "diagnostics", "fixed_count", "supports_fix"}


def test_a_negative_limit_is_wrong_usage(cli: Cli, lay: Lay) -> None:
    lay("links", "clean")
    assert cli("vault", "check", "links", "--limit", "-1").code == 2


def test_sanitize_takes_guidance_out_and_a_dry_run_only_shows_it(cli: Cli, lay: Lay) -> None:
    vault = lay("annotations", "failing")
    before = tree(vault.root)
    shown = cli("vault", "sanitize", "annotations", "--dry-run")
    assert (shown.code, tree(vault.root) == before) == (0, True)
    assert "line 15: guidance of the template is still there  (--fix)" in shown.out
    assert cli("vault", "sanitize", "annotations").out.endswith("0 errors, 1 warning, 2 repaired\n")
    assert tree(vault.root) != before
