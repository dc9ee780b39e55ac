"""Counting the steps of a plan says what reading all of it says."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.plan.grammar import parse_text, summarise
from vaultspec_core.plan.tally import tally
from vaultspec_core.vault.frontmatter import split

LINES = st.sampled_from([
    "- [ ] `S01` - a; `b`.", "- [x] `P01.S02` - a; `b`.", "-   [x]   `W01.P01a.S03`-", "- [X] `S04` - a", "* [ ] `S05` - a", "  - [ ] `S06` - a",
    "    - [ ] `S07` - a", "\t- [ ] `S08` - a", "> - [ ] `S09` - a", "- [ ] `S1` - a", "- [ ] S10 - a", "- [ ] `S11`", "```", "~~~", "````", "<!--",
    "-->", "<div>", "</div>", "<!-- x --> y", "text", "", "## Steps", "### Phase `P01` - t", "---", "`", "1. x", "- ", "<?", "?>", "   ```",
])  # fmt: skip
ENDS = st.sampled_from(["\n", "\r\n", "\n\n", "\r"])
BODIES = st.lists(st.tuples(LINES, ENDS).map("".join), max_size=16).map("".join)


@requirement("STS-1", "PLN-5")
@given(BODIES, st.sampled_from(["tier: L1\n", "tier: L9\n", "", "tier: L3\r\n"]), st.sampled_from(["---\n", ""]))
@example("- [ ] `S01` - a", "", "---\n")
@settings(max_examples=400, deadline=None)
def test_a_tally_is_the_summary_of_the_plan(body: str, field: str, fence: str) -> None:
    text = f"{fence}{field}{fence}{body}"
    front = split(text)
    whole = summarise(parse_text(text))
    counted = tally(text, front.body_start, front.text("tier"))
    assert counted == (whole.tier, whole.total, whole.closed, whole.next_open)
