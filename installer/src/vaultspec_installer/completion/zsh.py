"""Completion for zsh, with what each word does."""

from __future__ import annotations

from collections.abc import Sequence

from .posix import option_arms, value_arms, walk, word_arms
from .shape import Place

SCRIPT = """\
#compdef vaultspec-core
# vaultspec-core completion for zsh. Load it with: source <(vaultspec-core completion zsh), after compinit,
# or save it as `_vaultspec-core` in a folder of $fpath.
_vaultspec_core() {{
    local at="" flag="" word i
    local -a found
    for ((i = 2; i < CURRENT; i++)); do
        word=${{words[i]}}
{walk}
    done
    if [[ -z $flag && $PREFIX == --*=* ]]; then
        flag=${{PREFIX%%=*}}
        compset -P '*='
    fi
    if [[ -n $flag ]]; then
        case "$at $flag" in
{values}
        esac
    elif [[ $PREFIX == -* ]]; then
        case "$at" in
{options}
        esac
    else
        case "$at" in
{words}
        esac
    fi
    if (( $#found )); then _describe 'vaultspec-core' found; else _files; fi
}}
if [[ $funcstack[1] == _vaultspec-core ]]; then _vaultspec_core "$@"; else compdef _vaultspec_core vaultspec-core; fi
"""


def script(places: Sequence[Place]) -> str:
    """The script. A word without known values falls back to file names."""
    return SCRIPT.format(
        walk=walk(places),
        values=value_arms(places, lambda known: _found([(word, "") for word in known])),
        options=option_arms(places, _found),
        words=word_arms(places, _found),
    )


def _found(pairs: Sequence[tuple[str, str]]) -> str:
    return f"found=({' '.join(_quoted(f'{word}:{text}' if text else word) for word, text in pairs)})"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
