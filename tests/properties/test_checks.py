"""Laws of the repairs, over documents that are put together from everything that is hard about Markdown and frontmatter."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.requirements import requirement
from vaultspec_core.checks.run import check
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.vault import Vault

TODAY = "2026-08-01"
GUIDANCE = "<!-- Where each finding can be looked up again. -->"
PIECES = (
    "word",
    "words of  the author",
    "trailing ",
    "hard break  ",
    "tab\t",
    "",
    "",
    " ",
    "   ",
    "```",
    "````",
    "~~~",
    "    indented",
    "- item",
    "  - [[deeper]] ",
    "1. one  ",
    "> quote  ",
    "> ```",
    "# Heading ",
    "## Sources",
    "## Findings",
    "##",
    "## Closed ##",
    " ## Indented",
    "```python",
    "- a\n  ## inside",
    "Underlined\n===",
    "---",
    "`span` and [[stem]]",
    "`open span",
    "closed` [[2026-07-01-auth-adr|the decision]]",
    "`` double ` [[x]] ``",
    "[[file.md]] [[file.md#part|alias]]",
    "[relative](other.md) and [absolute](https://example.org)",
    "[[a]] [[b|c]] ![[d]]",
    "[[[nested]]] [[un closed",
    "<!-- a note -->",
    GUIDANCE,
    f"{GUIDANCE} tail",
    "<!-- open",
    "close -->",
    "<!-- RETIRED: S03 -->",
    "<div>",
    "<pre>",
    "</pre>",
    "{title} and `{topic}`",
    "\\[[escaped]] \\`",
    "| a | [[b]] |",
    "\u00a0nbsp\u2028sep",
)
FRONTS = (
    "tags:\n  - '#research'\n  - '#auth'\ndate: '2026-07-01'\nmodified: '2026-07-01'\nrelated: []\n",
    "tags:  # two\n  - research # the type\n  - auth # mine\ndate: 2026-07-01T10:00 # day\nrelated:\n  - '[[gone]]' # why\n",
    "tags: [research, auth] # flow\ndate: 1/7/2026\nmodified: 2026-06-01 # old\nbody_hash: 'sha256:0'\n",
    '# only a note\nfeature: auth\nrelated:\n# between\n- "[[2026-07-01-auth-adr.md]]"\n- 2026-07-01-auth-adr\n',
    "tags: {a: b}\nrelated: [1, null]\ndate: {y: 1}\n",
    "tags: [\nbroken: {\n",
    "- a list\n",
    "",
)
ENDS = ("\n", "\r\n")

documents = st.builds(
    lambda front, pieces, end, final, mark: (
        mark + (f"---\n{front}---\n" + "\n".join(pieces) + final).replace("\n", end)
    ),
    st.sampled_from(FRONTS),
    st.lists(st.sampled_from(PIECES), max_size=12),
    st.sampled_from(ENDS),
    st.sampled_from(("", "\n", "\n\n\n", "  \n")),
    st.sampled_from(("", "\ufeff")),
)

MARKDOWN = MarkdownIt("commonmark")

_LINK = re.compile(r"\[\[([^\[\]|\r\n]+)\|([^\[\]\r\n]*)\]\]")


def words(text: str) -> str:
    """What an author wrote: the body without white space, guidance, and the brackets that a repair changes."""
    body = text.removeprefix("\ufeff").partition("---")[2].partition("---")[2]
    body = _LINK.sub(r"\2(\1)", "".join(body.split()).replace("".join(GUIDANCE.split()), ""))
    return re.sub(r"\.md(?=[#\]`)])|[\[\]`()]", "", body)


def shape(text: str) -> tuple[list[str], int]:
    """The blocks of code, and how many hard breaks there are."""
    tokens = MARKDOWN.parse(text[split(text).body_start :] + "\n")
    code = [token.content.rstrip("\n") for token in tokens if token.type in ("fence", "code_block")]
    inline = [child.type for token in tokens for child in token.children or ()]
    return code, inline.count("hardbreak")


def comments(text: str) -> list[str]:
    """The comments of the frontmatter."""
    block = text.partition("---")[2].partition("---")[0]
    return sorted(found.strip() for found in re.findall(r"(?:^|\s)(# ?[a-z][^\r\n]*)", block))


@requirement("CHK-2", "D-16")
@settings(max_examples=120, deadline=None)
@given(st.lists(documents, min_size=1, max_size=3))
def test_a_repair_takes_nothing_of_the_author_and_has_no_second_thoughts(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / ".vaultspec").mkdir()
        place = root / ".vault" / "research"
        place.mkdir(parents=True)
        paths = [place / f"2026-07-0{number}-auth-research.md" for number, _ in enumerate(texts, 1)]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(text.encode("utf-8"))
        said = check(Vault.open(root, today=lambda: TODAY), fix=True)
        repaired = [path.read_bytes().decode("utf-8") for path in paths]
        for before, after in zip(texts, repaired, strict=True):
            assert words(after) == words(before)
            assert shape(after) == shape(before)
            assert comments(after) == comments(before)
            assert ("\r\n" in after) == ("\r\n" in before)
        assert not [finding for finding in said["findings"] if finding["fixable"]]
        again = check(Vault.open(root, today=lambda: TODAY), fix=True)
        assert again["total_fixed"] == 0
        assert again["findings"] == said["findings"]
        assert [path.read_bytes().decode("utf-8") for path in paths] == repaired
