"""Which verbs a phrase means: BM25 over a verb's words, summary, options and operands, with the words that people use for ours."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from vaultspec_core.mcp_server.gateway_catalogue import BLOCKED, Entry
from vaultspec_core.mcp_server.gateway_vocabulary import IGNORED, SAID_FOR

WORDS, SUMMARY, DETAILS = 4.0, 1.5, 0.3
"""What a word counts for, by where it stands."""

SATURATION, LENGTH = 3.0, 0.3
NAMED = 5.0
"""Added where the whole phrase is a part of the verb's words, by how large a part it is."""

MEANT = 0.6
"""What a word counts for that was not said but is another word for what was."""


def rank(query: str, entries: Sequence[Entry]) -> list[tuple[float, Entry]]:
    """Verbs with their scores, best first, equals by name; verbs that share nothing with the query are left out."""
    wanted = _wanted(query)
    bags = [_bag(entry) for entry in entries]
    lengths = [sum(bag.values()) for bag in bags]
    average = sum(lengths) / len(lengths) if lengths else 1.0
    rarity = {term: _rarity(sum(term in bag for bag in bags), len(bags)) for term in wanted}
    phrase = " ".join(query.lower().split())
    scored = []
    for entry, bag, length in zip(entries, bags, lengths, strict=True):
        room = SATURATION * (1 - LENGTH + LENGTH * length / average)
        score = sum(
            weight * rarity[term] * bag[term] * (SATURATION + 1) / (bag[term] + room)
            for term, weight in wanted.items()
            if term in bag
        )
        score += NAMED * len(phrase) / len(entry.verb) if phrase in entry.verb else 0.0
        if score > 0:
            scored.append((round(score, 2), entry))
    return sorted(scored, key=lambda pair: (-pair[0], pair[1].verb))


def _rarity(holding: int, total: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _wanted(query: str) -> dict[str, float]:
    """Terms and their weights: those said, and those meant by them."""
    said = [term for term in _terms(query) if term not in _IGNORED]
    wanted = dict.fromkeys(said, 1.0)
    for term in said:
        for ours in _MEANT.get(term, ()):
            wanted.setdefault(ours, MEANT)
    return wanted


def _bag(entry: Entry) -> dict[str, float]:
    """The weight of each term of a verb."""
    details = [f"{flag.name} {flag.help}" for flag in entry.flags if flag.name not in BLOCKED]
    details += [f"{operand.name} {operand.help}" for operand in entry.arguments]
    bag: dict[str, float] = {}
    for text, weight in ((entry.verb, WORDS), (entry.description, SUMMARY)):
        for term in _terms(text):
            bag[term] = bag.get(term, 0.0) + weight
    for term in {term for text in details for term in _terms(text)}:
        bag[term] = bag.get(term, 0.0) + DETAILS
    return bag


def _terms(text: str) -> list[str]:
    return [_stem(word) for word in re.findall(r"[a-z0-9]+", text.lower())]


def _stem(word: str) -> str:
    """A word without its commonest English endings, so that `documents` finds `document` and `archived` finds `archive`."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word[: -len(ending)]
            break
    return word


_IGNORED = frozenset(_terms(IGNORED))
_MEANT: dict[str, list[str]] = {}
for _ours, _said in SAID_FOR.items():
    for _term in _terms(_said):
        _MEANT.setdefault(_term, []).append(_stem(_ours))
