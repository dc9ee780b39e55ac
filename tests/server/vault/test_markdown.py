"""The structure of a Markdown text: sections, prose, links, and what is opaque."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_core.vault.markdown import CODE, COMMENT, FENCE, FRONT, HTML, TEXT, Heading, scan, split_lines

WORDS = {TEXT: "", FENCE: "fence", CODE: "code", COMMENT: "comment", HTML: "html", FRONT: "front"}


def kinds(text: str, start: int = 0) -> list[str]:
    return [WORDS[kind] for kind in scan(text, start).kinds]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\nb\n", ["", "", ""]),
        ("a\n    b\n", ["", ""]),
        ("- a\n\n  b\n", ["", "", ""]),
        ("a <!-- b\n\nc\n", ["", "", ""]),
        ("\\<!-- a\n\n--> b\n", ["", "", ""]),
        ("1. a\n2. b\n", ["", ""]),
        ("<span>a</span> b\n", [""]),
        ("``` a`b\nc\n", ["", ""]),
        ("# a\n\n## b\n", ["", "", ""]),
    ],
)
def test_text_is_not_opaque(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@requirement("EDT-4")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\n# a\n```\nb\n", ["fence", "fence", "fence", ""]),
        ("~~~ py\n```\n~~~\n", ["fence", "fence", "fence"]),
        ("````\n```\n````\n", ["fence", "fence", "fence"]),
        ("   ```\na\n   ```\n", ["fence", "fence", "fence"]),
        ("```\na\n    ```\nb\n", ["fence", "fence", "fence", "fence"]),
        ("```\na", ["fence", "fence"]),
        ("- ```\n  a\nb\n", ["fence", "fence", ""]),
        ("> ```\n> a\nb\n", ["fence", "fence", ""]),
        ("    a\n\n    b\n\nc\n", ["code", "code", "code", "", ""]),
        ("\ta\n", ["code"]),
        ("- a\n\n      b\n", ["", "", "code"]),
        ("<!-- a -->\nb\n", ["comment", ""]),
        ("<!--\n\n- a\n--> b\nc\n", ["comment", "comment", "comment", "comment", ""]),
        ("<!-- a\n", ["comment"]),
        ("a <!-- b\n\n# c\n--> d\ne\n", ["", "comment", "comment", "comment", ""]),
        ("a <!-- b\n--> c <!-- d\n--> e\n", ["", "comment", "comment"]),
        ("<div>\n# a\n\n# b\n", ["html", "html", "", ""]),
        ("<pre>\n\n# a\n</pre>\nb\n", ["html", "html", "html", "html", ""]),
    ],
)
def test_code_comments_and_html_are_opaque(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_lines_before_the_start_are_opaque_and_counted() -> None:
    text = "---\n# no\n---\n# yes\n"
    assert kinds(text, 3) == ["front", "front", "front", ""]
    assert scan(text, 3).headings == [Heading(3, 4, 1, "yes")]


def test_a_byte_order_mark_hides_no_heading() -> None:
    structure = scan("\ufeff# a\n")
    assert structure.headings == [Heading(0, 1, 1, "a")]
    assert structure.lines == ["\ufeff# a\n"]
    assert scan("\ufeff").headings == []


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("# a\n", "a"),
        ("  ## a b ##  \n", "a b"),
        ("# a #b\n", "a #b"),
        ("# a#\n", "a#"),
        ("#\n", ""),
        ("## ##\n", ""),
        ("#\ta\t#\r\n", "a"),
        ("a\n---\n", "a"),
        ("a\n  b\n===\n", "a\nb"),
    ],
)
def test_a_heading_is_told_without_its_marks(line: str, text: str) -> None:
    assert [heading.text for heading in scan(line).headings] == [text]


@pytest.mark.parametrize(
    "line", ["#a\n", "####### a\n", "    # a\n", "> # a\n", "- # a\n", "\\# a\n", "a\n----x\n", "---\n"]
)
def test_other_lines_are_no_headings(line: str) -> None:
    assert scan(line).headings == []


@requirement("EDT-4")
def test_a_section_ends_at_the_next_heading_that_is_not_deeper() -> None:
    structure = scan("# a\nb\n## c\nd\n### e\n```\n## no\n```\n## f\n# g\n")
    by_text = {heading.text: structure.section(heading) for heading in structure.headings}
    assert by_text == {
        "a": range(1, 9),
        "c": range(3, 8),
        "e": range(5, 8),
        "f": range(9, 9),
        "g": range(10, 10),
    }


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\r\nb\rc\n", ["a\r\n", "b\r", "c\n"]),
        ("a\x0b\x0c\u2028\x85b\n", ["a\x0b\x0c\u2028\x85b\n"]),
        ("\n\r\n", ["\n", "\r\n"]),
    ],
)
def test_only_line_feeds_and_carriage_returns_end_a_line(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("a `b` c\n", "a     c\n"),
        ("a ``b ` c`` d\n", "a           d\n"),
        ("a `b\nc` d\n", "a   \n   d\n"),
        ("a `b\n\nc` d\n", "a `b\n\nc` d\n"),
        ("a <!-- b --> c\n", "a            c\n"),
        ("a `<!--` c -->\n", "a        c -->\n"),
        ("a <!-- b\n# c\n--> d\ne\n", "a       \n   \n    d\ne\n"),
        ("- `a\n- b`\n", "- `a\n- b`\n"),
        ("# a `b`\n", "# a    \n"),
        ("```\na\n```\n", "   \n \n   \n"),
    ],
)
def test_prose_is_what_is_left_without_code_and_comments(text: str, prose: str) -> None:
    structure = scan(text)
    assert "".join(structure.prose(number) for number in range(len(structure.lines))) == prose


@pytest.mark.parametrize(
    "text",
    [
        "`[[a]]`\n",
        "```\n[[a]]\n```\n",
        "    [[a]]\n",
        "<!-- [[a]] -->\n",
        "b <!--\n[[a]]\n--> c\n",
        "`b\n[[a]] c`\n",
        "\\[[a]]\n",
        "[[a\n]]\n",
        "[[]]\n",
        "[a](http://b.example)\n",
        "[a](mailto:b)\n",
        "[a](#b)\n",
        "[a](//b)\n",
        "[a] (b)\n",
        "a](b)\n",
        "[a](b c)\n",
        "[a]()\n",
    ],
)
def test_these_are_no_links_into_the_vault(text: str) -> None:
    assert list(scan(text).links()) == []


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[[a]]\n", [("a", None)]),
        ("x [[a b|c d]] [[e]]\n", [("a b", "c d"), ("e", None)]),
        ("[[a#b]]\n", [("a#b", None)]),
        ("[[[a]]]\n", [("a", None)]),
        ("[a](b.md)\n", [("b.md", "a")]),
        ("[a](b.md \"t\") [c](<d e.md> 't')\n", [("b.md", "a"), ("d e.md", "c")]),
        ("[a](b(c).md)\n", [("b(c).md", "a")]),
        ("[![a](b.png)](c.md)\n", [("b.png", "a"), ("c.md", "![a](b.png)")]),
        ("[`a`](b.md)\n", [("b.md", "   ")]),
        ("> [[a]]\n- [[b]]\n# [[c]]\n", [("a", None), ("b", None), ("c", None)]),
        ("a <!--\n--> [[b]]\n", [("b", None)]),
    ],
)
def test_links_are_found_in_order(text: str, links: list[tuple[str, str | None]]) -> None:
    assert [(link.target, link.alias) for link in scan(text).links()] == links


def test_a_link_says_where_it_stands() -> None:
    (wiki, plain) = scan("---\nx\n---\na\nb [[c]] [d\ne](f.md)\n", 3).links()
    assert (wiki.line, wiki.column, wiki.end_line, wiki.end_column) == (4, 2, 4, 7)
    assert (plain.line, plain.column, plain.end_line, plain.end_column) == (4, 8, 5, 8)
