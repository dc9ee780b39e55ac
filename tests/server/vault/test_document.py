"""What one document is remembered by."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_core.plan.tally import Tally
from vaultspec_core.vault.document import FIELD_LIMIT, SIZE_LIMIT, TITLE_LIMIT, Document, link_target, parse


def document(body: str = "", fields: str = "", path: str = ".vault/adr/2026-01-01-auth-adr.md") -> Document:
    data = f"---\n{fields}---\n{body}".encode()
    return parse(path, data, len(data), None)


@pytest.mark.parametrize(
    ("body", "title", "status"),
    [
        ("", None, None),
        ("text\n", None, None),
        ("## Context\n", None, None),
        ("#no heading\n", None, None),
        ("```\n# code\n```\n", None, None),
        ("<!--\n# comment\n-->\n", None, None),
        ("# plain\n", "plain", None),
        ("\n\n# closed ##\r\n", "closed", None),
        ("# only\n# first\n", "only", None),
        ("<!-- RETIRED: S01 -->\n\n# below a comment\n", "below a comment", None),
        ("text\n\n```\n# code\n```\n\n# late\n", "late", None),
        ("# `auth` adr: `x` | (**status:** `accepted`)\n", "`auth` adr: `x` | (**status:** `accepted`)", "accepted"),
        ("# x | (**status:** proposed)\n", "x | (**status:** proposed)", "proposed"),
        (
            "# x | (**status:** `{proposed|accepted}`)\n",
            "x | (**status:** `{proposed|accepted}`)",
            "{proposed|accepted}",
        ),
        ("# x | (**status:** ``)\n", "x | (**status:** ``)", None),
        ("# (**status:** `old`) | y\n", "(**status:** `old`) | y", None),
    ],
)
def test_the_title_is_the_first_heading_and_an_adr_says_its_status_there(
    body: str, title: str | None, status: str | None
) -> None:
    found = document(body)
    assert (found.title, found.status) == (title, status)


@pytest.mark.parametrize(
    ("tags", "feature"),
    [
        ("['#adr', '#auth']", "auth"),
        ("['#auth', '#adr']", "auth"),
        ("[adr, auth]", "auth"),
        ("['#adr', '#Auth']", "auth"),
        ("'#auth'", "auth"),
        ("['#adr', '#auth', '#billing']", "auth"),
        ("['#adr']", None),
        ("['#adr', '#plan']", None),
        ("['#adr', '#two words']", None),
        ("true", None),
        ("", None),
        ("{a: b}", None),
    ],
)
def test_the_feature_is_the_first_tag_that_is_no_document_type(tags: str, feature: str | None) -> None:
    assert document(fields=f"tags: {tags}\n").feature == feature


@requirement("D-12")
@pytest.mark.parametrize(
    ("fields", "path", "day"),
    [
        ("modified: '2026-03-01'\ndate: '2026-02-01'\n", "2026-01-01-x-adr", "2026-03-01"),
        ("modified: 2026-03-01T10:00:00Z\n", "2026-01-01-x-adr", "2026-03-01"),
        ("modified: soon\ndate: '2026-02-01'\n", "2026-01-01-x-adr", "2026-02-01"),
        ("date: '2026-02-30'\n", "2026-01-01-x-adr", "2026-01-01"),
        ("", "2026-01-01-x-adr", "2026-01-01"),
        ("", "9999-99-99-x-adr", None),
        ("", "x", None),
    ],
)
def test_the_last_activity_is_the_best_date_that_is_one(fields: str, path: str, day: str | None) -> None:
    assert document(fields=fields, path=f".vault/adr/{path}.md").activity == day


@pytest.mark.parametrize(
    ("entry", "stem"),
    [
        ("[[a]]", "a"),
        (" [[ a ]] ", "a"),
        ("[[a|shown]]", "a"),
        ("[[a#part]]", "a"),
        ("[[a.md#part|shown]]", "a"),
        ("a", "a"),
        ("a.md", "a"),
        ("c#-notes", "c#-notes"),
        ("[[]]", ""),
        ("", ""),
    ],
)
def test_a_link_names_a_stem(entry: str, stem: str) -> None:
    assert link_target(entry) == stem


def test_links_are_those_of_the_prose_and_the_frontmatter_each_once() -> None:
    body = (
        "# t\n\n[[one]] and [[two|2]], [[one]] again.\n\n`[[code]]`\n\n```\n[[fence]]\n```\n\n    [[indented]]\n\n"
        "<!-- [[comment]] -->\n\n- in a list [[three#part]]\n"
    )
    found = document(body, "related: ['[[a]]', \"[[b.md|B]]\", c, '[[a]]', '', 5, [d]]\n")
    assert found.related == ("a", "b", "c", "5")
    assert found.links == ("one", "two", "three")


def test_only_a_plan_has_a_tier_and_progress_and_only_a_record_names_its_step() -> None:
    body = "## Steps\n\n- [x] `S01` - do; `it`.\n"
    adr = document(body, "tier: L3\nstep_id: S01\n")
    plan = document(body, "tier: L3\nstep_id: S01\n", ".vault/plan/p.md")
    ledger = document(body, "tier: L3\nstep_id: S01\n", ".vault/exec/x/l.md")
    assert (adr.tier, adr.plan, adr.step) == (None, None, None)
    assert (plan.tier, plan.plan, plan.step) == ("L3", Tally("L3", 1, 1, None), None)
    assert (ledger.tier, ledger.plan, ledger.step) == (None, None, "S01")


@requirement("SRV-7")
def test_nothing_in_a_document_is_kept_at_a_length_that_would_hurt() -> None:
    found = document(f"# {'t' * 10_000} | (**status:** `accepted`)\n", f"date: {'d' * 10_000}\n")
    assert (len(found.title or ""), len(found.date or ""), found.status) == (TITLE_LIMIT, FIELD_LIMIT, "accepted")


@requirement("SRV-7")
def test_of_a_document_beyond_the_limit_only_the_head_counts() -> None:
    head = b"---\ntags: ['#plan', '#auth']\n---\n# t\n\n- [ ] `S01` - do; `it`.\n[[x]]\n" + "é".encode()[:1]
    found = parse(".vault/plan/p.md", head, SIZE_LIMIT + 1, None)
    assert (found.feature, found.title, found.links, found.plan) == ("auth", None, (), None)
    assert [problem.code for problem in found.problems] == ["too-large"]


@requirement("SRV-7")
@pytest.mark.parametrize(
    "piece", ["[[", "]]", "<!--", "`", "(**status:** `", "- [ ] `S01`", "- `S01` ", "# ", "\n", "[[a|", "---\n", "> "]
)
@pytest.mark.parametrize("kind", ["adr", "plan", "exec"])
def test_a_hostile_body_takes_linear_time(piece: str, kind: str) -> None:
    document(piece * 40_000, path=f".vault/{kind}/x.md")
    document(f"# t\n{piece}" * 20_000, path=f".vault/{kind}/x.md")
