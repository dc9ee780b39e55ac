"""Laws of the block scanner: it finds the code, raw HTML and headings that markdown-it finds, keeps every byte, and takes linear time.

Left out because we differ on purpose: a comment that opens inside a line and ends on a later one (`Structure.hidden` in the
documents below), and link reference definitions (switched off in the oracle). Left out because markdown-it leaves CommonMark:
a line indented by four columns or more right below a line with content, whose laziness it judges by the wrong container, and
tabs inside quotes, whose columns it counts from the innermost quote.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.requirements import requirement
from vaultspec_core.vault.inline import covered
from vaultspec_core.vault.markdown import CODE, COMMENT, FENCE, HTML, TEXT, scan, split_lines

ORACLE = MarkdownIt("commonmark", {"maxNesting": 200}).disable("reference")

INDENT = st.sampled_from(["", "", "", "", " ", "  ", "   ", "    ", "      ", "\t"])
CONTAINER = st.sampled_from(["", "- ", "* ", "1. ", "> ", "2) ", "-   ", "10. ", "-\t", ">", "+ ", "-     ", "- [ ] "])
CONTENT = st.sampled_from(
    [
        *(
            "# h",
            "## x ##",
            "#",
            "#no",
            "####### 7",
            "\\# n",
            "text",
            "more text",
            "é",
            "_a",
            "| a |",
            "    x",
            "a `b` c",
        ),
        *(
            "```",
            "```py",
            "~~~",
            "````",
            "``` a`b",
            "~~~~",
            "```  ",
            "`code",
            "`",
            "---",
            "===",
            "=",
            "--",
            "- - -",
            "***",
        ),
        *("<!-- x", "-->", "<!-- a -->", "<!-->", "a <!-- b --> c", "<div>", "</div>", "<a b='c'>", "<a b=c", "<pre>"),
        *(
            "</pre>",
            "<?php",
            "?>",
            "<!X",
            "<![CDATA[",
            "]]>",
            "<script",
            "</script>x",
            "",
            "",
            "",
            "-",
            "1.",
            "__ _",
            "[a]: /b",
        ),
    ]
)
PREFIX = st.lists(st.tuples(CONTAINER, INDENT), max_size=3).map(lambda parts: "".join(map("".join, parts)))
LINE = st.builds("{}{}{}{}".format, INDENT, PREFIX, CONTENT, st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]))
DOCUMENT = st.lists(LINE, min_size=1, max_size=12).map("".join)

KIND = {"fence": FENCE, "code_block": CODE, "html_block": HTML}


def by_the_oracle(text: str) -> tuple[dict[int, int], list[tuple[int, int, int]]]:
    kinds: dict[int, int] = {}
    headings = []
    for token in ORACLE.parse(text):
        if token.type in KIND and token.map:
            kinds.update(dict.fromkeys(range(*token.map), KIND[token.type]))
        if token.type == "heading_open" and token.level == 0 and token.map:
            headings.append((token.map[0], token.map[1], int(token.tag[1])))
    return kinds, headings


def disputed(lines: list[str]) -> bool:
    above = ""
    for line in lines:
        prefix = line[: len(line) - len(line.lstrip(" \t>+*.)0123456789-"))]
        if (above.strip(" \t\r\n") and "    " in prefix.expandtabs(4)) or (">" in prefix and "\t" in prefix):
            return True
        above = line
    return False


@requirement("EDT-4")
@settings(max_examples=150, deadline=None)
@given(DOCUMENT)
@example("1. \n   \n    -   -   a\n")
@example("- a\n  ```\n  code\nb\n# h\n")
@example("> # quoted\n> ```\n# h\n")
@example("- ```\n\n  still code\n\nout\n")
@example("text\n---\n- a\n---\n")
def test_code_html_and_headings_are_those_of_commonmark(text: str) -> None:
    structure = scan(text)
    assume(not disputed(structure.lines))
    assume(not structure.hidden)
    kinds = {number: HTML if kind == COMMENT else kind for number, kind in enumerate(structure.kinds) if kind != TEXT}
    headings = [(heading.line, heading.body, heading.level) for heading in structure.headings]
    assert (kinds, headings) == by_the_oracle(text)


@given(st.lists(st.one_of(LINE, st.text("`\\ <!->\na[]()|\r\x0b\u2028é", max_size=30))).map("".join))
def test_lines_joined_are_the_text_and_prose_keeps_every_position(text: str) -> None:
    structure = scan(text)
    assert "".join(structure.lines) == text
    assert structure.lines == split_lines(text)
    for number, line in enumerate(structure.lines):
        prose = structure.prose(number)
        assert len(prose) == len(line)
        assert all(new in (" ", old) for new, old in zip(prose, line, strict=True))
        assert not structure.opaque(number) or number in structure.hidden or not prose.strip()


@settings(max_examples=150, deadline=None)
@given(st.text("`\\ ab*", max_size=40))
def test_code_spans_are_those_of_commonmark(text: str) -> None:
    line = "x" + text.strip(" ") + "x"
    assume("\\" not in line or not re.search(r"\\\\", line))
    inline = ORACLE.parseInline(line)[0].children or []
    expected = [token.content for token in inline if token.type == "code_inline"]
    found = []
    for start, end in covered(line):
        fence = len(line[start:end]) - len(line[start:end].lstrip("`"))
        content = line[start + fence : end - fence]
        if len(content) > 1 and content[0] == content[-1] == " " and content.strip(" "):
            content = content[1:-1]
        found.append(content)
    assert found == expected


HOSTILE = {
    "openers": "[[" * 60_000,
    "aliases": "[[a|" * 60_000,
    "links": '[a](b "' * 60_000,
    "destinations": "[a](<" * 60_000,
    "comments": "a <!--" * 60_000,
    "comment lines": "a <!--\n" * 30_000,
    "comment chain": "--> <!-- x\n" * 30_000,
    "backticks": "".join("`" * (number % 300) + " " for number in range(3000)),
    "pairs": "` `` " * 60_000,
    "quotes": ">" * 60_000,
    "bullets": "- " * 60_000,
    "stairs": "".join("  " * number + "- a\n" for number in range(400)),
    "tags": "<a " + "b " * 60_000,
    "backslashes": "\\" * 60_000 + "`",
    "hashes": "# a" + " " * 60_000 + "#" * 60_000 + "x",
    "rules": "a\n\n" + "***\n\n" * 30_000,
    "nested": "[" * 60_000 + "](" * 60_000,
}


@requirement("CHK-3")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_read_to_its_end(name: str) -> None:
    """A scanner that is not linear does not come back from one of these in the life of a test run."""
    text = HOSTILE[name]
    structure = scan(text)
    assert sum(map(len, map(structure.prose, range(len(structure.lines))))) == len(text)
    assert sum(1 for _ in structure.links()) <= text.count("](")
