"""No bytes break the reading of a document."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.vault.document import parse

PIECES = st.sampled_from([
    b"---\n", b"\r\n", b"\n", b"tags:\n  - '#adr'\n", b"tags: ", b"related: ", b"[[", b"]]", b"|", b"# ", b"## Steps\n", b"## Changes\n",
    b"- [ ] `S01` - a; `b`.\n", b"- [x] `P01.S02` - a", b"- `S01` `A` `x`\n", b"- `S01` `verify:` `x` -> `pass`\n", b"```\n", b"<!-- ",
    b"-->", b"<!-- RETIRED: S01, P02 -->\n", b"### Phase `P01` - t\n", b"\xef\xbb\xbf", b"\xff", b"\x00", b"&a *a", b"'", b'"', b"{", b"    ",
    b"> ", b"\t", b"\xe2\x80\xa8", b"\r",
])  # fmt: skip
KINDS = st.sampled_from(["adr", "exec", "index", "plan", "misc"])


@requirement("SRV-7", "REL-5")
@given(st.lists(PIECES | st.binary(max_size=6), max_size=25).map(b"".join), KINDS)
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_a_document_with_a_name_and_a_type(data: bytes, kind: str) -> None:
    document = parse(f".vault/{kind}/2026-01-01-a-{kind}.md", data, len(data), None)
    assert (document.stem, document.type) == (f"2026-01-01-a-{kind}", "unknown" if kind == "misc" else kind)
    for text in (document.feature, document.date, document.title, document.status, *document.related, *document.links):
        assert text is None or text.encode("utf-8")
