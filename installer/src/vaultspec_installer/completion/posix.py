"""What bash and zsh share: walking the words before the cursor, and the arms of their `case`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .shape import Place

WALK = """\
        if [[ -n $flag ]]; then
            if [[ $word != "=" ]]; then flag=""; fi
            continue
        fi
        case "$at $word" in
            {values}) flag=$word ;;
            {steps}) at="$at $word" ;;
        esac"""
"""Needs `word`; leaves the place in `at` (a space before each word) and an option that waits for its value in `flag`."""


def walk(places: Sequence[Place]) -> str:
    """The body of the loop over the words before the cursor."""
    values = "|".join(f'"{place.at} {name}"' for place in places for name, _ in place.values)
    steps = "|".join(f'"{place.at}"' for place in places if place.path)
    return WALK.format(values=values, steps=steps)


def word_arms(places: Iterable[Place], line: Callable[[tuple[tuple[str, str], ...]], str]) -> str:
    """`"place") line ;;` for the words that may follow."""
    return _arms((place.at, line(place.words)) for place in places if place.words)


def option_arms(places: Iterable[Place], line: Callable[[tuple[tuple[str, str], ...]], str]) -> str:
    """The same for options."""
    return _arms((place.at, line(place.options)) for place in places)


def value_arms(places: Iterable[Place], line: Callable[[tuple[str, ...]], str]) -> str:
    """`"place option") line ;;` for the options whose values are known."""
    return _arms((f"{place.at} {name}", line(known)) for place in places for name, known in place.values if known)


def _arms(arms: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f'        "{pattern}") {line} ;;' for pattern, line in arms)
