"""Hide settings in a configuration file's text by where they stand: below `env` or a secret's name, after a token-like flag.

One walk over the tokens that JSON, TOML, YAML and `.env` files share. It needs no valid file, so that a part of one can be shown as
well, and keeps every line break, so that a diff of the original lines can be shown with the hidden ones. What has been commented out is
walked like the rest.
"""

from __future__ import annotations

import re

from .secret_shapes import (
    HIDDEN,
    announces,
    conceal_assigned,
    conceal_given,
    conceal_given_in,
    conceal_word,
    holds,
    is_reference,
)

_TOKEN = (
    r"""(?P<string>"(?:[^"\\\n]|\\.)*"?|'[^'\n]*')|(?P<comment>(?:\#|//)[^\n]*)|(?P<open>[{\[])|(?P<close>[}\]])"""
    r"""|(?P<line>\n)|(?P<comma>,)|(?P<mark>[:=])|(?P<bare>[^\s"'{}\[\]:=,]+)|(?P<quote>')"""
)
_ASSIGNS = r"[ \t]*(?:=(?!=\d)|:(?=[\s\"'\[{]|\Z))[ \t]*"
_PART = r"(?:[\w-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')"
_HEADER = rf"\[\[?[ \t]*({_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*\]\]?(?=[ \t]*(?:#|\n|\r|\Z))"
_DOTTED = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})+(?=[ \t]*=)"
_TRIPLE = r'"""(?:(?!""")[^\\]|\\[\s\S])*"{3,5}|' r"'''(?:(?!''')[\s\S])*'{3,5}"
_CONTAINER = (
    rf"\{{[ \t]*(?:{_PART}(?:[ \t]*\.[ \t]*{_PART})*[ \t]*=[ \t]*(?:[\"'\[{{]|[\w.+-]+[ \t]*[,}}])|\}}|[\r\n#])|"
    r"\[[ \t]*(?:[\"'\[{\]#\r\n]|\d|\Z)"
)
_BLOCK_SCALAR = r"[|>][-+\d]*[ \t]*(?:#[^\n]*)?\r?(?=\n|\Z)"
_QUOTED = {'"': r'"(?:[^"\\\n]|\\.)*(")?', "'": r"'(?:[^'\n]|'')*(')?", "='": r"'[^'\n]*(')?"}
_CLOSING = {'"': r'(?:[^"\\]|\\[\s\S])*"', "'": r"(?:[^']|'')*'", "='": r"[^']*'"}
_CLOSING |= {'"…': r'(?:[^"\\]|\\[\s\S]){0,4000}"', "'…": r"(?:[^']|''){0,4000}'"}
"""A string on one line and what ends one that goes on: in YAML a quote is doubled, in TOML (after `=`) it ends the string."""
_COMMENTS = r"(?m)^[ \t]*(#|//)[^\n]*(?:\n[ \t]*\1[^\n]*)*"
_AFTER_MARK = r"(?m)^([ \t]*(?:#|//))([^\n]*)"


def conceal_settings(text: str) -> str:
    """The text with each such value replaced by `***`; quotes stay."""
    return _walked(re.sub(_COMMENTS, _commented, text))


def _commented(match: re.Match[str]) -> str:
    """Comment lines with what stands after the marks walked as if it were no comment."""
    lines = re.findall(_AFTER_MARK, match.group())
    walked = _walked("\n".join(line for _, line in lines)).split("\n")
    return "\n".join(mark + line for (mark, _), line in zip(lines, walked, strict=True))


def _walked(text: str) -> str:
    walk = _Walk(text)
    out: list[str] = []
    end = 0
    token = re.compile(_TOKEN)
    while match := token.search(text, end):
        out.append(text[end : match.start()])
        shown, end = walk.step(match)
        out.append(shown)
    out.append(text[end:])
    return "".join(out)


class _Walk:
    """What is known at a place in the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[bool] = []
        """For each open bracket, whether all values inside are hidden."""
        self._lists: list[bool] = []
        """For each, whether it is a list, in which nothing has a key."""
        self._table = False
        """The same as for brackets for the TOML table that we are in."""
        self._block: int | None = None
        """The same for a YAML block: the column of the key that holds it."""
        self._key = ""
        self._equals = False
        """Whether the last key was followed by `=`: only there are strings in three quotes."""
        self._flag = ""
        self._flag_line = 0
        self._judged = 0
        """Up to where a plain value has been looked at as a whole."""
        self._line = 0
        self._started = False
        """Whether a plain word has begun the value that we are in: then a bracket is a sign like any other."""
        self._assigns, self._header, self._dotted = map(re.compile, (_ASSIGNS, _HEADER, _DOTTED))
        self._triple, self._container, self._block_scalar = map(re.compile, (_TRIPLE, _CONTAINER, _BLOCK_SCALAR))

    def step(self, match: re.Match[str]) -> tuple[str, int]:
        """What to show for a token, and where to go on."""
        said, end = match.group(), match.end()
        started, self._started = (
            self._started,
            self._started and not self._open and match.lastgroup in ("comma", "mark", "string", "bare"),
        )
        match match.lastgroup:
            case "line":
                self._line = end
                if not self._open:
                    self._key, self._equals = "", False
            case "comma":
                if self._open:
                    self._key = ""
            case "comment":
                return conceal_assigned(said), end
            case "open" if not started:
                return self._bracket(match)
            case "close" if self._open:
                self._open.pop()
                self._lists.pop()
                self._key = self._flag = ""
            case "quote" if not started and not self._equals:
                return self._item(match)
            case "string" | "bare":
                return self._word(match, started=started)
        return said, end

    def _bracket(self, match: re.Match[str]) -> tuple[str, int]:
        header = self._header.match(self._text, match.start())
        if header and not self._open and self._begins_line(match.start()):
            self._table = _is_below(header.group(1))
            self._key, self._flag = "", ""
            return conceal_assigned(header.group()), header.end()
        self._open.append(self._hidden() or holds(self._key))
        self._lists.append(match.group() == "[")
        self._key = ""
        return match.group(), match.end()

    def _begins_line(self, start: int) -> bool:
        return not self._text[self._line : start].strip()

    def _word(self, match: re.Match[str], *, started: bool) -> tuple[str, int]:
        said, start, end = match.group(), match.start(), match.end()
        column = start - self._line
        if self._block is not None and (column < self._block or (column == self._block and said != "-")):
            self._block = None
        below = False
        listed = bool(self._open) and self._lists[-1]
        if (
            not listed
            and column < 200
            and self._begins_line(start)
            and (dotted := self._dotted.match(self._text, start))
        ):
            said, end = dotted.group(), dotted.end()
            below = _is_below(said.rpartition(".")[0])
        assigns = self._assigns.match(self._text, end)
        if assigns and match.lastgroup == "bare" and self._is_tight(assigns):
            if self._is_no_key():
                return self._item(match)
            if self._flag and not self._open and conceal_given(self._flag, f"{said}=x") != f"{said}=x":
                return self._item(match)
        if assigns:
            self._key, self._flag, self._equals = said.strip("\"'"), "", "=" in assigns.group()
            shown, after = self._given(assigns.end(), column, below)
            return self._text[start : assigns.end()] + shown, after
        if said == "-" and not self._open:
            return said, end
        if started and not self._flag and not self._hidden() and not (self._open and announces(self._key)):
            # The value was judged as a whole where it began.
            self._started = True
            self._note_flag(said)
            return said if match.lastgroup == "bare" else conceal_word(said), end
        shown, after = self._item(match)
        self._started = True
        return shown, after

    def _is_tight(self, assigns: re.Match[str]) -> bool:
        """Whether the sign is `=` or a colon with a quote or bracket right after it."""
        return "=" in assigns.group() or self._text[assigns.end() - 1 : assigns.end() + 1] in (":'", ':"', ":[", ":{")

    def _is_no_key(self) -> bool:
        """Whether `=`, or a colon without a blank, belongs to a hidden value: in a list, in a YAML block, or further on in a plain value."""
        if self._open:
            return announces(self._key) or (self._hidden() and (self._lists[-1] or bool(self._key)))
        return self._block is not None

    def _given(self, start: int, column: int, below: bool) -> tuple[str, int]:
        """The value after a key: hidden as a whole where it is one, else left for the walk."""
        sign = self._text[start : start + 1]
        if sign in ("", "\n", "\r", "#") and not (self._equals and sign == "#"):
            if not self._open and not self._equals and holds(self._key) and self._block is None:
                self._block = column
            return "", start
        if sign in ("{", "["):
            plain = self._equals and not self._open and not self._container.match(self._text, start)
            if not plain or not holds(self._key):
                return "", start
        return self._scalar(start, self._key, column, hidden=below or self._hidden())

    def _item(self, match: re.Match[str]) -> tuple[str, int]:
        """A value without a key of its own: of a list, or the next word of a plain one."""
        start = match.start()
        indent = re.compile(r"[ \t]*").match(self._text, self._line)
        column = len(indent.group()) if indent else 0
        hidden = self._hidden()
        flag, self._flag = self._flag, ""
        if flag and not match.group().strip("\"'").startswith("--") and not hidden:
            if self._flag_line == self._line and match.lastgroup == "bare":
                return self._bare_word(start, flag)
            return self._scalar(start, flag, column, hidden=False)
        return self._scalar(start, self._key, column, hidden=hidden)

    def _bare_word(self, start: int, flag: str) -> tuple[str, int]:
        found = re.compile(r"[^\s,}\]]+").match(self._text, start)
        said = found.group() if found else ""
        return conceal_given(flag, said), start + len(said)

    def _hidden(self) -> bool:
        return self._open[-1] if self._open else self._table or self._block is not None

    def _scalar(self, start: int, name: str, column: int, *, hidden: bool) -> tuple[str, int]:
        """The string or plain value that starts here, with the lines that go on with it when it is hidden."""
        sign = self._text[start]
        if sign in "\"'":
            return self._string(start, name, column, hidden=hidden)
        if not self._equals and not self._open and (block := self._block_scalar.match(self._text, start)):
            if not hidden and conceal_given(name, "x1x1x1x1x1x1") != HIDDEN:
                return block.group(), block.end()
            return self._with_tail(block.group(), block.end(), column)
        if start < self._judged and not hidden and not announces(name):
            return self._plain(start)
        stop = re.compile(r"[^,}\]\r\n]*" if self._open else r"[^\r\n]*").match(self._text, start)
        said = stop.group().rstrip() if stop else ""
        self._judged = start + len(said)
        value = re.split(r"[ \t]#", said, maxsplit=1)[0].rstrip()
        if is_reference(value):
            return said, start + len(said)
        if hidden or conceal_given(name, value) != value:
            shown = HIDDEN if hidden else conceal_given(name, value)
            return self._with_tail(shown if value else said, start + len(said), column)
        if (shown := conceal_given_in(value)) != value:
            return self._with_tail(shown, start + len(said), column)
        return self._plain(start)

    def _plain(self, start: int) -> tuple[str, int]:
        """The next word of a value that is shown."""
        word = re.compile(_TOKEN).match(self._text, start)
        if word is None:
            return "", start
        self._note_flag(word.group())
        self._started = word.lastgroup == "bare" and word.group() != "-"
        return ("", start) if word.lastgroup != "bare" else (word.group(), word.end())

    def _string(self, start: int, name: str, column: int, *, hidden: bool) -> tuple[str, int]:
        quote = self._text[start]
        triple = self._triple.match(self._text, start) if self._equals else None
        marks = quote * 3 if triple else quote
        kind = '"' if quote == '"' else "='" if self._equals else "'"
        found = triple or re.compile(_QUOTED[kind]).match(self._text, start)
        said = found.group() if found else quote
        closed = bool(triple or (found and found.group(1)))
        value = said[len(marks) : -len(marks)] if closed else said[len(marks) :].rstrip("\r")
        if not hidden and conceal_given(name, value) == value:
            self._note_flag(value)
            if (
                not closed
                and not self._equals
                and (close := re.compile(_CLOSING[kind + "…"]).match(self._text, start + 1))
            ):
                return conceal_assigned(self._text[start : close.end()]), close.end()
            if triple:
                return said, start + len(said)
            return f"{marks}{conceal_word(value)}{said[len(marks) + len(value) :]}", start + len(said)
        if not value.strip() or is_reference(value):
            return said, start + len(said)
        end = start + len(said)
        if not closed:
            close = re.compile(_CLOSING[kind]).match(self._text, start + 1)
            end = close.end() if close else end
        shown = HIDDEN if hidden else conceal_given(name, value)
        lines = self._text[start:end].split("\n")
        hid = [marks + shown, *(_blanked(line) for line in lines[1:])] if len(lines) > 1 else [marks + shown + marks]
        return self._with_tail("\n".join(hid), end, column)

    def _with_tail(self, shown: str, end: int, column: int) -> tuple[str, int]:
        """With the deeper lines of YAML that belong to the value."""
        if self._open or self._equals:
            return shown, end
        deeper = re.compile(rf"[^\n]*(?:\n(?:[ \t]*\r?(?=\n|\Z)|[ \t]{{{column + 1},}}[^\n]*))+").match(self._text, end)
        if deeper is None:
            return shown, end
        first, *rest = deeper.group().split("\n")
        # The newline that ends the last of them is met by the walk.
        self._line = deeper.end() - len(rest[-1])
        return "\n".join([shown + first, *map(_blanked, rest)]), deeper.end()

    def _note_flag(self, value: str) -> None:
        self._flag = value if value.startswith("-") and "=" not in value else ""
        self._flag_line = self._line


def _is_below(path: str) -> bool:
    """Whether a part of a dotted key holds what is hidden."""
    return any(holds(part.strip(" \t\"'")) for part in path.split("."))


def _blanked(line: str) -> str:
    return re.sub(r"\S(?:[^\r\n]*\S)?", HIDDEN, line)
