"""Hide settings in a configuration file's text by where they stand: under `env`, under a secret's name, after a token-like flag.

One walk over the tokens that JSON, TOML and YAML share. It needs no valid file, so that a part of one can be shown as well, and keeps
every line break, so that a diff of the original lines can be shown with the hidden ones.
"""

from __future__ import annotations

import re

from .secret_shapes import HIDDEN, announces, is_reference

_HOLDERS = frozenset({"env", "environment", "envs", "headers", "http_headers", "env_http_headers"})
_TOKEN = (
    r"""(?P<string>"(?:[^"\\\n]|\\.)*"?|'[^'\n]*')|(?P<comment>(?:\#|//)[^\n]*)|(?P<open>[{\[])|(?P<close>[}\]])"""
    r"""|(?P<line>\n)|(?P<comma>,)|(?P<mark>[:=])|(?P<bare>[^\s"'{}\[\]:=,]+)"""
)
_ASSIGNS = r"[ \t]*(?:=|:(?=[\s\"'\[{]|\Z))"
_BLOCK = r"[ \t]*:[ \t]*(?:#[^\n]*)?\n"
_PART = r"(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')"
_HEADER = rf"\[\[?[ \t]*({_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*\]\]?(?=[ \t]*(?:#|\n|\r|\Z))"


def conceal_settings(text: str) -> str:
    """The text with each such value replaced by `***`; quotes stay."""
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
        self._table = False
        """The same for the TOML table that we are in."""
        self._block: int | None = None
        """The same for a YAML block: the column of the key that holds it."""
        self._key: str | None = None
        self._after_flag = False
        self._line = 0
        self._assigns, self._starts_block, self._header = map(re.compile, (_ASSIGNS, _BLOCK, _HEADER))

    def step(self, match: re.Match[str]) -> tuple[str, int]:
        """What to show for a token, and where to go on."""
        said, end = match.group(), match.end()
        match match.lastgroup:
            case "line":
                self._line = end
                if not self._open:
                    self._key = None
            case "comma":
                self._key = None
            case "open":
                return self._bracket(match)
            case "close":
                if self._open:
                    self._open.pop()
                self._key = None
            case "string" | "bare":
                self._leave_block(match.start())
                if self._assigns.match(self._text, end):
                    self._enter(said.strip("\"'"), match)
                elif said != "-":
                    return self._value(said), end
        return said, end

    def _bracket(self, match: re.Match[str]) -> tuple[str, int]:
        header = self._header.match(self._text, match.start())
        if header and not self._open and not self._text[self._line : match.start()].strip():
            self._table = header.group(1).rsplit(".", 1)[-1].strip(" \t\"'").lower() in _HOLDERS
            self._key, self._after_flag = None, False
            return header.group(), header.end()
        self._open.append(self._hidden() or (self._key or "").lower() in _HOLDERS)
        self._key = None
        return match.group(), match.end()

    def _enter(self, key: str, match: re.Match[str]) -> None:
        self._key, self._after_flag = key, False
        if key.lower() in _HOLDERS and not self._open and self._starts_block.match(self._text, match.end()):
            self._block = match.start() - self._line

    def _leave_block(self, start: int) -> None:
        if self._block is not None and start - self._line <= self._block:
            self._block = None

    def _hidden(self) -> bool:
        return self._open[-1] if self._open else self._table or self._block is not None

    def _value(self, said: str) -> str:
        quote = said[0] if said[0] in "\"'" else ""
        value = said.strip(quote) if quote else said
        secret = self._hidden() or announces(self._key or "") or (self._after_flag and not value.startswith("--"))
        self._after_flag = value.startswith("-") and announces(value)
        return f"{quote}{HIDDEN}{quote}" if secret and value and not is_reference(value) else said
