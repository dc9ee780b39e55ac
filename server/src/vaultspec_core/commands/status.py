"""What `status` says on the command line: the tool's answer as data, the same in a few lines and tables for a person."""

from __future__ import annotations

from typing import Any

from vaultspec_core.report import USAGE, Block, Line, Refusal, Report, Table
from vaultspec_core.vault import names
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.orient import orient
from vaultspec_core.vault.snapshot import Snapshot
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call


def status(call: Call) -> Report:
    """The rollup, or the trace of one plan or feature."""
    vault = Vault.open(call.target, snapshot=Snapshot(call.target, call.environ))
    limit = call["limit"]
    if limit is not None and limit < 1:
        raise Refusal(
            "usage", f"--limit must be at least 1, not {limit}", "vaultspec-core status --help", exit_code=USAGE
        )
    answer = dict(orient(vault, call["subject"]))
    if answer["kind"] == "rollup":
        _narrow(answer, vault.corpus, call["since"], limit)
    if call["paths"]:
        answer["paths"] = _paths(answer, vault.corpus)
    body = _trace(answer, bool(call["verbose_exec"])) if answer["kind"] == "trace" else _rollup(answer)
    body += [Line(f"{stem}  {path}", "dim") for stem, path in answer.get("paths", {}).items()]
    return Report("ok", answer, body, hint=None if call["no_hints"] else _hint(answer))


def _narrow(answer: dict[str, Any], corpus: Corpus, since: str | None, limit: int | None) -> None:
    features, plans = answer["features"], answer["plans_in_flight"]
    if since is not None:
        day = names.calendar_date(since)
        recent = {document.stem for document in corpus.of_type("plan") if (document.activity or "") >= day}
        features = [row for row in features if (row["latest_activity"] or "") >= day]
        plans = [row for row in plans if row["stem"] in recent]
    answer["features"], answer["plans_in_flight"] = features[:limit], plans[:limit]


def _paths(answer: dict[str, Any], corpus: Corpus) -> dict[str, str]:
    """Stem -> path of the plans, their grounding and their records."""
    stems = {row["stem"] for row in (*answer["plans_in_flight"], *answer["plans"])}
    stems |= {stem for found in answer.get("grounding", {}).values() for stem in found}
    stems |= set(answer.get("unlinked_records", ()))
    stems |= {step["record_stem"] for row in answer["plans"] for step in row["steps"] if step["record_stem"]}
    return {stem: corpus.stems[stem.casefold()][0].relative for stem in sorted(stems)}


def _rollup(answer: dict[str, Any]) -> list[Block]:
    totals, plans = answer["totals"], answer["plans_in_flight"]
    body: list[Block] = [
        Line(f"{_count(totals['total_docs'], 'document')} in {_count(totals['total_features'], 'feature')}", "title")
    ]
    if answer["features"]:
        columns = ("FEATURE", "STATUS", "DOCUMENTS", "TIER", "CLOSED", "LAST ACTIVITY")
        body += [Line(""), Table(columns, [_feature(row) for row in answer["features"]])]
    if plans:
        body += [Line(""), Table(("PLAN IN FLIGHT", "TIER", "STEPS", "CLOSED", "NEXT"), [_plan(row) for row in plans])]
    loose, lost = totals["orphaned_count"], totals["dangling_link_count"]
    if loose or lost:
        body += [Line(""), Line(f"{_count(loose, 'orphaned document')}, {_count(lost, 'dangling link')}", "warn")]
    return body


def _feature(row: dict[str, Any]) -> tuple[str, ...]:
    closed = f"{row['plan_completion_percent']} %" if row["has_plan"] else "-"
    return (
        row["name"],
        row["status"],
        str(row["doc_count"]),
        row["plan_tier"] or "-",
        closed,
        row["latest_activity"] or "-",
    )


def _plan(row: dict[str, Any]) -> tuple[str, ...]:
    steps = f"{row['closed_steps']}/{row['total_steps']}"
    return (row["stem"], row["tier"], steps, f"{row['completion_percent']} %", row["next_open_step"] or "-")


def _trace(answer: dict[str, Any], verbose: bool) -> list[Block]:
    body: list[Block] = []
    for row in answer["plans"]:
        closed = f"{row['closed_steps']} of {row['total_steps']} steps closed ({row['completion_percent']} %)"
        body += [Line(row["stem"], "title"), Line(f"{row['tier']}, {closed}, next: {row['next_open_step'] or 'none'}")]
        if row["error"]:
            body.append(Line(row["error"], "bad"))
        steps = [_step(step) for step in row["steps"] if verbose or not step["checked"]]
        if steps:
            body.append(Table(("STEP", "STATE", "ROWS", "VERIFY", "RECORD"), steps))
        body.append(Line(""))
    if not answer["plans"]:
        body += [Line(answer["target"], "title"), Line("no plan yet"), Line("")]
    for kind, stems in answer["grounding"].items():
        body += [Line(kind, "title"), *(Line(f"  {stem}") for stem in stems)]
    if answer["unlinked_records"]:
        body += [Line("records that name no step", "warn"), *(Line(f"  {one}") for one in answer["unlinked_records"])]
    return body


def _step(step: dict[str, Any]) -> tuple[str, ...]:
    rows = "-" if step["rows"] is None else str(step["rows"])
    state = "closed" if step["checked"] else "open"
    return (step["display_path"], state, rows, step["verify"] or "-", step["record_stem"] or "-")


def _hint(answer: dict[str, Any]) -> tuple[str, str] | None:
    if answer["kind"] == "trace":
        return None
    if answer["plans_in_flight"]:
        return "Trace a plan:", f"vaultspec-core status {answer['plans_in_flight'][0]['stem']}"
    if not answer["features"]:
        return "Begin with a document:", "vaultspec-core vault add research --feature my-feature"
    return None


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
