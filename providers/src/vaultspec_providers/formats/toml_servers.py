"""Where each server of a TOML host file stands, in whatever way it is written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.toml_document import Document
from vaultspec_providers.formats.toml_marks import Marks, find_marks
from vaultspec_providers.formats.toml_text import line_of
from vaultspec_providers.formats.toml_value import same, trimmed


class Servers(NamedTuple):
    """The servers of a document.

    `pieces`: the statements of each server by index; `loose`: servers with keys outside of tables of their own;
    `inline`: the statement `table = { ... }` where there is one.
    """

    table: str
    document: Document
    entries: Mapping[str, Any]
    pieces: Mapping[str, list[int]]
    loose: Collection[str]
    inline: int | None
    marks: Marks

    def inside(self, name: str) -> bool:
        """Whether a server stands in our region with all its lines."""
        return name in self.pieces and self.marks.inside(self.pieces[name])

    def says(self, name: str, entry: object) -> bool:
        """Whether a server is there and means the same as the entry."""
        return name in self.entries and same(trimmed(self.entries[name]), trimmed(entry))


def find_servers(document: Document, table: str, names: Collection[str], recorded: bool) -> Servers:
    """The servers below `table`, with the marker lines settled for ours, `names`. Raises HostFileError."""
    pieces: dict[str, list[int]] = {}
    root: list[int] = []
    loose: set[str] = set()
    section: tuple[str, ...] = ()
    for index, (kind, _, _, path, _, _) in enumerate(document.statements):
        if path and kind != "key":
            section = path
        if not path or path[0] != table:
            continue
        if len(path) == 1:
            root.append(index)
            continue
        pieces.setdefault(path[1], []).append(index)
        if section[:2] != path[:2]:
            loose.add(path[1])
    entries = document.data.get(table, {})
    if not isinstance(entries, dict):
        line = line_of(document.text, document.statements[root[0]].start)
        raise HostFileError(f"`{table}` is not a table of servers", line)
    inline = next((index for index in root if document.statements[index].kind == "key"), None)
    if inline is not None:
        pieces = {name: [inline] for name in entries}
        loose = set(entries)
    mine = sorted({index for name in names for index in pieces.get(name, ())})
    marks = find_marks(document.text, document.statements, mine, recorded)
    return Servers(table, document, entries, pieces, loose, inline, marks)
