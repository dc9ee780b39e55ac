"""What is wrong with a plan that was read: structure that does not fit its tier, identifiers and paths that do not agree."""

from __future__ import annotations

from collections.abc import Sequence

from vaultspec_core.plan.model import DEFAULT_TIER, TIERS, Container, Plan, Step
from vaultspec_core.vault.frontmatter import Problem

LIMIT = 100
"""So many problems of a plan are reported; who has mended those sees the rest."""


def find(plan: Plan, strays: Sequence[Problem]) -> tuple[Problem, ...]:
    """All problems in the order of the document, those of the whole plan first."""
    problems = [*strays, *_tier(plan), *_hierarchy(plan), *_levels(plan), *_rows(plan), *_doubles(plan)]
    problems.sort(key=lambda problem: problem.line or 0)
    return tuple(problems[:LIMIT])


def _tier(plan: Plan) -> list[Problem]:
    if plan.declared is None:
        return [Problem("plan-no-tier", f"the plan names no tier and is read as {DEFAULT_TIER}")]
    if plan.declared not in TIERS:
        message = f"the tier {plan.declared} is none of {', '.join(TIERS)}; the plan is read as {DEFAULT_TIER}"
        return [Problem("plan-unknown-tier", message)]
    return []


def _hierarchy(plan: Plan) -> list[Problem]:
    found: list[tuple[int, str]] = []
    if plan.shape == "L1":
        found += [(phase.line, f"an L1 plan has no phases, but here is {phase.id}") for phase in plan.phases[:1]]
    else:
        loose = [step for step in plan.steps if step.phase is None]
        more = f" (and {len(loose) - 1} more)" if len(loose) > 1 else ""
        found += [(step.line, f"step {step.id} stands in no phase{more}") for step in loose[:1]]
    if plan.shape in ("L1", "L2"):
        found += [(wave.line, f"an {plan.shape} plan has no waves, but here is {wave.id}") for wave in plan.waves[:1]]
    else:
        found += [(phase.line, f"phase {phase.id} stands in no wave") for phase in plan.phases if phase.wave is None]
    if plan.epic is not None and plan.shape != "L4":
        found.append((plan.epic.line, f"an {plan.shape} plan has no epic intent"))
    if plan.epic is None and plan.shape == "L4" and plan.waves:
        found.append((plan.waves[0].line, "an L4 plan needs an `## Epic intent` section before its waves"))
    return [Problem("plan-hierarchy", message, line + 1) for line, message in found]


def _levels(plan: Plan) -> list[Problem]:
    return [
        Problem("plan-heading-level", f"{item.id} stands at heading level {item.level}, not {due}", item.line + 1)
        for items, due in ((plan.waves, 2), (plan.phases, 3))
        for item in items
        if item.level != due
    ]


def due_paths(plan: Plan) -> list[tuple[Step | Container, str]]:
    """Every phase and step with the display path that it means where it stands."""
    waved = plan.shape in ("L3", "L4")
    before = {phase.id: plan.path_in(phase) for phase in plan.phases}
    found: list[tuple[Step | Container, str]] = [
        (phase, f"{phase.wave}.{phase.id}" if waved and phase.wave else phase.id) for phase in plan.phases
    ]
    found += [(step, before[step.phase] + step.id if step.phase else step.id) for step in plan.steps]
    return found


def _rows(plan: Plan) -> list[Problem]:
    problems = []
    for part, due in due_paths(plan):
        if part.path != due:
            noun = "row" if isinstance(part, Step) else "heading"
            message = f"the {noun} says {part.path} where it means {due}"
            problems.append(Problem("plan-path", message, part.line + 1))
    for step in plan.steps:
        if step.scope is None:
            problems.append(Problem("plan-row-contract", f"step {step.id} names no scope after a ;", step.line + 1))
        elif not step.action or not step.scope:
            lack = "action" if not step.action else "scope"
            problems.append(Problem("plan-row-contract", f"step {step.id} has an empty {lack}", step.line + 1))
    return problems


def _doubles(plan: Plan) -> list[Problem]:
    places = [(item.line, item.id) for items in (plan.steps, plan.phases, plan.waves) for item in items]
    live = {identifier for _, identifier in places}
    if len(live) == len(places) and not plan.retired & live:
        return []
    seen: set[str] = set()
    problems = []
    for line, identifier in sorted(places):
        if identifier in seen:
            problems.append(Problem("plan-duplicate", f"{identifier} stands more than once", line + 1))
        if identifier in plan.retired:
            problems.append(Problem("plan-retired", f"{identifier} is in use though it is retired", line + 1))
        seen.add(identifier)
    return problems
