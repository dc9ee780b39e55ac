"""Completion for bash, also the 3.2 that macOS brings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .posix import option_arms, value_arms, walk, word_arms
from .shape import Place

SCRIPT = """\
# vaultspec-core completion for bash. Load it with: source <(vaultspec-core completion bash)
_vaultspec_core() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} at="" flag="" found="" word i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${{COMP_WORDS[i]}}
{walk}
    done
    if [[ $cur == "=" ]]; then cur=""; fi
    if [[ -n $flag ]]; then
        case "$at $flag" in
{values}
        esac
    elif [[ $cur == -* ]]; then
        case "$at" in
{options}
        esac
    else
        case "$at" in
{words}
        esac
    fi
    COMPREPLY=($(compgen -W "$found" -- "$cur"))
}}
complete -o bashdefault -o default -F _vaultspec_core vaultspec-core
"""


def script(places: Sequence[Place]) -> str:
    """The script. A word without known values falls back to file names."""
    return SCRIPT.format(
        walk=walk(places),
        values=value_arms(places, _found),
        options=option_arms(places, lambda pairs: _found(word for word, _ in pairs)),
        words=word_arms(places, lambda pairs: _found(word for word, _ in pairs)),
    )


def _found(words: Iterable[str]) -> str:
    return f'found="{" ".join(words)}"'
