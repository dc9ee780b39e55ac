"""Each validator on its fixtures: nothing on the clean ones, exactly what `findings.txt` says on the failing ones, and repairs to the byte."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from tests.server.checks.conftest import FIXTURES, PLACES, Lay, opened, tree
from vaultspec_core.checks.contract import Check, Finding
from vaultspec_core.checks.registry import all_checks, suite
from vaultspec_core.checks.run import examined
from vaultspec_core.verbs import vault_check

EVERY = pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.name)
MENDING = pytest.mark.parametrize("check", [one for one in all_checks() if one.fixes], ids=lambda check: check.name)

ROWS = [
    "structure",
    "frontmatter",
    "annotations",
    "markdown",
    "links",
    "dangling",
    "body-links",
    "placeholders",
    "orphans",
    "features",
    "exec-mapping",
    "body-sections",
    "feature-rename-integrity",
    "references",
    "schema",
    "adr-status",
    "modified-stamp",
    "rename-integrity",
    "encoding",
    "foreign",
]


def line(finding: Finding) -> str:
    fixable = " fixable" if finding.fixable else ""
    return f"{finding.severity}{fixable}: {finding.path or '-'}: {finding.told()}"


@requirement("CHK-1")
def test_the_suite_has_one_row_per_validator_in_the_documented_order() -> None:
    assert [check.name for check in suite()] == ROWS


def test_every_validator_has_a_verb_of_its_own() -> None:
    verbs = {verb.words[-1]: {flag.name for flag in verb.flags} for verb in vault_check.VERBS}
    assert set(verbs) == {"all", *(check.name for check in all_checks())}
    assert {name for name in verbs if "--feature" not in verbs[name]} == {
        check.name for check in all_checks() if check.everywhere
    }
    assert all("--fix" in verbs[check.name] for check in all_checks() if check.fixes)


@EVERY
def test_a_clean_vault_has_no_findings_and_is_left_alone(check: Check, lay: Lay) -> None:
    vault = lay(check.name, "clean")
    before = tree(vault.root)
    assert examined(vault, [check])[0].findings == ()
    assert examined(vault, [check], fix=True)[0][1:] == ((), 0)
    assert tree(vault.root) == before


@requirement("CHK-1")
@EVERY
def test_a_failing_vault_has_the_findings_that_its_list_says(check: Check, lay: Lay) -> None:
    vault = lay(check.name, "failing")
    before = tree(vault.root)
    said = (FIXTURES / check.name / "failing" / "findings.txt").read_text(encoding="utf-8")
    assert [line(finding) for finding in examined(vault, [check])[0].findings] == said.splitlines()
    assert tree(vault.root) == before


@requirement("CHK-2")
@MENDING
def test_a_repair_writes_exactly_the_repaired_vault_and_ends_what_was_called_fixable(check: Check, lay: Lay) -> None:
    vault = lay(check.name, "failing")
    found = examined(vault, [check])[0].findings
    row = examined(vault, [check], fix=True)[0]
    expected = {
        path.replace(f"{name}/", f"{place}/".removeprefix("./"), 1): data
        for name, place in PLACES.items()
        for path, data in tree(FIXTURES / check.name / "repaired").items()
        if path.startswith(f"{name}/")
    }
    assert tree(vault.root) == expected
    assert row.fixed == sum(finding.fixable for finding in found)
    assert not [finding for finding in row.findings if finding.fixable]


@requirement("CHK-2", "D-16")
@MENDING
def test_a_second_repair_changes_nothing_and_a_later_check_says_the_same(check: Check, lay: Lay) -> None:
    vault = lay(check.name, "failing")
    first = examined(vault, suite(), fix=True)
    after = tree(vault.root)
    again = examined(opened(vault.root), suite(), fix=True)
    assert tree(vault.root) == after
    assert sum(row.fixed for row in again) == 0
    assert [row.findings for row in again] == [row.findings for row in first]
    assert [row.findings for row in examined(opened(vault.root), suite())] == [row.findings for row in first]
