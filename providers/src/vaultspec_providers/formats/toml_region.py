"""Servers as tables of a TOML host file, ours between two marker lines.

The region is a place, not a title: what is ours comes from the ownership record, and the region is restored from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from vaultspec_providers.contract import Entry, HostFileError, Reading
from vaultspec_providers.formats.toml_document import read_document
from vaultspec_providers.formats.toml_placing import rewritten
from vaultspec_providers.formats.toml_servers import Servers, find_servers
from vaultspec_providers.formats.toml_value import same


class TomlRegion(NamedTuple):
    """The `contract.Format` of servers that are members of the top-level table `table`, a bare key."""

    table: str

    def read(self, data: bytes | None, owned: Collection[str] = ()) -> Reading:
        """All servers by name, and which of them stand in our region. Raises HostFileError."""
        servers = find_servers(read_document(data), self.table, owned, bool(owned))
        region = frozenset(filter(servers.inside, servers.entries))
        lost = any(name in servers.entries and name not in region for name in owned)
        return Reading(servers.entries, region, lost or bool(servers.marks.strays))

    def apply(
        self, data: bytes | None, changes: Mapping[str, Entry | None], owned: Collection[str] = ()
    ) -> bytes | None:
        """The file after the changes, with every server of ours in one region. Raises HostFileError."""
        document = read_document(data)
        ours = {*owned, *changes}
        before = find_servers(document, self.table, ours, bool(owned))
        text = rewritten(before, changes, owned)
        if text is None:
            return data
        result = (document.bom + text).encode("utf-8")
        after = find_servers(read_document(result), self.table, ours, bool(owned))
        kept = {name: entry for name, entry in before.entries.items() if name in owned}
        _prove(before, after, {**kept, **changes})
        return result if text.strip() else None


def _prove(before: Servers, after: Servers, wanted: Mapping[str, Any]) -> None:
    """Refuse a result that says anything else than what was there with the wanted servers in one region."""
    held = all(
        name not in after.entries if entry is None else after.says(name, entry) and after.inside(name)
        for name, entry in wanted.items()
    )
    if not held:
        raise HostFileError(f"`{before.table}` would not read back as it was to be written")
    marks = before.marks.strays.union(before.marks.region or ())
    text = _foreign_text(before, wanted, marks) == _foreign_text(after, wanted, after.marks.region or ())
    if not (text and same(_foreign_data(before, wanted), _foreign_data(after, wanted))):
        raise HostFileError(f"`{before.table}` cannot be changed without touching something else in this file")


def _foreign_text(servers: Servers, ours: Collection[str], marks: Iterable[int]) -> list[str]:
    """Every line that is neither ours nor blank; the last one without its newline, which may come and go."""
    mine = set(marks).union(*(servers.pieces.get(name, ()) for name in ours))
    text = servers.document.text
    lines = [
        text[start:end]
        for index, (kind, start, end, *_) in enumerate(servers.document.statements)
        if kind != "blank" and index not in mine
    ]
    return [*lines[:-1], *(line.rstrip("\r\n") for line in lines[-1:])]


def _foreign_data(servers: Servers, ours: Collection[str]) -> dict[str, Any]:
    others = {name: entry for name, entry in servers.entries.items() if name not in ours}
    return {**servers.document.data, servers.table: others}
