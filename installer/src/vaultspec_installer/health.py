"""What `spec mcps status` says of a survey: lists of names by verdict, per provider and in all."""

from __future__ import annotations

from typing import Any

from .definition import Definitions
from .reconcile import TABLE, Desired, Verdict
from .survey import Survey, TargetSurvey

LISTS = ("configured", "managed", "missing", "drifted", "stale_managed", "external", "conflicts", "invalid")
UNHEALTHY = ("missing", "drifted", "stale_managed", "conflicts", "invalid")
OWNED = frozenset(
    {
        Verdict.CURRENT,
        Verdict.ADOPTABLE,
        Verdict.OUTDATED,
        Verdict.EDITED,
        Verdict.UNVERIFIED,
        Verdict.STALE,
        Verdict.STALE_EDITED,
    }
)


def names_by_word(surveyed: TargetSurvey) -> dict[str, list[str]]:
    """The lists of one target, each sorted."""
    lists: dict[str, set[str]] = {word: set() for word in LISTS}
    for item in surveyed.items:
        word = TABLE[item.verdict].word
        if surveyed.reading is not None and item.name in surveyed.reading.entries:
            lists["configured"].add(item.name)
        if word is not None:
            lists[word].add(item.name)
        if item.verdict in OWNED:
            lists["managed"].add(item.name)
        if item.verdict is Verdict.CONFLICT:
            lists["external"].add(item.name)
        if item.verdict is Verdict.ADOPTABLE and item.side.actual.value == "a former rendering":
            lists["drifted"].add(item.name)
    return {word: sorted(names) for word, names in lists.items()}


def provider_data(found: Survey, surveyed: TargetSurvey) -> dict[str, Any]:
    """One row of `providers`. Entries that a move left behind are stale ones of it, with a warning that says where."""
    target = surveyed.target
    lists = names_by_word(surveyed)
    warnings = [surveyed.fault.message] if surveyed.fault else []
    for other in found.left:
        if other.target.provider is target.provider and (names := names_by_word(other)["stale_managed"]):
            lists["stale_managed"] = sorted({*lists["stale_managed"], *names})
            warnings.append(
                f"{target.said(found.root)}: left behind by {other.target.left_by}, which is gone: {', '.join(names)}"
            )
    reading = surveyed.reading
    if reading is not None:
        for note in reading.notes:
            if note.code in target.provider.refuses:
                warnings.append(
                    f"{target.said(found.root)}:{note.line}: {target.provider.title} may refuse the file ({note.code})"
                )
    displaced = reading is not None and reading.displaced
    return {
        "status": _provider_status(found, surveyed, lists, displaced),
        "scope": target.scope.value,
        "config_path": target.said(found.root),
        "config_exists": surveyed.data is not None,
        **lists,
        "layout": "displaced" if displaced else "ok",
        "warnings": warnings,
    }


def _provider_status(found: Survey, surveyed: TargetSurvey, lists: dict[str, list[str]], displaced: bool) -> str:
    if surveyed.fault is not None:
        return "invalid_config"
    if surveyed.data is None:
        return "missing_config" if _defined(found.definitions) else "no_definitions"
    return "partial" if displaced or any(lists[word] for word in UNHEALTHY) else "ok"


def _defined(definitions: Definitions) -> bool:
    return bool(definitions.valid or definitions.invalid)


def status_data(found: Survey) -> dict[str, Any]:
    """The JSON body of status: facts about all providers at the scope and about each."""
    providers = {surveyed.target.provider.name: provider_data(found, surveyed) for surveyed in found.targets}
    rows = list(providers.values())
    merged = {word: sorted({name for row in rows for name in row[word]}) for word in LISTS}
    merged["invalid"] = sorted({*merged["invalid"], *found.definitions.invalid})
    data: dict[str, Any] = {
        "status": _aggregate(found, rows, merged),
        "scope": found.scope.value,
        "config_path": rows[0]["config_path"] if len(rows) == 1 else None,
        "config_exists": bool(rows) and all(row["config_exists"] for row in rows),
        "definitions": sorted(found.definitions.valid),
        **merged,
        "providers": providers,
        "warnings": list(found.notes) + [warning for row in rows for warning in row["warnings"]],
    }
    if found.opted_out:
        data["opted_out"] = True
        data["opt_outs"] = found.opted_out
    return data


def _aggregate(found: Survey, rows: list[dict[str, Any]], merged: dict[str, list[str]]) -> str:
    if not rows:
        return "ok" if found.opted_out else "no_providers"
    states = {row["status"] for row in rows}
    if "invalid_config" in states:
        return "invalid_config"
    if states <= {"ok", "no_definitions"} and not merged["invalid"]:
        return "ok"
    return "partial"


def others_warnings(found: Survey) -> list[str]:
    """One line for each name that we define too and that another workspace enrolled for the user."""
    return [
        f"{surveyed.target.said(found.root)}: {item.name} is the entry of the workspace {item.owner}"
        for surveyed in found.targets
        for item in surveyed.items
        if item.verdict is Verdict.OTHERS and item.side.desired is Desired.YES
    ]
