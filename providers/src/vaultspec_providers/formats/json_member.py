"""Servers as members of an object in a JSON host file, e.g. `{"mcpServers": {"name": {"command": ...}}}`.

Adding appends after the last member and makes the objects on the way that are missing. Removing the last server takes
its object along, and the objects around it that hold nothing else, in the end the file: nobody can tell an empty object
that was there before from one that we made, and clients read both as no servers. Comments are somebody's; they keep
their object and their file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from vaultspec_providers.contract import Entry, HostFileError, Note, Reading
from vaultspec_providers.formats.json_edit import comments_of, foreign_comments, put, remove, splice
from vaultspec_providers.formats.json_layout import FRESH_UNIT, Layout, newline_of
from vaultspec_providers.formats.json_path import Way, find_way
from vaultspec_providers.formats.json_strict import strict_object
from vaultspec_providers.formats.json_text import BOM, JsonObject, decode
from vaultspec_providers.formats.json_value import plain, same, write


class JsonMember(NamedTuple):
    """`container` are the keys that lead from the root of the file to the object of servers."""

    container: tuple[str, ...]

    def read(self, data: bytes | None, owned: Collection[str] = ()) -> Reading:
        """See `Format.read`. Of duplicate keys the last counts, as in the clients. One note of each code at most."""
        text = decode(data)
        found: Any = strict_object(text.removeprefix(BOM))
        for key in self.container:
            found = found.get(key, {}) if isinstance(found, dict) else None
        if isinstance(found, dict):
            return Reading(found, notes=(Note("bom", 1),) if text.startswith(BOM) else ())
        way = find_way(text, self.container)
        return Reading({name: way.value(name) for name in way.names}, notes=way.document.notes)

    def apply(
        self, data: bytes | None, changes: Mapping[str, Entry | None], owned: Collection[str] = ()
    ) -> bytes | None:
        """See `Format.apply`."""
        way = find_way(decode(data), self.container)
        present = way.names
        entries = plain({name: entry for name, entry in changes.items() if entry is not None})
        wanted = {
            name: entry for name, entry in entries.items() if name not in present or not same(way.value(name), entry)
        }
        unwanted = frozenset(name for name, entry in changes.items() if entry is None and name in present)
        if not wanted and not unwanted:
            return data
        way.refuse_duplicates(wanted.keys() | unwanted)
        result = self._set(way, wanted) if wanted else way.text
        if unwanted:
            result = self._drop(find_way(result, self.container), unwanted)
        _prove(way, find_way(result, self.container), wanted, unwanted)
        return result.encode("utf-8") if result else None

    def _set(self, way: Way, wanted: Mapping[str, Any]) -> str:
        values = wanted
        for key in reversed(self.container[max(len(way.trail) - 1, 0) :]):
            values = {key: values}
        if way.trail:
            return splice(way.text, put(way.text, way.trail, values))
        newline = newline_of(way.text)
        fresh = write(values, Layout(True, newline, "", FRESH_UNIT, ": ")) + newline
        if not way.document.comments:
            return (BOM if way.text.startswith(BOM) else "") + fresh
        return way.text + ("" if way.text.endswith(("\r", "\n")) else newline) + fresh

    def _drop(self, way: Way, unwanted: frozenset[str]) -> str:
        """The text without the servers and without the objects that this empties; an empty text when nothing is left."""
        trail, gone = list(way.trail), unwanted
        while len(trail) > 1 and _holds_only(trail[-1], gone):
            owner = trail[-2].by_key[self.container[len(trail) - 2]]
            if comments_of(trail[-2], owner):
                break
            trail.pop()
            gone = frozenset((owner.key,))
        if len(trail) == 1 and _holds_only(trail[0], gone) and not way.document.comments:
            return ""
        return splice(way.text, remove(way.text, trail[-1], gone))


def _prove(before: Way, after: Way, wanted: Mapping[str, Any], unwanted: frozenset[str]) -> None:
    """Raises HostFileError unless the named servers read back and everything else is spelled as it was."""
    names = unwanted.union(wanted)
    if before.others(names) != after.others(names):
        raise HostFileError("the edit would change more than our own entries")
    if not after.names.isdisjoint(unwanted) or not wanted.keys() <= after.names:
        raise HostFileError("the edit would not set or remove every entry")
    if not all(same(after.value(name), entry) for name, entry in wanted.items()):
        raise HostFileError("an entry would not read back as it was written")


def _holds_only(target: JsonObject, keys: frozenset[str]) -> bool:
    return not foreign_comments(target, keys) and all(member.key in keys for member in target.members)
