"""The way through a JSON text from its root to the object that holds the servers, and all that stands beside it."""

from __future__ import annotations

from collections.abc import Collection, Set
from typing import Any, NamedTuple

from vaultspec_providers.formats.json_edit import foreign_comments
from vaultspec_providers.formats.json_scan import Scanner
from vaultspec_providers.formats.json_text import Document, JsonObject, fault, kind, position
from vaultspec_providers.formats.json_value import value_of


class Way(NamedTuple):
    """`trail` are the objects on the way, the root first, as far as they exist; `keys` lead from each to the next."""

    text: str
    keys: tuple[str, ...]
    document: Document
    trail: tuple[JsonObject, ...]

    @property
    def servers(self) -> JsonObject | None:
        """The object at the end of the way."""
        return self.trail[-1] if len(self.trail) > len(self.keys) else None

    @property
    def names(self) -> Set[str]:
        """The servers that are present."""
        return self.servers.by_key.keys() if self.servers else frozenset()

    def value(self, name: str) -> Any:
        """The value of a server that is present."""
        member = self.trail[-1].by_key[name]
        return value_of(self.text[member.value : member.end])

    def others(self, names: frozenset[str]) -> list[tuple[int, str, str]]:
        """Everything beside the way and the named servers as it is spelled: level, key, value or comment."""
        text = self.text
        found = [(-1, "", text[start:end]) for start, end in self.document.comments]
        for level, target in enumerate(self.trail):
            ours = names if target is self.servers else frozenset[str]()
            skipped = ours.union(self.keys[level : level + 1])
            found += [(level, "", text[start:end]) for start, end in foreign_comments(target, ours)]
            found += [
                (level, text[member.start : member.value], text[member.value : member.end])
                for member in target.members
                if member.key not in skipped
            ]
        return found

    def refuse_duplicates(self, names: Collection[str]) -> None:
        """Raises HostFileError when the way or one of the named servers stands there twice."""
        for level, target in enumerate(self.trail):
            watched = names if target is self.servers else self.keys[level : level + 1]
            first: dict[str, int] = {}
            for member in target.members:
                if member.key in first:
                    line, _ = position(self.text, first[member.key])
                    reason = f"`{member.key}` stands here a second time (first on line {line}); keep one of them"
                    raise fault(self.text, member.start, reason)
                if member.key in watched:
                    first[member.key] = member.start


def find_way(text: str, keys: tuple[str, ...]) -> Way:
    """Scan the text and walk the keys. Raises HostFileError for what is not JSON, or not an object on the way."""
    scanner = Scanner(text)
    document = scanner.document()
    trail: list[JsonObject] = [document.root] if document.root else []
    for key in keys if trail else ():
        member = trail[-1].by_key.get(key)
        if member is None:
            break
        if text[member.value] != "{":
            raise fault(text, member.value, f"`{key}` must be an object, not {kind(text, member.value)}")
        trail.append(scanner.object(member.value))
    return Way(text, keys, document, tuple(trail))
