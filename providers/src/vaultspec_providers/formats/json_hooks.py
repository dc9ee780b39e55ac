"""Hooks in a JSON host file: groups in one array per event, e.g. `{"hooks": {"Stop": [{"matcher": "", "hooks": [{"command": ...}]}]}}`.

A hook of ours is a group of its own at the end of its event's array, so that no foreign group is ever changed. The last
group takes its array along, as the last server does with its object (`json_member`). Timeouts are seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from vaultspec_providers.contract import Entry, Hook, HostFileError
from vaultspec_providers.formats.json_edit import append, foreign_comments, remove, splice
from vaultspec_providers.formats.json_member import JsonMember
from vaultspec_providers.formats.json_path import Way, find_way
from vaultspec_providers.formats.json_scan import Scanner
from vaultspec_providers.formats.json_text import JsonObject, decode, fault, kind
from vaultspec_providers.formats.json_value import plain, same, value_of, write

_KEY = "hooks"


class _Groups(NamedTuple):
    """The array of one event in a text."""

    way: Way
    array: JsonObject

    def value(self, key: str) -> Any:
        return value_of(self.spelled(key))

    def spelled(self, key: str) -> str:
        member = self.array.by_key[key]
        return self.way.text[member.value : member.end]

    def others(self, ours: frozenset[str] = frozenset()) -> list[str]:
        """The groups that are not named and the comments between groups, as they are spelled."""
        text = self.way.text
        said = [text[start:end] for start, end in foreign_comments(self.array, ours)]
        return said + [self.spelled(member.key) for member in self.array.members if member.key not in ours]


class JsonHooks(NamedTuple):
    """`events`: the client's name of each neutral event that it knows."""

    events: Mapping[str, str]

    def entry(self, hook: Hook) -> Entry | None:
        """See `HookFormat.entry`."""
        if hook.event not in self.events:
            return None
        command: dict[str, Any] = {"type": "command", "command": hook.command}
        if hook.timeout is not None:
            command["timeout"] = hook.timeout
        group = {"matcher": hook.matcher} if hook.matcher else {}
        return {"event": self.events[hook.event], "group": {**group, _KEY: [command]}}

    def read(self, data: bytes | None) -> list[Entry]:
        """See `HookFormat.read`. An event that holds no array has no hooks."""
        found = JsonMember((_KEY,)).read(data).entries
        return [
            {"event": event, "group": group}
            for event, groups in found.items()
            if isinstance(groups, list)
            for group in groups
        ]

    def apply(self, data: bytes | None, remove: Sequence[Entry], add: Sequence[Entry]) -> bytes | None:
        """See `HookFormat.apply`. Adding comes first, so that an array or a file that is needed does not go in between."""
        for entry in add:
            data = _with(data, entry["event"], plain(entry["group"]))
        for entry in remove:
            data = _without(data, entry["event"], plain(entry["group"]))
        return data


def _with(data: bytes | None, event: str, group: Any) -> bytes | None:
    before = _groups(data, event)
    if before is None:
        groups: Any = [group]
        return JsonMember((_KEY,)).apply(data, {event: groups})
    way = before.way
    edits = append(way.text, (*way.trail, before.array), lambda layout: write(group, layout))
    result = splice(way.text, edits).encode("utf-8")
    after = _groups(result, event)
    new = frozenset({str(len(before.array.members))})
    if after is None or after.others(new) != before.others() or not same(after.value(*new), group):
        raise HostFileError("the edit would change more than our own hook")
    return _proven(before, after, event, result)


def _without(data: bytes | None, event: str, group: Any) -> bytes | None:
    """Without the last equal group; the same bytes where there is none."""
    found = _groups(data, event)
    equal = [member.key for member in found.array.members if same(found.value(member.key), group)] if found else []
    if found is None or not equal:
        return data
    gone = frozenset({equal[-1]})
    if len(found.array.members) == 1 and not foreign_comments(found.array, gone):
        return JsonMember((_KEY,)).apply(data, {event: None})
    result = splice(found.way.text, remove(found.way.text, found.array, gone)).encode("utf-8")
    after = _groups(result, event)
    if after is None or after.others() != found.others(gone):
        raise HostFileError("the edit would change more than our own hook")
    return _proven(found, after, event, result)


def _proven(before: _Groups, after: _Groups, event: str, result: bytes) -> bytes:
    """Raises HostFileError unless everything beside the event is spelled as it was."""
    if before.way.others(frozenset({event})) != after.way.others(frozenset({event})):
        raise HostFileError("the edit would change more than our own hook")
    return result


def _groups(data: bytes | None, event: str) -> _Groups | None:
    """The event's array; None where there is none. Raises HostFileError for what is no array, or stands there twice."""
    text = decode(data)
    way = find_way(text, (_KEY,))
    way.refuse_duplicates({event})
    if event not in way.names:
        return None
    start = way.trail[-1].by_key[event].value
    if text[start] != "[":
        raise fault(text, start, f"`{event}` must be an array, not {kind(text, start)}")
    return _Groups(way, Scanner(text).array(start))
