"""Do our commit hooks stand where they belong, and does git run them?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from vaultspec_core.changeset import Changeset
from vaultspec_core.files import Disk
from vaultspec_core.report import Refusal

from ..blocks import converge_part, left_out
from ..declaration import Declaration
from ..finding import INFO, WARNING, Code, Finding
from ..precommit import FILE, HOOKS, PREK, hook_lines, launch_prefix
from ..precommit import PART as PRECOMMIT
from ..prek import hook_ids, migrated
from ..probe import Patient, Probe

MISSING = Code(
    "hooks-missing",
    WARNING,
    "The commit hooks of vaultspec are not in the file, or start it in another way than the install mode says.",
    "Enable them again; other hooks stay as they are. To do without them, disable them.",
    ".pre-commit-config.yaml: the hooks of vaultspec are missing or out of date",
)
KEPT = Code(
    "hooks-kept",
    WARNING,
    "The file cannot be given the hooks, or their block was edited by hand, and so it is left as it is.",
    "Take the block out by hand and enable the hooks again; or disable them.",
    ".pre-commit-config.yaml: left as it is: the block was edited by hand",
)
UNREFRESHABLE = Code(
    "hooks-unrefreshable",
    WARNING,
    "prek.toml is present, and a file of that program's is not written without being asked.",
    "Transplant the hooks; the command does it, and prints the block where it cannot.",
    "prek.toml does not hold the hooks of vaultspec, and is not written without being asked",
    fails=False,
)
NOT_INSTALLED = Code(
    "hook-not-installed",
    INFO,
    "The hooks stand in the file, and git was not told to run them in this clone.",
    "Install the hook, if you want it to run at each commit.",
    "git does not run the commit hooks of this workspace",
)


def look(patient: Patient) -> Iterable[Finding]:
    declaration = patient.declaration
    if declaration is None or PRECOMMIT in left_out(declaration):
        return
    try:
        prek = patient.read(patient.root / PREK)
        if prek is None:
            yield from _yaml(patient, declaration)
        elif not _refreshed(prek, launch_prefix(declaration)):
            yield UNREFRESHABLE.found(
                f"{PREK} does not hold the hooks of vaultspec, and is not written without being asked",
                PREK,
                "vaultspec-core spec precommit migrate",
            )
    except Refusal as refusal:
        yield KEPT.found(refusal.message, FILE, "vaultspec-core spec precommit disable")


def _refreshed(data: bytes, prefix: str) -> bool:
    """Whether the block is as it would be written, or a person has transplanted all the hooks."""
    try:
        return migrated(data, prefix) == data
    except Refusal as refusal:
        if refusal.data.get("status") != "conflicting":
            return False
    import tomllib

    text = data.decode("utf-8").replace("\r\n", "\n").lstrip("\ufeff")
    return {hook.id for hook in HOOKS} <= hook_ids(tomllib.loads(text))


def _yaml(patient: Patient, declaration: Declaration) -> Iterator[Finding]:
    row = converge_part(Changeset(Disk()), patient.root, PRECOMMIT, declaration)
    if row.outcome == "kept":
        yield KEPT.found(f"{FILE}: {row.reason}", FILE, "vaultspec-core spec precommit disable")
    elif row.outcome != "unchanged":
        yield MISSING.found(
            f"{FILE}: the hooks of vaultspec are missing or out of date", FILE, "vaultspec-core spec precommit enable"
        )
    elif hook_lines(patient.root, patient.read) and _installed(patient.root) is False:
        yield NOT_INSTALLED.found("git does not run the commit hooks of this workspace", FILE, "pre-commit install")


def _installed(root: Path) -> bool | None:
    """Whether git has a commit hook here; None when that cannot be told, as where the hooks' folder is configured."""
    mark = root / ".git"
    try:
        if mark.is_file():
            folder = root / mark.read_text(encoding="utf-8").strip().removeprefix("gitdir: ")
            common = folder / "commondir"
            mark = folder / common.read_text(encoding="utf-8").strip() if common.is_file() else folder
        if "hookspath" in (mark / "config").read_text(encoding="utf-8").lower():
            return None
    except (OSError, ValueError):
        return None
    return (mark / "hooks/pre-commit").is_file()


PROBE = Probe(80, (MISSING, KEPT, UNREFRESHABLE, NOT_INSTALLED), look)
