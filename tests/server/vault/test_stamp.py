"""Hashes and the stamp."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_core.vault.stamp import blob_hash, body_hash, stamped

BODY = "\n# Title\n\ntext\n"
HASH = body_hash(BODY)


@requirement("EDT-2")
@pytest.mark.parametrize(
    ("data", "oid"),
    [
        (b"", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
        (b"hello\n", "ce013625030ba8dba906f756967f9e9ca394464a"),
        (b"hello\r\n", "ef0493b275aa2080237f676d2ef6559246f56636"),
    ],
)
def test_the_blob_hash_is_the_object_id_that_git_gives_these_bytes(data: bytes, oid: str) -> None:
    assert blob_hash(data) == oid


def test_the_body_hash_ignores_line_ends_a_byte_order_mark_and_outer_space() -> None:
    plain = body_hash("a\nb")
    assert plain == "sha256:7e18f737311b2dc3b2f269dd78396b0351f14fb66efa879f768cb23181883c78"
    assert {body_hash(same) for same in ("\ufeffa\r\nb", "a\rb", "\n\na\nb\n ", "a\nb\n")} == {plain}
    assert body_hash("a\n\nb") != plain


UNCHANGED = [
    f"---\nmodified: '2026-08-01'\nbody_hash: '{HASH}'\n---\n{BODY}",
    f"---\nmodified: 2026-08-01 # kept\nbody_hash: {HASH}\n---\n{BODY}",
    "# no frontmatter\n",
    "---\nnever: closed\n",
    "---\n{modified: x}\n---\nbody\n",
    "",
]


@pytest.mark.parametrize("text", UNCHANGED)
def test_a_stamp_that_is_right_or_has_no_place_leaves_every_byte(text: str) -> None:
    assert stamped(text, "2026-08-01") == text


STAMPED = [
    (
        f"---\ndate: '2026-01-01'\nmodified: '2026-01-01' # c\nbody_schema: 'body-v2'\nbody_hash: 'sha256:0'\n---\n{BODY}",
        f"---\ndate: '2026-01-01'\nmodified: '2026-08-01' # c\nbody_schema: 'body-v2'\nbody_hash: '{HASH}'\n---\n{BODY}",
    ),
    (
        f"---\ndate: x\nbody_schema: y\nrelated: []\n---\n{BODY}",
        f"---\ndate: x\nmodified: '2026-08-01'\nbody_schema: y\nbody_hash: '{HASH}'\nrelated: []\n---\n{BODY}",
    ),
    (
        f"---\ntags:\n  - a\nrelated: []\n---\n{BODY}",
        f"---\ntags:\n  - a\nmodified: '2026-08-01'\nbody_hash: '{HASH}'\nrelated: []\n---\n{BODY}",
    ),
    (
        f"\n---\nmodified: x\n---\n{BODY}",
        f"\n---\nmodified: 2026-08-01\nbody_hash: '{HASH}'\n---\n{BODY}",
    ),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "after"), STAMPED)
def test_the_stamp_changes_its_two_fields_and_nothing_else(before: str, after: str, newline: str) -> None:
    before, after = before.replace("\n", newline), after.replace("\n", newline)
    assert stamped(before, "2026-08-01") == after
    assert stamped(after, "2026-08-01") == after
