"""What `vault plan check` says of a plan: its problems under stable codes, each with what mends it."""

from __future__ import annotations

from typing import NamedTuple

from vaultspec_core.plan.model import Plan

ERROR, WARNING = "error", "warning"


class Rule(NamedTuple):
    """What a kind of problem is called, how grave it is, what mends it, and whether `--fix` does."""

    code: str
    severity: str
    fix_hint: str
    fixes: bool = False


class Finding(NamedTuple):
    """One problem. `line` counts from 1; None where it is about the whole plan."""

    rule: Rule
    message: str
    line: int | None


_ROW = "Write the row as - [ ] `S01` - action; `scope`."
_RULES = {
    "plan-no-tier": Rule("PLAN001", WARNING, "--fix writes the tier that the plan has the parts of.", True),
    "plan-unknown-tier": Rule("PLAN001", ERROR, "Set tier to L1, L2, L3 or L4 in the frontmatter."),
    "plan-hierarchy": Rule("PLAN010", ERROR, "Put it where its tier wants it, or promote or demote the plan."),
    "plan-row": Rule("PLAN020", ERROR, _ROW),
    "plan-duplicate": Rule("PLAN021", ERROR, "Give one of them an identifier that was never used."),
    "plan-retired": Rule("PLAN021", ERROR, "Give it an identifier that was never used."),
    "plan-path": Rule("PLAN030", WARNING, "--fix writes the path that it means.", True),
    "plan-row-contract": Rule("PLAN040", ERROR, "vaultspec-core vault plan step edit sets action and scope."),
    "plan-heading": Rule("PLAN050", ERROR, "Write the heading as Wave `W01` - title or Phase `P01` - title."),
    "plan-heading-level": Rule("PLAN070", ERROR, "Waves stand at level 2, phases at level 3."),
}


def findings(plan: Plan) -> list[Finding]:
    """The problems of a plan, in the order of the document."""
    return [Finding(_RULES[problem.code], problem.message, problem.line) for problem in plan.problems]
