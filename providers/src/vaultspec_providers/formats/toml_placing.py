"""The text of a TOML host file after a change of servers: ours go into one region, in order; nobody else's line moves.

Law: what putting the first server into a file adds, taking it out again removes to the byte.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from vaultspec_providers.contract import Entry, HostFileError
from vaultspec_providers.formats.toml_marks import CLOSING, OPENING
from vaultspec_providers.formats.toml_rewrite import Rewrite
from vaultspec_providers.formats.toml_servers import Servers
from vaultspec_providers.formats.toml_text import line_of
from vaultspec_providers.formats.toml_value import render_table


def rewritten(servers: Servers, changes: Mapping[str, Entry | None], owned: Collection[str]) -> str | None:
    """The text with all changes made and our servers in one region; None when nothing differs. Raises HostFileError."""
    here, document = servers.entries, servers.document
    edit = Rewrite(document.text, document.statements)
    edit.gone.update(servers.marks.strays)
    written = {name: entry for name, entry in changes.items() if entry is not None}
    removed = {name for name, entry in changes.items() if entry is None and name in here}
    staying = written.keys() | {name for name in owned if name in here} - removed
    _refuse_inline(servers, removed | staying)
    region = servers.marks.region
    blocks: dict[str, str] = {}
    for name in sorted(staying):
        entry = written.get(name)
        if entry is None or servers.says(name, entry):
            if not servers.inside(name):
                blocks[name] = _as_it_is(servers, name, edit)
            continue
        place = (servers.table, name)
        if not (servers.inside(name) and edit.refresh(place, servers.pieces[name], here[name], entry)):
            blocks[name] = render_table(*place, entry, edit.newline)
    anchor = None if region else _anchor(servers, [name for name in blocks if name in owned and name in here])
    for name in sorted(here.keys() & (removed | blocks.keys())):
        pieces = servers.pieces[name]
        edit.drop(pieces)
        if servers.inside(name):
            edit.close_gap_in_region(pieces[0], pieces[-1])
        elif name in owned and pieces[0] != anchor:
            edit.close_gap(pieces[0], pieces[-1])
    if region and blocks:
        _into_region(servers, region, blocks, edit)
    elif region and not any(map(servers.inside, staying)):
        return _without_region(region, edit)
    elif blocks:
        return _with_region(blocks, anchor, edit)
    return edit.result() if edit else None


def _refuse_inline(servers: Servers, touched: Collection[str]) -> None:
    """One inline table for all servers is closed to tables of ours; it may only go as a whole."""
    if servers.inline is None or not touched or (servers.entries and servers.entries.keys() <= set(touched)):
        return
    start = servers.document.statements[servers.inline].start
    way_out = f"write each of its servers as `[{servers.table}.NAME]`" if servers.entries else "remove the line"
    raise HostFileError(
        f"`{servers.table}` is one inline table, beside which no table can stand: {way_out}",
        line_of(servers.document.text, start),
    )


def _as_it_is(servers: Servers, name: str, edit: Rewrite) -> str:
    """The lines of a server for another place; one that was no table of its own becomes one."""
    pieces, value = servers.pieces[name], servers.entries[name]
    if name not in servers.loose:
        return edit.lines(edit.extent(pieces))
    if isinstance(value, Mapping):
        return render_table(servers.table, name, value, edit.newline)
    start = edit.statements[pieces[0]].start
    raise HostFileError(f"`{servers.table}.{name}` is not a table", line_of(edit.text, start))


def _into_region(servers: Servers, region: tuple[int, int], blocks: Mapping[str, str], edit: Rewrite) -> None:
    """Each block before the next server by name; behind the last one where no foreign key would be captured."""
    opening, closing = region
    standing = [
        (pieces[0], name)
        for name, pieces in servers.pieces.items()
        if opening < pieces[0] < closing and pieces[0] not in edit.gone and edit.statements[pieces[0]].kind != "key"
    ]
    headers = [
        at for at in range(opening, closing) if at not in edit.gone and edit.statements[at].kind in ("table", "array")
    ]
    content = any(at not in edit.gone and not edit.blank(at) for at in range(opening + 1, closing))
    after = next(
        (it.kind for at, it in enumerate(edit.statements) if at > closing and it.path and at not in edit.gone), None
    )
    for name in sorted(blocks):
        following = min((at for at, other in standing if other > name), default=headers[0] if after == "key" else None)
        if following is not None:
            floor = max(at for at in servers.marks.lines if at < following)
            edit.put(edit.lead(following, floor), blocks[name] + edit.newline)
        else:
            edit.put(closing, (edit.newline if content else "") + blocks[name])
        content = True


def _without_region(region: tuple[int, int], edit: Rewrite) -> str | None:
    """Take the marker lines away when nothing is left between them, and the blank line that came with them."""
    opening, closing = region
    if all(at in edit.gone or edit.blank(at) for at in range(opening + 1, closing)):
        edit.gone.update(range(opening, closing + 1))
        edit.close_gap(opening, closing)
        if closing + 1 == len(edit.statements) and not edit.text.endswith("\n"):
            return edit.result().removesuffix("\n").removesuffix("\r")
    return edit.result() if edit else None


def _anchor(servers: Servers, names: Collection[str]) -> int | None:
    """Where the first of these servers has a table of its own: a region there undoes a client's rewriting in place."""
    firsts = sorted(servers.pieces[name][0] for name in names)
    for at in firsts:
        within_other = any(opening < at < closing for opening, closing in servers.marks.others)
        if servers.document.statements[at].kind != "key" and not within_other:
            return at
    return None


def _with_region(blocks: Mapping[str, str], anchor: int | None, edit: Rewrite) -> str:
    """Make a region at the anchor, else at the end after one blank line; an end without newline stays one."""
    newline = edit.newline
    region = OPENING + newline + newline.join(blocks[name] for name in sorted(blocks)) + CLOSING
    if anchor is not None:
        edit.put(anchor, region + newline)
        return edit.result()
    text = edit.result()
    if not text.strip():
        return text + (newline if text and not text.endswith("\n") else "") + region + newline
    if text.endswith("\n"):
        return text + newline + region + newline
    return text + newline + newline + region
