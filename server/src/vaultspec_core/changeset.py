"""Files as they will be: an overlay over the disk that a verb fills and then commits, or only shows (`--dry-run`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from vaultspec_core.files import Change as Change
from vaultspec_core.files import Disk
from vaultspec_core.transaction import carry_out


class Changeset:
    """Reads fall through to the disk once and are remembered; writes stay here until `commit`."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._before: dict[Path, bytes | None] = {}
        self._after: dict[Path, bytes | None] = {}
        self._private: set[Path] = set()

    def read(self, path: Path) -> bytes | None:
        """The file as it will be; None when there will be none."""
        if path in self._after:
            return self._after[path]
        if path not in self._before:
            self._before[path] = self._disk.read(path)
        return self._before[path]

    def write(self, path: Path, data: bytes, *, private: bool = False) -> None:
        """Set the file's bytes."""
        self.read(path)
        self._after[path] = data
        if private:
            self._private.add(path)

    def create(self, path: Path, data: bytes) -> None:
        """Set the bytes of a file that must not exist. Raises FileExistsError."""
        if self.read(path) is not None:
            raise FileExistsError(str(path))
        self.write(path, data)

    def remove(self, path: Path) -> None:
        """The file goes (no fault if there is none)."""
        self.read(path)
        self._after[path] = None

    def rename(self, old: Path, new: Path) -> None:
        """Move a file onto a free name; one that only its owner may read stays so. Raises FileNotFoundError, FileExistsError."""
        data = self.read(old)
        if data is None:
            raise FileNotFoundError(str(old))
        self.create(new, data)
        self.remove(old)
        if old in self._private or self._disk.is_private(old):
            self._private.update((old, new))

    def changes(self) -> list[Change]:
        """What differs from the disk as it was read, in the order of the first write."""
        return [
            Change(path, self._before.get(path), after, path in self._private)
            for path, after in self._after.items()
            if self._before.get(path) != after
        ]

    def commit(self, journal: Path | None = None) -> list[Change]:
        """Write all changes and give them. The caller holds the lock of the folders, which are swept of what a kill left there.

        Without a journal the files are written in order, each of them whole; Changed or Refusal at one leaves those before
        it written. A caller then reads into a new changeset and commits that: what is written already is no change any more.
        With one (`FOLDER/data/NAME`, see `transaction`) all files are written or none; all lie in FOLDER.
        """
        done = self.changes()
        self._disk.sweep(*(path.parent for path in self._before))
        if journal is not None and len(done) > 1:
            carry_out(self._disk, done, journal)
            return done
        for change in done:
            self._disk.apply(change)
        return done


def unified_diff(
    changes: list[Change], name: Callable[[Path], str] = str, hide: Callable[[str], str] = lambda text: text
) -> str:
    """A unified diff of the changes, files in order. Bytes that are no UTF-8 are shown with replacement characters.

    `hide` gets each whole text and gives it as it may be shown, with the same lines; what differs is told from the text itself.
    """
    out: list[str] = []
    for change in changes:
        label = name(change.path)
        old = "/dev/null" if change.before is None else f"a/{label}"
        new = "/dev/null" if change.after is None else f"b/{label}"
        hunks = _hunks(_text(change.before), _text(change.after), hide)
        if hunks:
            out += [f"--- {old}\n", f"+++ {new}\n", *hunks]
    return "".join(out)


def _hunks(before: str, after: str, hide: Callable[[str], str]) -> list[str]:
    import difflib

    old, new = _lines(before), _lines(after)
    old_shown, new_shown = _lines(hide(before)), _lines(hide(after))
    out: list[str] = []
    for group in difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(3):
        first, last = group[0], group[-1]
        out.append(f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n")
        for word, i, i_end, j, j_end in group:
            if word == "equal":
                pairs = zip(old[i:i_end], old_shown[i:i_end], new_shown[j:j_end], strict=True)
                out += [_line(" ", shown if shown != said else other) for said, shown, other in pairs]
                continue
            out += [_line("-", shown) for shown in old_shown[i:i_end]]
            out += [_line("+", shown) for shown in new_shown[j:j_end]]
    return out


def _range(start: int, end: int) -> str:
    """Lines of one side as a hunk header says them: from 1, the count left out when it is 1."""
    count = end - start
    return f"{start + 1}" if count == 1 else f"{start + 1 if count else start},{count}"


def _line(sign: str, text: str) -> str:
    return f"{sign}{text}" if text.endswith("\n") else f"{sign}{text}\n\\ No newline at end of file\n"


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


def _lines(text: str) -> list[str]:
    """Lines as a diff counts them: ended by a newline and by nothing else."""
    return [line for line in re.split(r"(?<=\n)", text) if line]
