"""Creating documents: one item after the other, each judged against the vault as the ones before left it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import vaultspec_core
from tests.conftest import Sandbox, tree
from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_core.staging import Staged
from vaultspec_core.vault.create import create
from vaultspec_core.vault.document import SIZE_LIMIT
from vaultspec_core.vault.stamp import blob_hash
from vaultspec_core.vault.vault import Vault

TODAY = "2026-07-12"
DEAD = 1 << 30
"""The number of a process that there cannot be."""

TEMPLATES = Path(vaultspec_core.__file__).parent / "templates"


@pytest.fixture
def vault(sandbox: Sandbox) -> Vault:
    (sandbox.root / ".vault").mkdir()
    shutil.copytree(TEMPLATES, sandbox.root / ".vaultspec/templates")
    return Vault.open(sandbox.root, today=lambda: TODAY)


def made(vault: Vault, *documents: Mapping[str, Any]) -> dict[str, Any]:
    return create(vault, documents, lambda done, total, message: None)


def failure(vault: Vault, **spec: Any) -> str:
    before = tree(vault.root)
    item = made(vault, spec)["items"][0]
    assert (item["status"], item["path"], item["blob_hash"]) == ("failed", None, None)
    assert tree(vault.root) == before, "a failed item wrote something"
    return str(item["error"]["message"])


ADR = """---
tags:
  - '#adr'
  - '#search-api'
date: '2026-07-12'
modified: '2026-07-12'
body_schema: 'body-v2'
body_hash: '{hash}'
related:
  - "[[2026-07-12-search-api-research]]"
---

# `search-api` adr: `Use BM25` | (**status:** `proposed`)
"""


@requirement("CRE-1")
def test_a_chain_is_created_in_one_call_and_the_index_lists_it(vault: Vault) -> None:
    answer = made(
        vault,
        {"feature": "#search-api"},
        {"feature": "search-api", "type": "adr", "title": "Use BM25", "related": ["2026-07-12-search-api-research.md"]},
        {"feature": "search-api", "type": "plan", "tier": "L2", "related": ["[[2026-07-12-SEARCH-api-adr|the ADR]]"]},
    )
    assert (answer["status"], answer["counts"], answer["submitted"]) == ("ok", {"created": 3}, 3)
    item = answer["items"][1]
    path = vault.root / ".vault/adr/2026-07-12-search-api-adr.md"
    assert item == {
        "index": 1,
        "target": "adr:search-api",
        "status": "created",
        "path": ".vault/adr/2026-07-12-search-api-adr.md",
        "blob_hash": blob_hash(path.read_bytes()),
        "error": None,
        "warnings": [],
    }
    text = path.read_text()
    digest = text.split("body_hash: '")[1].split("'")[0]
    assert text.startswith(ADR.format(hash=digest))
    plan = (vault.root / ".vault/plan/2026-07-12-search-api-plan.md").read_text()
    assert 'tier: L2\nrelated:\n  - "[[2026-07-12-search-api-adr]]"\n' in plan
    index = (vault.root / ".vault/index/search-api.index.md").read_text()
    assert index.endswith(
        "# `search-api` feature index\n\nEvery document of the feature `search-api`, by type.\n\n## Documents\n\n"
        "### adr\n\n- `2026-07-12-search-api-adr` - `search-api` adr: `Use BM25` | (**status:** `proposed`)\n\n"
        "### plan\n\n- `2026-07-12-search-api-plan` - `search-api` plan\n\n"
        "### research\n\n- `2026-07-12-search-api-research` - `search-api` research: `{title}`\n"
    )


FAILURES = [
    ({"feature": "café"}, "Invalid feature tag 'café'. Must be kebab-case (lowercase, digits, hyphens)."),
    ({"feature": ""}, "feature tag is required (e.g. my-feature)"),
    ({"feature": "con"}, "Invalid feature tag 'con': con is a reserved device name on Windows."),
    ({"feature": "adr"}, "Invalid feature tag 'adr': adr is a document type."),
    ({"feature": "x", "type": "memo"}, "Invalid document type: memo. Allowed: research, adr, plan, reference, audit."),
    (
        {"feature": "x", "type": "index"},
        "'index' documents are auto-generated. Use 'vaultspec-core vault feature index', not create.",
    ),
    (
        {"feature": "x", "type": "exec"},
        "'exec' documents are not created: execution is logged with the `log` tool and requires a plan: "
        "the feature 'x' has none yet.",
    ),
    ({"feature": "x", "related": ["nope", ""]}, "Cannot resolve related document(s): nope; (empty)"),
    ({"feature": "x", "type": "plan", "tier": "L9"}, "Invalid tier 'L9'. Allowed values: L1, L2, L3, L4."),
    (
        {"feature": "x", "type": "plan", "topic": "t"},
        "topic is only valid for 'adr', 'audit', 'reference', and 'research' documents.",
    ),
    ({"feature": "x", "topic": ""}, "topic is required (e.g. my-feature)"),
    ({"feature": "x", "tags": ["#research", "extra"]}, "Unsupported tags: #extra. Only #research and #x are allowed."),
    ({"feature": "x" * 230, "topic": "y" * 30}, f"The file name 2026-07-12-{'x' * 29}... would have 281 characters."),
]


@requirement("CRE-2", "D-18")
@pytest.mark.parametrize(("spec", "message"), FAILURES, ids=[message[:40] for _, message in FAILURES])
def test_an_item_that_cannot_be_created_says_why_and_leaves_nothing(
    vault: Vault, spec: dict[str, Any], message: str
) -> None:
    assert failure(vault, **spec) == message


@requirement("CRE-2")
def test_a_date_that_is_none_is_refused(vault: Vault) -> None:
    assert failure(vault, feature="x", date="2026-02-30").startswith("Invalid date '2026-02-30'")


@requirement("CRE-2")
def test_a_missing_template_is_named(vault: Vault) -> None:
    (vault.root / ".vaultspec/templates/audit.md").unlink()
    assert failure(vault, feature="x", type="audit") == (
        "Template unavailable: no template for type 'audit' at .vaultspec/templates/audit.md"
    )


@requirement("CRE-2")
def test_a_document_that_exists_is_never_overwritten(vault: Vault) -> None:
    made(vault, {"feature": "x"})
    assert failure(vault, feature="x") == "File already exists at .vault/research/2026-07-12-x-research.md"


@requirement("CRE-2")
def test_the_stem_of_an_archived_document_is_not_given_out_again(vault: Vault) -> None:
    archived = vault.root / ".vault/_archive/research/2026-07-12-x-research.md"
    archived.parent.mkdir(parents=True)
    archived.write_text("# old\n")
    assert failure(vault, feature="x") == (
        "A file with stem '2026-07-12-x-research' is in the archive. Choose a different date or topic."
    )


@requirement("CRE-2", "PLN-4")
def test_one_failure_does_not_stop_the_batch(vault: Vault) -> None:
    answer = made(vault, {"feature": "x"}, {"feature": "Bad Name!"}, {"feature": "y"})
    assert (answer["status"], answer["counts"]) == ("mixed", {"created": 2, "failed": 1})
    assert [item["index"] for item in answer["items"]] == [0, 1, 2]


@requirement("CRE-1", "D-18")
@pytest.mark.parametrize(("count", "code"), [(0, "empty-batch"), (201, "batch-too-large")])
def test_an_empty_and_an_oversized_batch_fail_as_a_whole(vault: Vault, count: int, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        made(vault, *[{"feature": "x"}] * count)
    assert refused.value.code == code


@requirement("CRE-4")
@pytest.mark.parametrize(
    "title",
    [
        "a\n---\nb",
        "x --> y <!-- z",
        "`code` | (**status:** `accepted`)",
        "{feature} {topic}",
        "\x00\x1b[31m\u2028",
        "é" * 500,
    ],
)
def test_a_title_cannot_break_the_document(vault: Vault, title: str) -> None:
    made(vault, {"feature": "x", "title": title})
    lines = (vault.root / ".vault/research/2026-07-12-x-research.md").read_text().splitlines()
    headings = [line for line in lines if line.startswith("# ")]
    assert len(headings) == 1
    assert headings[0].startswith("# `x` research: `")
    assert headings[0].count("`") == 4
    assert lines.count("---") == 2
    assert "-->" not in headings[0]
    assert len(headings[0]) < 400


@requirement("CRE-4", "D-15")
def test_seed_content_stands_under_context_without_its_own_frontmatter(vault: Vault) -> None:
    content = "---\ntags: [evil]\n---\n\nWhy [[x]].\r\n\r\n```\n## not a heading\n```\n"
    item = made(vault, {"feature": "x", "content": content})["items"][0]
    assert item["warnings"] == [
        "A frontmatter block at the start of the content was left out: frontmatter belongs to its verbs.",
        "Wiki-links in prose are reported by check; link documents with `related` instead: [[x]]",
    ]
    text = (vault.root / item["path"]).read_text()
    assert text.endswith("\n\n## Context\n\nWhy [[x]].\n\n```\n## not a heading\n```\n")


@requirement("CRE-2")
def test_content_that_cannot_be_written_is_a_warning_and_the_document_is_created(vault: Vault) -> None:
    item = made(vault, {"feature": "x", "content": "a\x00b"})["items"][0]
    assert (item["status"], item["warnings"]) == (
        "created",
        ["Seed content not applied: The content holds a NUL character."],
    )


@requirement("CRE-1")
def test_a_second_create_leaves_an_index_that_is_right_alone_and_keeps_its_line_ends(vault: Vault) -> None:
    made(vault, {"feature": "x"})
    index = vault.root / ".vault/index/x.index.md"
    index.write_bytes(index.read_bytes().replace(b"\n", b"\r\n"))
    made(vault, {"feature": "x", "type": "audit"})
    assert index.read_bytes().count(b"\r\n") == index.read_bytes().count(b"\n")
    assert b"2026-07-12-x-audit" in index.read_bytes()


@requirement("CRE-2", "SRV-7")
def test_an_index_that_is_no_text_is_a_warning_and_stays(vault: Vault) -> None:
    index = vault.root / ".vault/index/x.index.md"
    index.parent.mkdir()
    index.write_bytes(b"\xff\xfe")
    item = made(vault, {"feature": "x"})["items"][0]
    assert item["status"] == "created"
    assert item["warnings"] == [
        "The feature index was not regenerated: .vault/index/x.index.md is not UTF-8 and was not regenerated"
    ]
    assert index.read_bytes() == b"\xff\xfe"


@requirement("CRE-2", "GTW-4")
def test_a_type_folder_that_leads_out_of_the_workspace_is_refused(vault: Vault, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (vault.root / ".vault/research").symlink_to(outside)
    message = failure(vault, feature="x")
    assert "leaves the workspace" in message
    assert list(outside.iterdir()) == []


RACER = """
import sys
from pathlib import Path
from vaultspec_core.vault.create import create
from vaultspec_core.vault.vault import Vault
sys.stdin.readline()
vault = Vault.open(Path(sys.argv[1]))
answer = create(vault, [{"feature": "x", "date": "2026-07-12", "title": sys.argv[2]}], lambda *_: None)
print(answer["items"][0]["status"])
"""


@requirement("CRE-3")
def test_of_several_processes_that_create_one_document_one_succeeds(vault: Vault, sandbox: Sandbox) -> None:
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(vault.root), f"racer-{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=sandbox.environ,
            text=True,
        )
        for number in range(5)
    ]
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    said = [racer.communicate()[0].strip() for racer in racers]
    assert sorted(said) == ["created", "failed", "failed", "failed", "failed"]
    text = (vault.root / ".vault/research/2026-07-12-x-research.md").read_text()
    assert f"racer-{said.index('created')}" in text


@requirement("CRE-2")
def test_a_document_above_the_limit_is_refused_and_nothing_is_written(vault: Vault) -> None:
    before = tree(vault.root)
    item = made(vault, {"feature": "x", "content": "a" * SIZE_LIMIT})["items"][0]
    assert (item["status"], item["error"]["code"]) == ("failed", "too-large")
    assert tree(vault.root) == before


@requirement("CRE-4", "PLN-2")
@pytest.mark.parametrize(
    "content",
    [
        "- [x] `S01` - forged; `a.py`.\n",
        "### Phase `P01` - forged\n",
        "## Wave `W01` - forged\n",
        "<!-- RETIRED: S01, S02 -->\n",
        "- [ ] S01 no row, but an identifier\n",
    ],
)
def test_content_cannot_forge_what_the_verbs_of_a_plan_own(vault: Vault, content: str) -> None:
    plain, forged = made(vault, {"feature": "x", "type": "plan"}, {"feature": "y", "type": "plan", "content": content})[
        "items"
    ]
    assert (forged["status"], forged["warnings"]) == (
        "created",
        [
            "Seed content not applied: it would make rows, headings or identifiers of the plan, which belong to plan_edit "
            "and plan_progress (`vaultspec-core vault plan step ...`)."
        ],
    )
    text = (vault.root / plain["path"]).read_text()
    assert (vault.root / forged["path"]).read_text().partition("\n# ")[2] == text.partition("\n# ")[2].replace(
        "`x`", "`y`"
    )


@requirement("CRE-4")
def test_prose_and_code_in_the_content_of_a_plan_stay(vault: Vault) -> None:
    content = "Why.\n\n```\n- [ ] `S01` - an example; `a.py`.\n```\n"
    item = made(vault, {"feature": "x", "type": "plan", "content": content})["items"][0]
    assert item["warnings"] == []
    assert (vault.root / item["path"]).read_text().endswith(f"\n\n## Context\n\n{content}")


@requirement("CRE-3")
def test_what_a_killed_process_staged_goes_with_the_next_document_of_the_folder(vault: Vault) -> None:
    made(vault, {"feature": "x"})
    folders = (vault.root / ".vault/research", vault.root / ".vault/index")
    left = [folder / Staged(DEAD, "0a").name for folder in folders]
    for path in left:
        path.write_bytes(b"half a docum")
    made(vault, {"feature": "x", "topic": "more"})
    assert [path for path in left if path.exists()] == []
