"""Does each client's file say what the definitions say, at every scope that this workspace has enrolled?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultspec_core.report import Refusal
from vaultspec_providers.contract import Scope

from ..finding import ERROR, INFO, WARNING, Code, Finding
from ..probe import Patient, Probe
from ..reconcile import Actual, Verdict
from ..survey import Item, Survey, TargetSurvey, usable_home

UNJUDGED = Code(
    "scope-unjudged",
    WARNING,
    "A whole scope cannot be judged, mostly because a variable that says where a client keeps its file cannot be used.",
    "Mend what the message names.",
    "user scope: EXAMPLE_HOME is a relative path: 'settings'",
)
UNREADABLE = Code(
    "host-file",
    ERROR,
    "A client's file cannot be read safely. Nothing is written to it until it can.",
    "Mend the file at the place that the message names.",
    "client.json:3:5: expected a comma",
)
MISSING = Code(
    "entry-missing",
    WARNING,
    "A definition is not enrolled in a client that this workspace has.",
    "Sync.",
    "client.json: vaultspec-core is defined and not enrolled",
)
OUTDATED = Code(
    "entry-outdated",
    WARNING,
    "An entry of ours is as we wrote it, and the definitions now say something else.",
    "Sync; the entry is refreshed.",
    "client.json: vaultspec-core is not what its definition says now",
)
EDITED = Code(
    "entry-edited",
    WARNING,
    "An entry of ours was edited since. It is left alone unless you force it.",
    "Look at the difference; overwrite it with `--force`, or put your change into the definition.",
    "client.json: vaultspec-core was edited by hand",
)
CONFLICT = Code(
    "entry-conflict",
    WARNING,
    "Somebody else wrote an entry under the name of a definition.",
    "Look at the difference; take it over with `--force`, or rename one of the two.",
    "client.json: search is not ours and differs from the definition of that name",
)
STALE = Code(
    "entry-stale",
    WARNING,
    "An entry of ours has no definition any more.",
    "Prune it.",
    "client.json: search is ours and has no definition any more",
)
DISPLACED = Code(
    "region-displaced",
    WARNING,
    "The marks round our entries are lost, half or doubled, mostly after another program wrote the file.",
    "Sync; the region is restored and nothing else moves.",
    "client.toml: the marks round the entries of vaultspec are not whole",
)
REFUSED = Code(
    "host-file-refused",
    WARNING,
    "The file holds something that we read and keep, but its own client is known or suspected to refuse it, and with it every server.",
    "Take it out of the file at the line that is named.",
    "client.json:1: Example Client may refuse the whole file (bom)",
)
OTHERS = Code(
    "entry-of-another-workspace",
    INFO,
    "At user scope, another workspace owns the entry of this name.",
    "Nothing must be done; to take it over, sync at user scope with `--force`.",
    "/home/me/client.json: vaultspec-core belongs to /home/me/other",
)
ELSEWHERE = frozenset(
    {
        "bad-ownership",
        "bad-workspace-record",
        "bad-manifest",
        "definitions-unreadable",
        "unsupported-scope",
    }
)
"""Why a scope cannot be judged when that is the finding of another probe, or none."""


def look(patient: Patient) -> Iterable[Finding]:
    # Without a home there are no scopes but the project's, which is how a build machine may be.
    homeless = {"home-unusable"} if usable_home(patient.environ) is None else set()
    for scope, found in patient.scopes.items():
        if isinstance(found, Refusal) and found.code not in ELSEWHERE | homeless:
            yield UNJUDGED.found(f"{scope.value} scope: {found.message}", command=found.hint)
    for found, surveyed in patient.targets:
        yield from _target(found, surveyed)


def _target(found: Survey, surveyed: TargetSurvey) -> Iterator[Finding]:
    file = surveyed.target.said(found.root)
    if surveyed.fault is not None:
        line = surveyed.fault.data.get("line")
        yield UNREADABLE.found(surveyed.fault.message, file, surveyed.fault.hint, line)
        return
    for item in surveyed.items:
        finding = _item(found, item, file)
        if finding is not None:
            yield finding
    reading = surveyed.reading
    if reading is None:
        return
    if reading.displaced:
        yield DISPLACED.found(f"{file}: the marks round the entries of vaultspec are not whole", file, _sync(found, ""))
    for note in reading.notes:
        if note.code in surveyed.target.provider.refuses:
            said = f"{file}:{note.line}: {surveyed.target.provider.title} may refuse the whole file ({note.code})"
            yield REFUSED.found(said, file, None, note.line)


def _item(found: Survey, item: Item, file: str) -> Finding | None:
    where = f"{file}: {item.name}"
    match item.verdict:
        case Verdict.MISSING:
            return MISSING.found(f"{where} is defined and not enrolled", file, _sync(found, ""))
        case Verdict.OUTDATED:
            return OUTDATED.found(f"{where} is not what its definition says now", file, _sync(found, ""))
        case Verdict.ADOPTABLE if item.side.actual is Actual.FORMER:
            return OUTDATED.found(f"{where} is what an earlier release wrote", file, _sync(found, ""))
        case Verdict.EDITED | Verdict.UNVERIFIED:
            return EDITED.found(f"{where} was edited by hand", file, _diff(found))
        case Verdict.CONFLICT:
            return CONFLICT.found(
                f"{where} is not ours and differs from the definition of that name", file, _diff(found)
            )
        case Verdict.STALE | Verdict.STALE_EDITED:
            force = " --force" if item.verdict is Verdict.STALE_EDITED else ""
            return STALE.found(
                f"{where} is ours and has no definition any more", file, _sync(found, f" --prune{force}")
            )
        case Verdict.OTHERS:
            return OTHERS.found(f"{where} belongs to {item.owner}", file, _sync(found, " --force"))
        case _:
            return None


def _scope(found: Survey) -> str:
    return "" if found.scope is Scope.PROJECT else f" --scope {found.scope.value}"


def _sync(found: Survey, more: str) -> str:
    return f"vaultspec-core spec mcps sync{_scope(found)}{more}"


def _diff(found: Survey) -> str:
    return f"vaultspec-core spec mcps diff{_scope(found)} --force"


PROBE = Probe(50, (UNJUDGED, UNREADABLE, MISSING, OUTDATED, EDITED, CONFLICT, STALE, DISPLACED, REFUSED, OTHERS), look)
