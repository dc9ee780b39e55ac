"""What a validator is: a file in `validators/` that exports `CHECK`. The folder is the registry.

A validator finds faults in one document (`document`), in the vault as a whole (`vault`, from records alone) or on the disk
(`disk`, what is no document). It mends a text (`repair`) or the vault (`mend`). Nobody declares a fault fixable: the
document's repair is tried, and a fault that is gone afterwards is one that can be fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultspec_core.checks.mending import Mending
    from vaultspec_core.checks.page import Page
    from vaultspec_core.checks.survey import Survey
    from vaultspec_core.vault.vault import Vault

ERROR, WARNING, INFO = "error", "warning", "info"

LISTED = 100
"""So many faults of one kind are told of one document; the rest are counted."""


class Fault(NamedTuple):
    """One thing that is wrong with a document. `line` counts from 1 in the file; None when it is about the whole document."""

    severity: str
    message: str
    line: int | None = None


class Finding(NamedTuple):
    """One fault and where it is. `path`: from the workspace, None when it is about the vault. `feature`: whose it is, for the filter."""

    check: str
    path: str | None
    message: str
    severity: str
    fixable: bool = False
    line: int | None = None
    feature: str | None = None

    def told(self) -> str:
        """The message with its line."""
        return self.message if self.line is None else f"line {self.line}: {self.message}"


class Check(NamedTuple):
    """One validator. `order`: its row in the answer; 0: only on the command line, not in the suite.

    `repair` gives the text of the document as it should be, the same text when there is nothing that it can do.
    `everywhere`: it does not heed the feature filter. `stamps`: its repair sets the stamp itself.
    """

    name: str
    order: int
    document: Callable[[Page], Iterable[Fault]] | None = None
    vault: Callable[[Survey], Iterable[Finding]] | None = None
    disk: Callable[[Vault], Iterable[Finding]] | None = None
    repair: Callable[[Page], str] | None = None
    mend: Callable[[Survey, Sequence[Finding], Mending], None] | None = None
    everywhere: bool = False
    stamps: bool = False

    @property
    def fixes(self) -> bool:
        return self.repair is not None or self.mend is not None


def limited(faults: Sequence[Fault], noun: str) -> list[Fault]:
    """The first LISTED faults, and one that counts the others."""
    if len(faults) <= LISTED:
        return list(faults)
    return [*faults[:LISTED], Fault(faults[0].severity, f"and {len(faults) - LISTED} more {noun}")]
