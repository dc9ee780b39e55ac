"""Help, written from the table: the commands, a group of them, or one with its options and an example."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from vaultspec_core.load import load
from vaultspec_core.report import Report
from vaultspec_core.verb import Call, Flag, Operand, Verb

from ._version import __version__
from .parser import HELP, JSON, TARGET, VERSION, flags_of
from .table import all_verbs, find_verb

PROGRAM = "vaultspec-core"
ABOUT = "Write, track and converge the MCP servers of every client, and look after the vault they serve."
EXIT_CODES = (
    (0, "done"),
    (1, "findings, or it could not be done"),
    (2, "wrong usage"),
    (3, "a fault of ours; the message names a report"),
    (130, "stopped by SIGINT"),
    (143, "stopped by SIGTERM"),
)
WIDTH = 80

Rows = Iterable[tuple[str, str]]


def show(call: Call) -> Report:
    """The help of a command, of a group, or of the whole. Raises Refusal `usage` for words that are neither."""
    words = tuple(call["command"])
    verb = find_verb(words)
    if verb is not None:
        text = verb_help(verb)
    else:
        below = [verb for verb in all_verbs() if verb.words[: len(words)] == words and not verb.hidden]
        if not below:
            raise load("vaultspec_installer.usage:unknown_command")(words)
        text = group_help(words, below) if words else root_help(below)
    return Report("ok", {"text": text}, text=text)


def version(call: Call) -> Report:
    """The version of this distribution."""
    return Report("ok", {"version": __version__}, text=f"{PROGRAM} {__version__}\n")


def root_help(verbs: Sequence[Verb]) -> str:
    """The commands of one word with their summaries, the groups with the words of their commands."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for verb in verbs:
        groups.setdefault(verb.words[:-1], []).append(verb.words[-1])
    return _page(
        ABOUT,
        f"Usage: {PROGRAM} [--target DIR] COMMAND ...",
        ("Commands:", [(verb.name, verb.summary) for verb in verbs if len(verb.words) == 1]),
        (
            f"Groups ({PROGRAM} GROUP --help):",
            [(" ".join(words), ", ".join(groups[words])) for words in groups if words],
        ),
        ("Options:", map(_flag_row, (TARGET, JSON, HELP, VERSION))),
        ("Exit codes:", [(str(code), meaning) for code, meaning in EXIT_CODES]),
    )


def group_help(words: Sequence[str], verbs: Sequence[Verb]) -> str:
    """The commands of a group and of the groups in it, each with its summary."""
    return _page(
        f"Usage: {PROGRAM} {' '.join(words)} COMMAND ...",
        ("Commands:", [(" ".join(verb.words[len(words) :]), verb.summary) for verb in verbs]),
        f"`{PROGRAM} {' '.join(words)} COMMAND --help` tells more about one.",
    )


def verb_help(verb: Verb) -> str:
    """Everything that the table says of a command."""
    return _page(
        verb.summary,
        f"Deprecated: {verb.deprecated}" if verb.deprecated else "",
        f"Usage: {usage(verb)}",
        ("Operands:", [(operand.name.upper(), explained(operand)) for operand in verb.operands]),
        ("Options:", map(_flag_row, (*flags_of(verb), HELP))),
        ("Example:", [(verb.example, "")]),
        ("Exit codes:", [(str(code), meaning) for code, meaning in verb.exits]),
    )


def usage(verb: Verb) -> str:
    """The shape of a command line of the verb."""
    return " ".join([PROGRAM, *verb.words, "[OPTIONS]", *map(_operand_word, verb.operands)])


def _operand_word(operand: Operand) -> str:
    word = operand.name.upper() + ("..." if operand.variadic else "")
    return word if operand.required else f"[{word}]"


def flag_words(flag: Flag) -> str:
    """An option as it is written: `-t, --target DIR`, `--[no-]hints`."""
    name = f"--[no-]{flag.name.removeprefix('--')}" if flag.negatable else flag.name
    value = f" {flag.value}" if flag.value else ""
    return (f"{flag.short}, " if flag.short else "") + name + value + (" ..." if flag.many else "")


def explained(word: Flag | Operand) -> str:
    """What an option or operand means, with its choices and default."""
    parts = [word.help, f"One of {', '.join(word.choices)}." if word.choices else ""]
    if isinstance(word, Flag):
        has_default = word.value and word.default not in (None, "", (), [])
        parts += [f"Default: {word.default}." if has_default else "", "May be repeated." if word.many else ""]
    return " ".join(filter(None, parts))


def _flag_row(flag: Flag) -> tuple[str, str]:
    return flag_words(flag), explained(flag)


def _page(*parts: str | tuple[str, Rows]) -> str:
    """Paragraphs and titled two-column lists, one blank line between; what is empty is left out."""
    return "\n".join(text for part in parts if (text := _paragraph(part)))


def _paragraph(part: str | tuple[str, Rows]) -> str:
    if isinstance(part, str):
        return textwrap.fill(part, WIDTH, subsequent_indent="  ", break_on_hyphens=False) + "\n" if part else ""
    title, rows = part[0], list(part[1])
    if not rows:
        return ""
    column = min(max(len(left) for left, _ in rows), 26)
    return "".join([f"{title}\n", *(line for left, right in rows for line in _row(left, right, column))])


def _row(left: str, right: str, column: int) -> Iterator[str]:
    lines = textwrap.wrap(right, WIDTH - column - 4, break_on_hyphens=False) or [""]
    if len(left) > column and right:
        yield f"  {left}\n"
        left = ""
    for line in lines:
        yield f"  {left.ljust(column)}  {line}".rstrip() + "\n"
        left = ""
