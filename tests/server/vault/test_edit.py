"""Editing prose: what is not addressed keeps every byte, and nobody's edit is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import Sandbox
from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_core.staging import Staged
from vaultspec_core.vault.edit import edit
from vaultspec_core.vault.section import Body
from vaultspec_core.vault.stamp import blob_hash
from vaultspec_core.vault.vault import Vault

TODAY = "2026-07-12"
DOC = """---
tags:   # mine
  - '#adr'
  - '#x'
date: '2026-07-01'   # kept
modified: '2026-07-01'
related: []
odd: yes
---

# `x` adr: `T`

## Context

First.

```
## Context
# comment
```

## Rationale

Why.


## Consequences

Last.
"""


@pytest.fixture
def vault(sandbox: Sandbox) -> Vault:
    (sandbox.root / ".vault/adr").mkdir(parents=True)
    return Vault.open(sandbox.root, today=lambda: TODAY)


def write(vault: Vault, text: str, name: str = "2026-07-01-x-adr", kind: str = "adr") -> Path:
    path = vault.root / f".vault/{kind}/{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def edited(vault: Vault, *operations: Mapping[str, Any]) -> dict[str, Any]:
    return edit(vault, operations, lambda done, total, message: None)


def one(vault: Vault, operation: str, content: str, **more: Any) -> dict[str, Any]:
    target = more.pop("target", "2026-07-01-x-adr")
    items = edited(vault, {"target": target, "operation": operation, "content": content, **more})["items"]
    return dict(items[0])


def unstamped(text: str) -> str:
    """Without the two lines that every edit rewrites."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("modified:", "body_hash:")))


@requirement("EDT-1", "EDT-4")
def test_append_section_adds_after_the_real_section_and_leaves_every_other_byte(vault: Vault) -> None:
    path = write(vault, DOC)
    item = one(vault, "append_section", "\nSecond.\n\n", section="## Context")
    text = path.read_text()
    assert item == {
        "index": 0,
        "target": "2026-07-01-x-adr",
        "status": "updated",
        "path": ".vault/adr/2026-07-01-x-adr.md",
        "blob_hash": blob_hash(path.read_bytes()),
        "error": None,
        "warnings": [],
    }
    assert unstamped(text) == unstamped(DOC).replace("# comment\n```\n\n", "# comment\n```\n\nSecond.\n\n")
    assert f"modified: '{TODAY}'" in text


@requirement("EDT-1", "EDT-4")
def test_replace_section_keeps_the_heading_and_swaps_the_prose_beneath(vault: Vault) -> None:
    path = write(vault, DOC)
    assert one(vault, "replace_section", "New.", section=" ## Rationale ")["status"] == "updated"
    assert unstamped(path.read_text()) == unstamped(DOC).replace("Why.\n\n\n", "New.\n\n")


@requirement("EDT-1")
def test_set_body_replaces_the_body_and_keeps_the_frontmatter_bytes(vault: Vault) -> None:
    path = write(vault, DOC)
    one(vault, "set_body", "# New\n\nBody.")
    assert unstamped(path.read_text()) == unstamped(DOC[: DOC.index("\n# `x`")]) + "\n# New\n\nBody.\n"


@requirement("EDT-1")
def test_an_edit_that_changes_nothing_touches_nothing(vault: Vault) -> None:
    path = write(vault, DOC)
    before = path.stat().st_mtime_ns, path.read_bytes()
    item = one(vault, "replace_section", "Last.", section="## Consequences")
    assert (item["status"], item["blob_hash"]) == ("unchanged", blob_hash(before[1]))
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


@requirement("EDT-2")
def test_a_stale_hash_is_a_conflict_and_the_file_is_untouched(vault: Vault) -> None:
    path = write(vault, DOC)
    read = blob_hash(path.read_bytes())
    assert one(vault, "append_section", "One.", section="## Context", expected_blob_hash=read)["status"] == "updated"
    after = path.read_bytes()
    item = one(vault, "append_section", "Two.", section="## Context", expected_blob_hash=read)
    assert item["status"] == "failed"
    assert item["blob_hash"] is None
    assert item["error"] == {
        "message": "Blob-hash conflict: document changed on disk since it was read",
        "code": "conflict",
        "conflict": True,
        "expected": read,
        "actual": blob_hash(after),
    }
    assert path.read_bytes() == after


@requirement("EDT-2")
def test_operations_on_one_document_chain_and_only_the_first_needs_the_hash(vault: Vault) -> None:
    path = write(vault, DOC)
    first = {"target": "2026-07-01-x-adr", "operation": "append_section", "section": "## Context"}
    answer = edited(
        vault,
        {**first, "content": "One.", "expected_blob_hash": blob_hash(path.read_bytes())},
        {**first, "content": "Two."},
    )
    assert answer["counts"] == {"updated": 2}
    assert answer["items"][1]["blob_hash"] == blob_hash(path.read_bytes())
    assert "One.\n\nTwo.\n" in path.read_text()


FAILURES: list[tuple[dict[str, Any], str]] = [
    ({"operation": "move"}, "Unknown edit operation: move. Allowed: append_section, replace_section, set_body."),
    ({"operation": "append_section"}, "'append_section' requires a section heading"),
    ({"operation": "replace_section", "section": "  "}, "'replace_section' requires a section heading"),
    ({"target": "nope"}, "Cannot resolve document: 'nope'"),
    ({"target": "/etc/2026-07-01-x-adr.md"}, "Cannot resolve document: '/etc/2026-07-01-x-adr.md'"),
    ({"content": "a\x00"}, "The content holds a NUL character."),
    ({"content": "a\ud800"}, "The content holds a lone surrogate, which is no text."),
]


@requirement("EDT-1", "EDT-4")
@pytest.mark.parametrize(("operation", "message"), FAILURES, ids=[message[:30] for _, message in FAILURES])
def test_a_refused_edit_says_why_and_writes_nothing(vault: Vault, operation: dict[str, Any], message: str) -> None:
    path = write(vault, DOC)
    call = {"target": "2026-07-01-x-adr", "operation": "set_body", "content": "x", **operation}
    item = edited(vault, call)["items"][0]
    assert (item["status"], item["error"]["message"]) == ("failed", message)
    assert path.read_text() == DOC


@requirement("EDT-4")
@pytest.mark.parametrize("section", ["## context", "Context", "First.", "# comment", "## Nope"])
def test_only_a_heading_line_is_a_section(vault: Vault, section: str) -> None:
    write(vault, DOC)
    error = one(vault, "replace_section", "x", section=section)["error"]
    assert (error["section_not_found"], error["section"]) == (True, section)


@requirement("EDT-4")
def test_a_heading_that_stands_twice_is_refused_with_its_lines(vault: Vault) -> None:
    path = write(vault, DOC + "\n## Context\n\nAgain.\n")
    error = one(vault, "replace_section", "x", section="## Context")["error"]
    assert error["lines"] == [13, 31]
    assert path.read_text().endswith("Again.\n")


@requirement("EDT-4")
def test_a_path_names_the_document_at_that_path_and_no_other(vault: Vault) -> None:
    adr = write(vault, DOC, "2026-07-01-dupe")
    research = write(vault, DOC, "2026-07-01-dupe", "research")
    item = one(vault, "set_body", "# X", target=".vault/research/2026-07-01-dupe.md")
    assert item["path"] == ".vault/research/2026-07-01-dupe.md"
    assert adr.read_text() == DOC
    assert research.read_text() != DOC
    assert "2 documents" in one(vault, "set_body", "# X", target="2026-07-01-dupe")["error"]["message"]


@requirement("EDT-5")
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "END"])
def test_line_ends_byte_order_mark_and_final_newline_survive(vault: Vault, mark: str, newline: str, end: str) -> None:
    text = mark + (DOC + end).replace("\n", newline)
    path = write(vault, text)
    one(vault, "append_section", "a\nb\r\nc", section="## Consequences")
    after = path.read_bytes().decode()
    assert after.startswith(mark + "---")
    assert after.count("\r\n") == (after.count("\n") if newline == "\r\n" else 0)
    tail = newline.join(["", "", "a", "b", "c"]) + ("" if end else newline)
    assert after.endswith((end or "Last.") + tail)


PLAN = """---
tags:
  - '#plan'
  - '#x'
date: '2026-07-01'
modified: '2026-07-01'
tier: L1
related: []
---

# `x` plan

## Description

Words.

## Steps

- [ ] `S01` - do; `a.py`.
- [ ] `S02` - more; `b.py`.
"""


@requirement("EDT-5", "PLN-3")
@pytest.mark.parametrize(
    ("operation", "section", "content"),
    [
        ("replace_section", "## Steps", "- [ ] `S01` - do; `a.py`."),
        ("append_section", "## Steps", "- [ ] `S03` - new; `c.py`."),
        ("set_body", None, "# `x` plan\n"),
        ("append_section", "## Description", "<!-- RETIRED: S02 -->"),
    ],
)
def test_rows_of_a_plan_belong_to_its_verbs(vault: Vault, operation: str, section: str | None, content: str) -> None:
    path = write(vault, PLAN, "2026-07-01-x-plan", "plan")
    item = one(vault, operation, content, section=section, target="2026-07-01-x-plan")
    assert item["error"]["code"] == "plan-rows"
    assert "plan_edit" in item["error"]["message"]
    assert path.read_text() == PLAN


@requirement("EDT-5")
def test_the_prose_of_a_plan_can_be_edited(vault: Vault) -> None:
    path = write(vault, PLAN, "2026-07-01-x-plan", "plan")
    assert one(vault, "replace_section", "Other.", section="## Description", target="x-plan")["status"] == "failed"
    item = one(vault, "replace_section", "Other.", section="## Description", target="2026-07-01-x-plan")
    assert item["status"] == "updated"
    assert unstamped(path.read_text()) == unstamped(PLAN).replace("Words.", "Other.")


@requirement("EDT-5")
@pytest.mark.parametrize(("kind", "name"), [("index", "x.index"), ("exec", "2026-07-01-x-ledger")])
def test_generated_documents_name_the_verb_that_owns_them(vault: Vault, kind: str, name: str) -> None:
    path = write(vault, DOC, name, kind)
    item = one(vault, "set_body", "x", target=f".vault/{kind}/{name}.md")
    assert item["error"]["code"] == "owned-document"
    assert "vaultspec-core vault" in item["error"]["message"]
    assert path.read_text() == DOC


@requirement("SRV-7", "EDT-1")
def test_a_document_that_is_no_text_fails_alone(vault: Vault) -> None:
    good = write(vault, DOC)
    bad = write(vault, "", "2026-07-01-bad-adr")
    bad.write_bytes(b"---\ntags: ['#adr', '#x']\n---\n\xff\n")
    answer = edited(
        vault,
        {"target": "2026-07-01-bad-adr", "operation": "set_body", "content": "x"},
        {"target": "2026-07-01-x-adr", "operation": "set_body", "content": "x"},
    )
    assert (answer["status"], answer["counts"]) == ("mixed", {"failed": 1, "updated": 1})
    assert bad.read_bytes().endswith(b"\xff\n")
    assert good.read_text().endswith("\nx\n")


@requirement("EDT-1")
@pytest.mark.parametrize(
    "front", ["tags: # c\n", "date: 2026-01-11 # x\n", "tags: true\n", "a: [1\n", "desc: |\n  ---x\n"]
)
def test_old_faults_of_the_frontmatter_never_block_a_body_edit(vault: Vault, front: str) -> None:
    path = write(vault, f"---\n{front}---\n\n# T\n")
    assert one(vault, "set_body", "# U")["status"] == "updated"
    assert path.read_text().endswith("\n# U\n")
    assert front in path.read_text()


@requirement("D-18")
@pytest.mark.parametrize(("count", "code"), [(0, "empty-batch"), (201, "batch-too-large")])
def test_an_empty_and_an_oversized_batch_fail_as_a_whole(vault: Vault, count: int, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        edited(vault, *[{"target": "x", "operation": "set_body", "content": ""}] * count)
    assert refused.value.code == code


WRITER = """
import sys
from pathlib import Path
from vaultspec_core.vault.edit import edit
from vaultspec_core.vault.vault import Vault
vault = Vault.open(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    row = {"target": "2026-07-01-x-adr", "operation": "append_section", "section": "## Consequences",
           "content": f"{sys.argv[2]}-{number}."}
    assert edit(vault, [row], lambda *_: None)["status"] == "ok"
"""


@requirement("EDT-3", "REL-3")
def test_processes_that_append_to_one_document_lose_nothing(vault: Vault, sandbox: Sandbox) -> None:
    path = write(vault, DOC)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(vault.root), name, "15"], env=sandbox.environ)
        for name in ("a", "b", "c")
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    lines = path.read_text().splitlines()
    assert all(lines.count(f"{name}-{number}.") == 1 for name in "abc" for number in range(15))


_LINES = st.lists(
    st.sampled_from(["# A", "## B", "## C", "text", "", "```", "~~~", "<!-- c -->", "- x", "    code"]), max_size=14
)


@requirement("EDT-1", "EDT-4", "REL-4")
@settings(max_examples=150, deadline=None)
@given(_LINES, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["## B", "## C", "# A"]))
def test_an_appended_section_only_inserts_lines(lines: list[str], newline: str, section: str) -> None:
    text = newline.join(lines)
    body = Body(text)
    try:
        after = body.appended(section, "NEW")
    except Refusal:
        return
    kept = [line for line in after.splitlines() if line.strip() and line != "NEW"]
    assert kept == [line for line in text.splitlines() if line.strip()]
    assert after.splitlines().count("NEW") == 1


@requirement("EDT-4")
def test_what_a_killed_process_staged_beside_the_document_goes_with_the_edit(vault: Vault) -> None:
    path = write(vault, DOC)
    left = path.with_name(Staged(1 << 30, "0a").name)
    left.write_bytes(b"half a docum")
    assert one(vault, "append_section", "Second.", section="## Context")["status"] == "updated"
    assert not left.exists()
