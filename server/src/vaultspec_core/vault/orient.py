"""`status`: the rollup of a vault, and the trace of one plan or feature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from vaultspec_core._version import __version__
from vaultspec_core.plan.grammar import summary_of
from vaultspec_core.plan.ledger import Evidence, evidence_of
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Progress, unreported
from vaultspec_core.vault import names
from vaultspec_core.vault.corpus import Corpus
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.frontmatter import Problem
from vaultspec_core.vault.graph import build
from vaultspec_core.vault.lifecycle import lifecycle, percent
from vaultspec_core.vault.resolve import plans_by_name, plans_of_feature, suggestion
from vaultspec_core.vault.vault import Vault

_NO_EVIDENCE = {"record_stem": None, "rows": None, "verify": None}
GROUNDING_TYPES = ("adr", "audit", "plan", "reference", "research")


def run(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The tool: the answer, and what it is in a line."""
    answer = orient(vault, arguments["target"], progress)
    if answer["kind"] == "trace":
        return answer, f"grounding trace of {answer['trace_kind']} {answer['target']}"
    return answer, f"features: {answer['features_total']}, plans in flight: {len(answer['plans_in_flight'])}"


def orient(vault: Vault, target: str | None, progress: Progress = unreported) -> dict[str, Any]:
    """The rollup without a target, else the trace. Raises Refusal `unresolved-target`."""
    vault.corpus.refresh(progress)
    if target is None or not target.strip():
        return vault.corpus.derived(rollup)
    return trace(vault.corpus, target, progress)


def rollup(corpus: Corpus) -> dict[str, Any]:
    """Every feature, every plan with an open step, and the totals. Read-only: the answer is kept and given again."""
    features = [_feature_row(corpus, name, list(members.values())) for name, members in corpus.features.items()]
    features.sort(key=lambda row: (row["latest_activity"] or "", row["name"]), reverse=True)
    flying = [
        document for document in corpus.of_type("plan") if document.plan and document.plan.closed < document.plan.total
    ]
    flying.sort(key=lambda plan: (plan.activity or "", plan.stem), reverse=True)
    return {
        "tool_schema_version": __version__,
        "kind": "rollup",
        "features": features,
        "features_total": len(features),
        "plans_in_flight": [_plan_row(plan) for plan in flying],
        "totals": totals(corpus),
        "target": None,
        "trace_kind": None,
        "plans": [],
    }


def totals(corpus: Corpus) -> dict[str, Any]:
    """Counts over the whole vault; every type is named."""
    graph = corpus.derived(build)
    counts = dict.fromkeys(names.TYPES, 0)
    for document in corpus.documents.values():
        counts[document.type] = counts.get(document.type, 0) + 1
    return {
        "total_docs": len(corpus.documents),
        "total_features": len(corpus.features),
        "counts_by_type": counts,
        "orphaned_count": len(graph.orphaned),
        "dangling_link_count": len(graph.dangling),
    }


def _feature_row(corpus: Corpus, name: str, documents: list[Document]) -> dict[str, Any]:
    plans = [document for document in documents if document.type == "plan"]
    total = sum(plan.plan.total for plan in plans if plan.plan)
    closed = sum(plan.plan.closed for plan in plans if plan.plan)
    return {
        "name": name,
        "doc_count": len(documents),
        "latest_activity": max((document.activity for document in documents if document.activity), default=None),
        "has_plan": bool(plans),
        "status": lifecycle(corpus, documents),
        "plan_tier": max((plan.plan.tier for plan in plans if plan.plan), default=None),
        "plan_completion_percent": percent(closed, total),
    }


def _plan_row(document: Document) -> dict[str, Any]:
    plan = document.plan
    total, closed = (plan.total, plan.closed) if plan else (0, 0)
    return {
        "stem": document.stem,
        "feature": document.feature,
        "tier": plan.tier if plan else None,
        "open_steps": total - closed,
        "closed_steps": closed,
        "total_steps": total,
        "completion_percent": percent(closed, total),
        "next_open_step": plan.next_open if plan else None,
    }


def trace(corpus: Corpus, target: str, progress: Progress = unreported) -> dict[str, Any]:
    """The plans that the target names, by stem, path or feature, step by step; a feature without a plan has its grounding."""
    named = plans_by_name(corpus, target)
    feature = names.normal_tag(target)
    if not named and feature not in corpus.features:
        raise Refusal(
            "unresolved-target",
            f"Could not resolve orientation target {target!r}.{suggestion(corpus, target)}",
            "Call status without a target for the list of features.",
        )
    plans = named or plans_of_feature(corpus, feature)
    rows = []
    for plan in sorted(plans, key=lambda plan: (plan.stem, plan.relative)):
        progress(0, 0, "")
        rows.append(_trace_row(corpus, plan))
    own = [] if named else corpus.of_feature(feature)
    grounds = {stem: kind for row in rows for kind, stems in row["grounding"].items() for stem in stems}
    grounds |= {document.stem: document.type for document in own if document.type in GROUNDING_TYPES}
    loose = {stem for row in rows for stem in row["unlinked_records"]}
    if not rows:
        loose |= {document.stem for document in own if document.type == "exec"}
    return {
        "tool_schema_version": __version__,
        "kind": "trace",
        "features": [],
        "features_total": 0,
        "plans_in_flight": [],
        "totals": {},
        "target": target,
        "trace_kind": "plan" if named else "feature",
        "plans": rows,
        "grounding": _grouped(grounds, {plan.stem for plan in plans}),
        "unlinked_records": sorted(loose),
    }


def _trace_row(corpus: Corpus, document: Document) -> dict[str, Any]:
    records = _records(corpus, document)
    said = {record.relative: corpus.detail(record, evidence_of) for record in records}
    plan = corpus.detail(document, summary_of)
    evidence = _evidence(records, said)
    steps = [
        {"canonical_id": identifier, "display_path": path, "checked": checked, **evidence.get(identifier, _NO_EVIDENCE)}
        for identifier, path, checked in plan.steps
    ]
    linked = _linked(corpus, document)
    grounds = {other.stem: other.type for other in linked if other.type in GROUNDING_TYPES}
    loose = [other.stem for other in linked if other.type == "exec" and other not in records]
    loose += [record.stem for record in records if not said[record.relative] and not record.step]
    return {
        **_plan_row(document),
        "steps": steps,
        "grounding": _grouped(grounds, {document.stem}),
        "unlinked_records": sorted(set(loose)),
        "error": _error([*document.problems, *plan.problems]),
    }


def _evidence(records: list[Document], said: Mapping[str, Mapping[str, Evidence]]) -> dict[str, dict[str, Any]]:
    """What the execution documents say of each step; a ledger before a record of one step."""
    found = {record.step: {"record_stem": record.stem, "rows": 0, "verify": None} for record in records if record.step}
    for record in records:
        for step, evidence in said[record.relative].items():
            found[step] = {"record_stem": record.stem, "rows": evidence.rows, "verify": evidence.verify}
    return found


def _error(problems: Iterable[Problem]) -> str | None:
    """The first thing that keeps the plan from being read entirely."""
    for problem in problems:
        if problem.code != "plan-no-tier":
            return problem.message if problem.line is None else f"line {problem.line}: {problem.message}"
    return None


def _linked(corpus: Corpus, document: Document) -> list[Document]:
    """The documents that the plan links to and those that link to it."""
    graph = corpus.derived(build)
    found = {path: corpus.documents[path] for path in graph.sources(document)}
    for target in document.related + document.links:
        found.update({other.relative: other for other in corpus.named(target)})
    found.pop(document.relative, None)
    return [found[path] for path in sorted(found)]


def _records(corpus: Corpus, document: Document) -> list[Document]:
    """The execution documents of a plan: those of its feature that name it, or stand where its ledger belongs."""
    stem = document.stem.casefold()
    ledger = f"{document.stem.removesuffix('-plan')}-ledger"
    return [
        other
        for other in corpus.of_feature(document.feature or "")
        if other.type == "exec"
        and (stem in map(str.casefold, other.related) or (not other.related and other.stem == ledger))
    ]


def _grouped(grounds: Mapping[str, str], without: Iterable[str]) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for stem, kind in sorted(grounds.items(), key=lambda item: (item[1], item[0])):
        if stem not in without:
            kinds.setdefault(kind, []).append(stem)
    return kinds
