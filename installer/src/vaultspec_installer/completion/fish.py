"""Completion for fish, with what each word does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .shape import Place

SCRIPT = """\
# vaultspec-core completion for fish. Load it with: vaultspec-core completion fish | source
function __vaultspec_core_complete
    set -l at
    set -l flag
    set -l prefix
    for word in (commandline -opc)[2..-1]
        if test -n "$flag"
            set flag
            continue
        end
        switch "$at $word"
            case {values}
                set flag $word
            case {steps}
                set at "$at $word"
        end
    end
    set -l cur (commandline -ct)
    if test -z "$flag"; and string match -qr -- '^--[^=]+=' $cur
        set flag (string split -m1 = -- $cur)[1]
        set prefix "$flag="
    end
    if test -n "$flag"
        switch "$at $flag"
{known}
            case '*'
                __fish_complete_path (string replace -r -- '^--[^=]+=' '' $cur)
        end
    else if string match -q -- '-*' $cur
        switch "$at"
{options}
        end
    else
        switch "$at"
{words}
            case '*'
                __fish_complete_path $cur
        end
    end
end
complete -c vaultspec-core -f -a '(__vaultspec_core_complete)'
"""


def script(places: Sequence[Place]) -> str:
    """The script. A word without known values falls back to file names."""
    values = [f"{place.at} {name}" for place in places for name, _ in place.values]
    known = ((f"{place.at} {name}", [(word, "") for word in words]) for place in places for name, words in place.values)
    return SCRIPT.format(
        values=" ".join(map(_quoted, values)),
        steps=" ".join(_quoted(place.at) for place in places if place.path),
        known=_arms((pattern, pairs) for pattern, pairs in known if pairs),
        options=_arms((place.at, place.options) for place in places),
        words=_arms((place.at, place.words) for place in places if place.words),
    )


def _arms(arms: Iterable[tuple[str, Sequence[tuple[str, str]]]]) -> str:
    return "\n".join(line for pattern, pairs in arms for line in _arm(pattern, pairs))


def _arm(pattern: str, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    lines = (f"{word}\t{text}" if text else word for word, text in pairs)
    yield f"            case {_quoted(pattern)}"
    yield f'                printf "$prefix%s\\n" {" ".join(map(_quoted, lines))}'


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
