"""The verb table for programs, and the sections of documentation that are written from the product."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import ROOT, Result, Sandbox, tree
from tests.requirements import requirement
from vaultspec_installer.reference import SECTIONS

Cli = Callable[..., Result]
GENERATE = ("spec", "reference", "generate")

PAGE = """\
# Ours

Text by hand.
<!-- vaultspec:exit-codes -->
{section}<!-- /vaultspec:exit-codes -->
More by hand."""

EXIT_CODES = """
| Code | Meaning |
| --- | --- |
| 0 | done |
| 1 | findings, or it could not be done |
| 2 | wrong usage |
| 3 | a fault of ours; the message names a report |
| 130 | stopped by SIGINT |
| 143 | stopped by SIGTERM |

"""


@requirement("CLI-2")
@pytest.mark.usefixtures("demo")
def test_the_catalogue_says_everything_that_a_caller_must_know(cli: Cli) -> None:
    verbs = {entry["verb"]: entry for entry in cli("spec", "reference", "verbs", "--json").data["verbs"]}
    assert list(verbs) == sorted(verbs, key=str.split)
    plain = {"choices": [], "path": False}
    switch = {**plain, "takes_value": False, "repeatable": False, "negatable": False, "number": False}
    assert verbs["demo echo"] == {
        "verb": "demo echo",
        "description": "Give back what was understood.",
        "supports_json": True,
        "denied": None,
        "deprecated": None,
        "flags": [
            {**switch, "name": "--arg", "help": "An argument.", "takes_value": True, "repeatable": True},
            {**switch, "name": "--force", "help": "Even so."},
            {**switch, "name": "--hints", "help": "Next steps.", "negatable": True},
            {**switch, "name": "--limit", "help": "How many.", "takes_value": True, "number": True},
            {**switch, "name": "--mode", "help": "How.", "takes_value": True, "choices": ["tool", "dependency", "dev"]},
            {**switch, "name": "--name", "help": "A name.", "takes_value": True},
        ],
        "arguments": [
            {**plain, "name": "first", "required": False, "variadic": False, "help": "The first word."},
            {**plain, "name": "rest", "required": False, "variadic": True, "help": "The others."},
        ],
    }
    assert verbs["demo text"]["supports_json"] is False
    assert verbs["demo old"]["deprecated"] == "use `demo echo`"
    assert verbs["install"]["denied"]


@requirement("CLI-3")
def test_generate_writes_the_sections_and_leaves_what_is_by_hand(cli: Cli, sandbox: Sandbox) -> None:
    page = sandbox.root / "docs/page.md"
    page.parent.mkdir()
    page.write_text(PAGE.format(section="old\n"), encoding="utf-8")
    (sandbox.root / "docs/other.md").write_text("No section.\n", encoding="utf-8")
    assert cli(*GENERATE) == Result(0, "docs/page.md: updated\n", "")
    assert page.read_text(encoding="utf-8") == PAGE.format(section=EXIT_CODES)


@requirement("CLI-3")
def test_generate_touches_nothing_that_is_current(cli: Cli, sandbox: Sandbox) -> None:
    (sandbox.root / "docs").mkdir()
    for name, newline in (("unix.md", "\n"), ("windows.md", "\r\n")):
        text = PAGE.format(section=EXIT_CODES).replace("\n", newline)
        (sandbox.root / "docs" / name).write_bytes(text.encode())
    before = tree(sandbox.root)
    assert cli(*GENERATE).out == "docs/unix.md: unchanged\ndocs/windows.md: unchanged\n"
    assert cli(*GENERATE, "--check").code == 0
    assert tree(sandbox.root) == before


@requirement("CLI-3")
def test_check_reports_what_is_out_of_date_and_writes_nothing(cli: Cli, sandbox: Sandbox) -> None:
    page = sandbox.root / "docs/page.md"
    page.parent.mkdir()
    page.write_text(PAGE.format(section=""), encoding="utf-8")
    before = tree(sandbox.root)
    result = cli(*GENERATE, "--check", "--json")
    assert (result.code, result.json["status"]) == (1, "failed")
    assert result.data == {"check": True, "items": [{"path": "docs/page.md", "outcome": "stale"}]}
    assert tree(sandbox.root) == before


def test_a_folder_without_a_marked_section_is_refused(cli: Cli, sandbox: Sandbox) -> None:
    result = cli(*GENERATE, "--json")
    assert result.code == 1
    assert result.data["message"] == f"no Markdown file in {sandbox.root}/docs has a marked section"


@pytest.mark.parametrize(
    "text",
    [
        "<!-- vaultspec:nothing -->\n<!-- /vaultspec:nothing -->\n",
        "<!-- vaultspec:tools -->\n<!-- /vaultspec:verbs -->\n",
    ],
)
def test_a_section_that_is_none_is_refused_with_its_place(cli: Cli, sandbox: Sandbox, text: str) -> None:
    page = sandbox.root / "docs/page.md"
    page.parent.mkdir()
    page.write_text(f"# Ours\n\n{text}", encoding="utf-8")
    before = tree(sandbox.root)
    name = text[15:].split()[0]
    refused = f"error: {page}:3: `{name}` is no section that ends where it should\n"
    assert cli(*GENERATE).err.startswith(refused)
    assert tree(sandbox.root) == before


def test_the_pages_of_this_repository_have_every_section_once() -> None:
    texts = [page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md"))]
    assert {
        name: sum(text.count(f"<!-- vaultspec:{name} -->") for text in texts) for name in SECTIONS
    } == dict.fromkeys(SECTIONS, 1)
