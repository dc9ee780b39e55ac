"""Which lines of a Markdown body are code, comments or raw HTML, and where its headings stand.

The block rules are those of CommonMark 0.31 with its containers (quotes, lists), one pass, linear in the length of the text.
Three things differ on purpose, and the property test leaves them out by name:
a comment that opens inside a line ends at the next `-->`, however many blocks lie between (an author who wrote `<!--` meant to hide
that; without a `-->` it is plain text); link reference definitions are read as paragraphs; headings inside quotes and lists end
nothing and are not reported.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultspec_core.vault.inline import open_comment

TEXT, FENCE, CODE, COMMENT, HTML, FRONT = range(6)
"""What a line is. Everything but TEXT is opaque: Markdown does not look inside. FRONT: before the first line scanned."""


_QUOTE = -1
_DEPTH = 100
"""How deep quotes and lists may nest; deeper ones are text, so that no input costs more than linear time."""


class Heading(NamedTuple):
    """A heading outside quotes and lists. `line` to `body` (exclusive) are its own lines, counted from 0; `text` has no markup of the heading."""

    line: int
    body: int
    level: int
    text: str


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ([{|\"'!:;,./$%&@^?}])")
"""First characters of a line that can only begin or continue a paragraph."""

_ATX = re.compile(r"(#{1,6})(?=[ \t\r\n]|$)")
_FENCE = re.compile(r"(`{3,}+)[^`]*+$|(~{3,})")
_SETEXT = re.compile(r"(?:=++|-++) *$")
_RULE = re.compile(r"(?:(?:\* *+){3,}|(?:- *+){3,}|(?:_ *+){3,})$")
_ITEM = re.compile(r"(?:[-+*]|([0-9]{1,9})[.)])(?= |$)")
_RAW = re.compile(r"<(?:script|pre|style|textarea)(?=[ >]|$)", re.IGNORECASE)
_RAW_END = re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)
_DECLARATION = re.compile(r"<![a-zA-Z]")
_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|"
    "figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|"
    "nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_BLOCK_TAG = re.compile(rf"</?(?:{_BLOCK_TAGS})(?=[ ]|/?>|$)", re.IGNORECASE)
_ATTRIBUTE = r"(?: ++[a-zA-Z_:][\w:.-]*+(?: *+= *+(?:[^\"'=<>`\x00-\x20]++|'[^']*+'|\"[^\"]*+\"))?)"
_LONE_TAG = re.compile(rf"(?:<[a-zA-Z][a-zA-Z0-9-]*+{_ATTRIBUTE}* *+/?>|</[a-zA-Z][a-zA-Z0-9-]*+ *+>)[ ]*$", re.ASCII)
_COMMENT_END = re.compile("-->")
_INSTRUCTION_END = re.compile(r"\?>")
_CDATA_END = re.compile(r"\]\]>")
_DECLARATION_END = re.compile(">")
_BLANK_LINE = re.compile(" *$")


def _html_end(rest: str, in_paragraph: bool) -> re.Pattern[str] | None:
    """How the raw HTML block that begins with `rest` ends; None when none begins."""
    if rest.startswith("<!--"):
        return _COMMENT_END
    if _RAW.match(rest):
        return _RAW_END
    if rest.startswith("<?"):
        return _INSTRUCTION_END
    if rest.startswith("<![CDATA["):
        return _CDATA_END
    if _DECLARATION.match(rest):
        return _DECLARATION_END
    if _BLOCK_TAG.match(rest) or (not in_paragraph and _LONE_TAG.match(rest)):
        return _BLANK_LINE
    return None


def _bullet_text(line: str) -> bool:
    """Whether a line that begins with a bullet and one space goes on with mere text."""
    following = line[2:4]
    return following[:1] in _PLAIN or (following[:1] == "`" and following != "``")


class Blocks:
    """The block structure of `lines[start:]`.

    `kinds`: one of the constants above per line. `starts`: the lines that begin a run of inline text (paragraph, heading, list item).
    `hidden`: line -> [(from, to)], the columns that a comment over several lines covers on its first and last line.
    """

    def __init__(self, lines: list[str], start: int, comments: bool) -> None:
        self.kinds = bytearray(len(lines))
        self.kinds[:start] = bytes([FRONT]) * start
        self.headings: list[Heading] = []
        self.starts: list[int] = []
        self.hidden: dict[int, list[tuple[int, int]]] = {}
        self._lines = lines
        self._stack: list[int] = []  # open containers: _QUOTE, or the content column of a list item
        self._bare = -1  # the line of a list item that began empty
        self._paragraph = -1  # first line of the open paragraph
        self._code = -1  # last line of the open indented code block
        self._fence = ""  # the shortest run that closes the open fence
        self._html: re.Pattern[str] | None = None  # what ends the open raw HTML block
        self._html_kind = HTML
        self._scan(start, comments)

    def _scan(self, start: int, comments: bool) -> None:
        """Most lines are plain text, blank, a bullet or inside a fence, and are settled here; the rest goes to `_line`."""
        lines, kinds, stack, plain, number = self._lines, self.kinds, self._stack, _PLAIN, start
        while number < len(lines):
            line = lines[number]
            first = line[0]
            if self._fence or self._html is not None:
                if self._fence and not stack and first not in "`~ \t":
                    kinds[number] = FENCE
                else:
                    self._line(number, line)
            elif first in plain and (self._paragraph >= 0 or not stack):
                if self._paragraph < 0:
                    self._begin(number)
            elif first in "\r\n" and (not stack or (stack == [2] and self._bare != number - 1)):
                self._paragraph = -1
            elif first == " " and self._paragraph >= 0 and line.lstrip(" ")[:1] in plain:
                pass
            elif first in "-*+" and line[1:2] == " " and _bullet_text(line):
                stack[:] = (2,)
                self._begin(number)
            elif first == "#" and (mark := _ATX.match(line)):
                self._close(0)
                self._heading(number, number, len(mark[1]))
            else:
                self._line(number, line)
            number += 1
            if comments and "<!--" in line and kinds[number - 1] == TEXT:
                comments, number = self._hide(number - 1)

    def _begin(self, number: int) -> None:
        self._paragraph = number
        self._code = -1
        self.starts.append(number)

    def _close(self, depth: int) -> None:
        """A new block begins in container `depth`: the paragraph ends, and so does all that is deeper."""
        if len(self._stack) > depth:
            del self._stack[depth:]
            self._fence, self._html = "", None
        self._paragraph = self._code = -1

    def _enter(self, rest: str, number: int) -> tuple[str, int]:
        """What is left of the line inside the open containers that it continues, and how many those are."""
        for depth, width in enumerate(self._stack):
            stripped = rest.lstrip(" ")
            indent = len(rest) - len(stripped)
            if width == _QUOTE:
                if indent > 3 or not stripped.startswith(">"):
                    return rest, depth
                rest = stripped[2:] if stripped.startswith("> ") else stripped[1:]
            elif stripped and indent >= width:
                rest = rest[width:]
            elif stripped or (depth == len(self._stack) - 1 and self._bare == number - 1):
                return rest, depth
            else:
                rest = ""
        return rest, len(self._stack)

    def _line(self, number: int, line: str) -> None:
        rest = line.rstrip("\r\n")
        rest, depth = self._enter(rest.expandtabs(4) if "\t" in rest else rest, number)
        lazy = depth < len(self._stack)
        if not lazy and self._continues(number, rest):
            return
        if lazy and self._paragraph < 0:
            self._close(depth)
        while (stripped := rest.lstrip(" ")) and (indent := len(rest) - len(stripped)) < 4:
            inner = self._container(number, stripped, indent, depth, lazy)
            if inner is None:
                if not self._block(number, stripped, depth, lazy) and self._paragraph < 0:
                    self._begin(number)
                return
            rest, depth, lazy = inner, depth + 1, False
        if not stripped:
            code = self._code if depth == len(self._stack) else -1
            self._close(depth)
            self._code = code
            self.starts.append(number)
        elif self._paragraph < 0:
            first = self._code + 1 if self._code >= 0 else number
            self.kinds[first : number + 1] = bytes([CODE]) * (number + 1 - first)
            self._code = number

    def _continues(self, number: int, rest: str) -> bool:
        """Whether the line belongs to the open fence or raw HTML block."""
        if self._fence:
            self.kinds[number] = FENCE
            stripped = rest.lstrip(" ")
            if (
                len(rest) - len(stripped) < 4
                and stripped.startswith(self._fence)
                and not stripped.strip(" ").strip(self._fence[0])
            ):
                self._fence = ""
            return True
        if self._html is None:
            return False
        over = self._html.match(rest) if self._html is _BLANK_LINE else self._html.search(rest)
        if over and self._html is _BLANK_LINE:
            self._html = None
            return True
        self.kinds[number] = self._html_kind
        if over:
            self._html = None
        return True

    def _container(self, number: int, stripped: str, indent: int, depth: int, lazy: bool) -> str | None:
        """Open a quote or a list item; gives the rest of the line inside it, None when the line opens none."""
        if depth >= _DEPTH:
            return None
        if stripped[0] == ">":
            self._close(depth)
            self._stack.append(_QUOTE)
            return stripped[2:] if stripped.startswith("> ") else stripped[1:]
        item = _ITEM.match(stripped)
        if item is None or _RULE.match(stripped):
            return None
        if self._paragraph >= 0 and not lazy and _SETEXT.match(stripped):
            return None
        content = stripped[item.end() :]
        text = content.lstrip(" ")
        if self._paragraph >= 0 and not lazy and (not text or (item[1] and int(item[1]) != 1)):
            return None
        self._close(depth)
        spaces = len(content) - len(text)
        if not text:
            self._bare, spaces = number, 1
        elif spaces > 4:
            spaces = 1
        self._stack.append(indent + item.end() + spaces)
        return content[spaces:]

    def _block(self, number: int, stripped: str, depth: int, lazy: bool) -> bool:
        """Whether a leaf other than a paragraph begins (or, for an underline, ends) here."""
        first = stripped[0]
        if first == "#" and (mark := _ATX.match(stripped)):
            self._close(depth)
            self._heading(number, number, len(mark[1]))
        elif first in "`~" and (fence := _FENCE.match(stripped)):
            self._close(depth)
            self._fence = fence[1] or fence[2]
            self.kinds[number] = FENCE
        elif first == "<" and (end := _html_end(stripped, self._paragraph >= 0)):
            self._close(depth)
            self._html_kind = self.kinds[number] = COMMENT if end is _COMMENT_END else HTML
            self._html = None if end is not _BLANK_LINE and end.search(stripped) else end
        elif first in "=-" and self._paragraph >= 0 and not lazy and _SETEXT.match(stripped):
            self._heading(self._paragraph, number, 1 if first == "=" else 2)
        elif first in "*-_" and _RULE.match(stripped):
            self._close(depth)
            self.starts.append(number)
        else:
            return False
        return True

    def _heading(self, line: int, last: int, level: int) -> None:
        if line == last:
            self.starts.append(line)
            text = self._lines[line].strip().lstrip("#").strip(" \t")
            bare = text.rstrip("#")
            if not bare or bare[-1] in " \t":
                text = bare.rstrip(" \t")
        else:
            text = "\n".join(part.strip() for part in self._lines[line:last])
        self._paragraph = self._code = -1
        if not self._stack:
            self.headings.append(Heading(line, last + 1, level, text))

    def _hide(self, number: int) -> tuple[bool, int]:
        """Cover a comment that opens on this line of text and ends on a later one.

        Gives whether comments can still end further down, and the next line to scan.
        """
        column = open_comment(self._lines[number], 0)
        while column >= 0:
            last = next((n for n in range(number + 1, len(self._lines)) if "-->" in self._lines[n]), None)
            if last is None:
                return False, number + 1
            end = self._lines[last].index("-->") + 3
            self.hidden.setdefault(number, []).append((column, len(self._lines[number])))
            self.hidden.setdefault(last, []).append((0, end))
            self.kinds[number + 1 : last + 1] = bytes([COMMENT]) * (last - number)
            self.starts.append(last + 1)
            number, column = last, open_comment(self._lines[last], end)
        return True, number + 1
