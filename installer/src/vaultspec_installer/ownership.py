"""The ownership record: which entry in which host file we wrote, and the fingerprint of what we wrote.

Format version 1, shared with earlier releases: `targets` by key (`PROVIDER:SCOPE`; user scope adds the host file's path), each with
`provider`, `scope`, `path` and `managed` (name -> SHA-256 of the entry as parsed, null when it was never fingerprinted).
We add, and earlier readers ignore: `pending` (fingerprints that a write under way is about to leave), `former` (those of what we
wrote before, for a client that had read the file by then and writes it back) and, at local and user scope, `owners` (name -> real
path of the workspace that enrolled it). What a moved workspace left behind at local scope has a
key of its own, with the folder that is gone after the scope.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vaultspec_core.report import Refusal

from .digest import digest

FILE = "mcp-ownership.json"
_KNOWN = frozenset({"provider", "scope", "path", "managed", "pending", "former", "owners"})
FORMER_KEPT = 3
REPAIR = "vaultspec-core spec mcps sync --repair-ownership"


def fingerprint(entry: object) -> str:
    """SHA-256 of the parsed entry as canonical JSON: keys sorted, no spaces, ASCII. Independent of host and layout."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), default=str)
    return digest(text.encode("utf-8", "surrogatepass"))


class Record:
    """What we own at one target. `others`: keys of the file that we do not know, kept."""

    def __init__(
        self,
        provider: str,
        scope: str,
        path: str,
        managed: Mapping[str, str | None] | None = None,
        pending: Mapping[str, str] | None = None,
        owners: Mapping[str, str] | None = None,
        former: Mapping[str, list[str]] | None = None,
        others: Mapping[str, Any] | None = None,
    ) -> None:
        self.provider = provider
        self.scope = scope
        self.path = path
        self.managed = dict(managed or {})
        self.pending = dict(pending or {})
        self.owners = dict(owners or {})
        self.former = dict(former or {})
        self.others = dict(others or {})

    def accepts(self, name: str) -> frozenset[str]:
        """Fingerprints that prove an entry to be as we left it: the confirmed one, that of a write under way, and former ones."""
        marks = (self.managed.get(name), self.pending.get(name), *self.former.get(name, ()))
        return frozenset(mark for mark in marks if mark)

    def confirm(self, name: str, mark: str) -> None:
        """This is what stands there now; the one before is remembered."""
        before = self.managed.get(name)
        self.managed[name] = mark
        former = [old for old in dict.fromkeys([before, *self.former.pop(name, ())]) if old and old != mark]
        if former:
            self.former[name] = former[:FORMER_KEPT]

    def forget(self, name: str) -> None:
        for said in (self.managed, self.pending, self.owners, self.former):
            said.pop(name, None)


class Ownership:
    """One ownership file. `believed` False: git tracks it, so that it says nothing about this machine."""

    def __init__(
        self,
        path: Path,
        records: Mapping[str, Record] | None = None,
        others: Mapping[str, Any] | None = None,
        believed: bool = True,
    ) -> None:
        self.path = path
        self.records = dict(records or {})
        self.others = dict(others or {})
        self.believed = believed

    def record(self, key: str, provider: str, scope: str, path: Path) -> Record:
        """The target's record, a new one when there is none."""
        return self.records.setdefault(key, Record(provider, scope, str(path)))

    def to_bytes(self) -> bytes | None:
        """The file's text; None when nothing is owned, so that it should go."""
        targets = {key: _said(record) for key, record in self.records.items() if record.managed or record.pending}
        if not targets and not self.others:
            return None
        document = {**self.others, "targets": targets, "version": 1}
        return (json.dumps(document, indent=2, sort_keys=True) + "\n").encode()


def _said(record: Record) -> dict[str, Any]:
    said: dict[str, Any] = {
        **record.others,
        "managed": record.managed,
        "path": record.path,
        "provider": record.provider,
        "scope": record.scope,
    }
    if record.pending:
        said["pending"] = record.pending
    former = {name: marks for name, marks in record.former.items() if name in record.managed}
    if former:
        said["former"] = former
    owners = {name: owner for name, owner in record.owners.items() if name in record.managed or name in record.pending}
    if owners:
        said["owners"] = owners
    return said


def parse(path: Path, data: bytes | None) -> Ownership:
    """The record that the bytes hold; an empty one without a file. Raises Refusal `bad-ownership`, which names what is wrong."""
    if data is None:
        return Ownership(path)
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise _bad(path, f"it is not JSON ({error.__class__.__name__})") from error
    if not isinstance(document, dict):
        raise _bad(path, "its root is not an object")
    version = document.get("version")
    if isinstance(version, bool) or version != 1:
        raise _bad(path, f"its version is {version!r}, this release knows 1")
    targets = document.get("targets")
    if not isinstance(targets, dict):
        raise _bad(path, "`targets` is not an object")
    others = {key: value for key, value in document.items() if key not in ("version", "targets")}
    return Ownership(path, {key: _record(path, key, said) for key, said in targets.items()}, others)


def _record(path: Path, key: str, said: object) -> Record:
    if not isinstance(said, dict):
        raise _bad(path, f"`targets/{key}` is not an object")
    managed = _names(path, key, "managed", said.get("managed", {}), bare=True)
    for word in ("provider", "scope", "path"):
        if not isinstance(said.get(word), str):
            raise _bad(path, f"`targets/{key}/{word}` is not a string")
    pending = _names(path, key, "pending", said.get("pending", {}), bare=False)
    former = said.get("former", {})
    if not isinstance(former, dict) or not all(
        isinstance(old, list) and all(map(_is_mark, old)) for old in former.values()
    ):
        raise _bad(path, f"`targets/{key}/former` does not map names to lists of SHA-256 fingerprints")
    owners = said.get("owners", {})
    if not isinstance(owners, dict) or not all(isinstance(owner, str) for owner in owners.values()):
        raise _bad(path, f"`targets/{key}/owners` does not map names to paths")
    return Record(
        said["provider"],
        said["scope"],
        said["path"],
        managed,
        {name: mark for name, mark in pending.items() if mark},
        dict(owners),
        former,
        {word: value for word, value in said.items() if word not in _KNOWN},
    )


def _names(path: Path, key: str, word: str, said: object, *, bare: bool) -> dict[str, str | None]:
    if not isinstance(said, dict):
        raise _bad(path, f"`targets/{key}/{word}` is not an object")
    for name, mark in said.items():
        if not (_is_mark(mark) or (bare and mark is None)):
            raise _bad(path, f"`targets/{key}/{word}/{name}` is not a SHA-256 fingerprint")
    return dict(said)


def _is_mark(mark: object) -> bool:
    return isinstance(mark, str) and len(mark) == 64 and set(mark) <= set("0123456789abcdef")


def _bad(path: Path, what: str) -> Refusal:
    return Refusal("bad-ownership", f"the ownership record {path} cannot be used: {what}", REPAIR)
