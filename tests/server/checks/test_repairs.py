"""What a repair must not do: take authored text, fail to converge, or stop at a shape of document that is merely unusual."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import vaultspec_core
from tests.requirements import requirement
from tests.server.checks.conftest import opened, tree
from vaultspec_core.checks.run import check
from vaultspec_core.plan.author import author
from vaultspec_core.plan.log import run as log
from vaultspec_core.plan.progress import mark
from vaultspec_core.vault.create import create
from vaultspec_core.vault.edit import edit
from vaultspec_core.vault.vault import Vault

FRONT = "---\ntags:\n  - '#research'\n  - '#auth'\ndate: '2026-07-01'\nmodified: '2026-07-01'\nrelated: []\n---\n"

Put = Callable[[str, str], Path]


@pytest.fixture
def put(empty: Vault) -> Put:
    def write(inside: str, text: str) -> Path:
        path = empty.folder / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        return path

    return write


@requirement("CHK-2")
@pytest.mark.parametrize(
    "body",
    [
        "<!-- A note of the author. -->\n\nText.\n",
        "Text <!-- inside --> a line.\n\n<!--\nOver\n\n\nlines.   \n-->\n",
        "A hard break  \nin a paragraph.\n",
        "> A hard break  \n> in a quote.\n",
        "- A hard break  \n  in a list.\n",
        "````\n```\n\n\n\n   \n```   \n````\n",
        "~~~\n<!-- Where each finding can be looked up again. -->\n[[not-a-link]]\n~~~\n",
        "    code by indent   \n\n\n    [[code]]\n",
        "A span `[[code]]` and `` a ` [[b]] `` stay.\n",
        "A span `over  \nlines   \n[[x]]` stays.\n",
        "<div>\n\n[[x]] is prose here\n</div>\n".replace("[[x]]", "nothing"),
        "<pre>\ntrailing   \n\n\n\n</pre>\n",
        "An unclosed <!-- comment   \n\n```\nopen   \n\n\n",
    ],
)
def test_authored_text_is_left_to_the_byte(put: Put, empty: Vault, body: str) -> None:
    path = put("research/2026-07-01-auth-research.md", f"{FRONT}\n{body}")
    before = path.read_bytes()
    check(empty, fix=True)
    assert path.read_bytes() == before


@requirement("CHK-2")
@pytest.mark.parametrize(
    "front",
    [
        "tags: # two\n  - '#research'\n  - '#auth'\ndate: 2026-07-01 # the day\nmodified: 2026-07-01\n",
        '# above\ntags: [\'#research\', "#auth"]\ndate: "2026-07-01"\nmodified: 2026-07-02\nextra: {a: [1, 2]}\n',
        "tags: ['#research', '#auth']\ndate: 2026-07-01\nmodified: 2026-07-01\ndescription: |\n  Text\n  ---\n  more\n",
        "tags:\n- '#research'\n- '#auth'\n\n\ndate: 2026-07-01\nmodified: 2026-07-01\naliases: &a [x]\n".replace(
            "&a ", ""
        ),
    ],
)
def test_frontmatter_that_is_unusual_but_valid_is_no_finding(put: Put, empty: Vault, front: str) -> None:
    path = put("research/2026-07-01-auth-research.md", f"---\n{front}---\n\nText.\n")
    before = path.read_bytes()
    answer = check(empty, fix=True)
    assert {finding["check"] for finding in answer["findings"]} <= {"orphans", "features"}
    assert path.read_bytes() == before


@requirement("CHK-2")
@pytest.mark.parametrize(
    ("name", "due"),
    [
        ("Bad Name.md", "2026-07-01-bad-name-adr.md"),
        ("2026-07-01-Auth-ADR.md", "2026-07-01-auth-adr.md"),
        ("2026-07-01-auth.md", "2026-07-01-auth-adr.md"),
        ("__.md", "__.md"),
        ("2026-07-01-auth-research.md", "2026-07-01-auth-research.md"),
        ("über.md", "2026-07-01-ber-adr.md"),
    ],
)
def test_one_repair_gives_a_file_its_final_name_or_none(put: Put, empty: Vault, name: str, due: str) -> None:
    put(f"adr/{name}", FRONT.replace("#research", "#adr"))
    check(empty, fix=True)
    after = tree(empty.root)
    assert [path.name for path in (empty.folder / "adr").iterdir()] == [due]
    assert check(opened(empty.root), fix=True)["total_fixed"] == 0
    assert tree(empty.root) == after


@requirement("CHK-2")
def test_two_files_that_want_one_name_are_not_put_over_each_other(put: Put, empty: Vault) -> None:
    put("adr/Bad Name.md", FRONT + "one\n")
    put("adr/bad_name.md", FRONT + "two\n")
    answer = check(empty, fix=True)
    bodies = sorted(path.read_text().rpartition("---\n")[2] for path in (empty.folder / "adr").iterdir())
    assert bodies == ["one\n", "two\n"]
    assert [f["fixable"] for f in answer["findings"] if f["check"] == "structure"] == [False]


@requirement("CHK-2")
def test_line_ends_and_byte_order_mark_survive_a_repair(put: Put, empty: Vault) -> None:
    text = "\ufeff" + (FRONT.replace("'#research'", "research") + "\nText. \n").replace("\n", "\r\n") + "mixed\n"
    path = put("research/2026-07-01-auth-research.md", text)
    check(empty, fix=True)
    data = path.read_bytes().decode("utf-8")
    assert data.startswith("\ufeff---\r\ntags:\r\n  - '#research'\r\n")
    assert data.endswith("\r\nText.\r\nmixed\n")


@requirement("CHK-2")
def test_a_file_that_cannot_be_written_keeps_its_finding_and_the_others_are_repaired(put: Put, empty: Vault) -> None:
    put("research/2026-07-02-auth-research.md", FRONT + "\nText. \n")
    outside = empty.root / "outside.md"
    outside.write_text(FRONT + "\nText. \n")
    (empty.folder / "research/2026-07-01-auth-research.md").symlink_to("/etc/hostname")
    assert check(empty, fix=True)["total_fixed"] == 1


@requirement("CHK-3")
def test_ten_thousand_open_brackets_backticks_and_comments_are_no_trouble(put: Put, empty: Vault) -> None:
    hostile = (
        "[[" * 10_000 + "\n" + "<!--\n" * 2_000 + "`" * 10_000 + "{" * 10_000 + "[a](" * 5_000 + " " * 10_000 + "x\n"
    )
    put("research/2026-07-01-auth-research.md", f"{FRONT}\n{hostile}")
    assert check(empty, fix=True)["findings_total"] < 200


@requirement("CHK-3")
@pytest.mark.parametrize(
    "entry", ["  - '[[2026-01-01-lost-{}-adr]]'", "  - 2026-01-01-lost-{}-adr", "  - '[[a{}.md]]'"]
)
def test_twenty_thousand_related_entries_are_no_trouble(put: Put, empty: Vault, entry: str) -> None:
    entries = "\n".join(entry.format(number) for number in range(20_000))
    path = put("research/2026-07-01-auth-research.md", FRONT.replace(" []", f"\n{entries}"))
    before = path.read_bytes()
    assert check(empty, fix=True)["findings_total"] < 400
    assert path.read_bytes() == before


@requirement("CHK-1", "CHK-2")
def test_a_chain_that_the_tools_made_and_filled_is_clean(empty: Vault) -> None:
    templates = Path(vaultspec_core.__file__).parent / "templates"
    shutil.copytree(templates, empty.root / ".vaultspec" / "templates")

    def ignore(done: int, total: int, message: str) -> None:
        pass

    def made(kind: str, *related: str) -> str:
        spec = {"feature": "auth", "type": kind, "title": "sessions", "related": related}
        item = create(empty, [spec], ignore)["items"][0]
        text = (empty.root / item["path"]).read_text(encoding="utf-8")
        stem = Path(item["path"]).stem
        sections = [line for line in text.splitlines() if line.startswith("## ") and line != "## Steps"]
        filling = {"target": stem, "operation": "replace_section", "content": "Said."}
        assert edit(empty, [filling | {"section": section} for section in sections], ignore)["status"] == "ok"
        return stem

    decision = made("adr", made("research"), made("reference"))
    plan = made("plan", decision)
    author(empty, plan, [{"operation": "add", "action": "keep sessions", "scope": "src/session.py"}])
    mark(empty, plan, [{"step_id": "S01", "state": "checked"}])
    evidence = {"rows": ["M:src/session.py"], "verify": "pytest=pass", "by": None, "notes": None}
    log(empty, {"feature": "auth", "plan": plan, "step": "S01", **evidence}, ignore)
    made("audit", plan)
    left = check(empty)["findings"]
    assert [(finding["check"], finding["fixable"]) for finding in left] == [("annotations", True)]
    answer = check(empty, fix=True)
    assert (answer["findings"], answer["total_fixed"]) == ([], 1)
