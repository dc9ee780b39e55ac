"""What the verbs of a plan show and change nothing of: `vault plan status | query | tier show | epic intent show`, and `check`."""

from __future__ import annotations

from typing import Any

from vaultspec_core.commands.opening import open_vault
from vaultspec_core.commands.plan_tree import done, headline, next_act, row, tree
from vaultspec_core.plan.canonical import canonical
from vaultspec_core.plan.containers import epic_intent
from vaultspec_core.plan.findings import ERROR, Finding, findings
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.lookup import find_phase, find_wave
from vaultspec_core.plan.model import Plan
from vaultspec_core.plan.progress import completion, totals
from vaultspec_core.plan.rewrite import decoded, existing, rewrite
from vaultspec_core.report import FINDINGS, OK, USAGE, Block, Line, Refusal, Report, counted
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.orient import trace
from vaultspec_core.vault.resolve import resolve_plan
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Call


def status(call: Call) -> Report:
    """How far a plan is, part by part."""
    vault, document, plan = _read(call)
    traced = trace(vault.corpus, document.relative)["plans"][0]
    missing = [step["canonical_id"] for step in traced["steps"] if step["checked"] and not step["record_stem"]]
    data = {
        "plan": document.stem,
        "path": document.relative,
        "tier": plan.tier,
        "legacy_tier_default": plan.declared is None,
        "wave_count": len(plan.waves),
        "phase_count": len(plan.phases),
        "step_count": len(plan.steps),
        "steps_completed": totals(plan)["steps_completed"],
        "completion_percent": completion(plan),
        "has_epic_intent": plan.epic is not None,
        "waves_completed": sum(done(plan, wave) for wave in plan.waves),
        "phases_completed": sum(done(plan, phase) for phase in plan.phases),
        "next_open_step": totals(plan)["next_open_step"],
        "exec_missing_ids": missing,
    }
    body: list[Block] = [Line(document.stem, "title"), Line(headline(plan)), *tree(plan)]
    if missing:
        body.append(Line(f"closed without a row in the ledger: {', '.join(missing)}", "warn"))
    grave = [found for found in findings(plan) if found.rule.severity == ERROR]
    warnings = (
        [f"{counted(len(grave), 'error')} in it: vaultspec-core vault plan check {document.stem}"] if grave else []
    )
    return Report("ok", data, body, warnings, hint=next_act(plan, document.stem))


def query(call: Call) -> Report:
    """The steps that are open or closed, or stand in one phase or wave."""
    if call["open"] and call["closed"]:
        raise Refusal("usage", "give one of --open and --closed", exit_code=USAGE)
    _, document, plan = _read(call)
    steps = list(plan.steps)
    for wanted, find in ((call["phase"], find_phase), (call["wave"], find_wave)):
        if wanted is not None:
            part = find(plan, wanted)
            steps = [step for step in steps if part.line < step.line < part.end]
    if call["open"] or call["closed"]:
        steps = [step for step in steps if step.checked == bool(call["closed"])]
    listed = [
        {"display_path": step.path, "checked": step.checked, "action": step.action, "scope": step.scope}
        for step in steps
    ]
    data = {"plan": document.stem, "matched": len(steps), "total": len(plan.steps), "steps": listed}
    body: list[Block] = [Line(row(step)) for step in steps]
    body.append(Line(f"{len(steps)} of {counted(len(plan.steps), 'step')}", "dim"))
    return Report("ok", data, body, hint=None if plan.steps else next_act(plan, document.stem))


def tier(call: Call) -> Report:
    """The tier as the plan is read."""
    _, document, plan = _read(call)
    data = {"plan": document.stem, "tier": plan.tier, "legacy_tier_default": plan.declared is None}
    return Report("ok", data, [Line(plan.tier + (" (the plan names none)" if plan.declared is None else ""))])


def epic(call: Call) -> Report:
    """The epic intent, as plain text."""
    _, document, plan = _read(call)
    intent = epic_intent(plan)
    if not intent:
        command = f'vaultspec-core vault plan epic intent edit {document.stem} --text "..."'
        if plan.shape != "L4":
            raise Refusal("no-epic", f"{document.stem} is {plan.shape}; only L4 plans have an epic intent")
        raise Refusal("no-epic", f"{document.stem} has no epic intent yet", command)
    return Report("ok", {"plan": document.stem, "intent": intent}, text=f"{intent}\n")


def check(call: Call) -> Report:
    """The problems of a plan; `--fix` first writes out what can be told from where it stands."""
    if call["fix"]:
        vault = open_vault(call)
        with vault.hold():
            vault.corpus.refresh()
            document = resolve_plan(vault.corpus, call["plan"])
            before, plan = rewrite(vault, document.relative, lambda text: _mended(document.relative, text))
        fixed = len(before) - len(findings(plan))
    else:
        _, document, plan = _read(call)
        fixed = 0
    found = findings(plan)
    errors = sum(one.rule.severity == ERROR for one in found)
    data = {"plan": document.stem, "path": document.relative, "findings": list(map(_item, found)), "fixed_count": fixed}
    body: list[Block] = [Line(document.relative, "title")] if found else []
    body += [_told(one) for one in found]
    said = f"{counted(errors, 'error')}, {counted(len(found) - errors, 'warning')}" + (
        f", {fixed} repaired" if fixed else ""
    )
    body.append(Line(said, "bad" if errors else "warn" if found else "good"))
    hint = None
    if any(one.rule.fixes for one in found) and not call["fix"]:
        hint = ("Repair what can be repaired:", f"vaultspec-core vault plan check {document.stem} --fix")
    word = "failed" if errors else "updated" if fixed else "ok"
    return Report(word, data, body, exit_code=FINDINGS if errors else OK, hint=hint)


def _read(call: Call) -> tuple[Vault, Document, Plan]:
    vault = open_vault(call)
    vault.corpus.refresh()
    document = resolve_plan(vault.corpus, call["plan"])
    data = vault.read(document)
    text = existing(document.relative, None if data is None else decoded(document.relative, data))
    return vault, document, parse_text(text)


def _mended(relative: str, text: str | None) -> tuple[str, tuple[list[Finding], Plan]]:
    old = existing(relative, text)
    new = canonical(old)
    return new, (findings(parse_text(old)), parse_text(new))


def _item(found: Finding) -> dict[str, Any]:
    return {
        "code": found.rule.code,
        "severity": found.rule.severity,
        "message": found.message,
        "line": found.line,
        "fix_hint": found.rule.fix_hint,
        "autofixable": found.rule.fixes,
    }


def _told(found: Finding) -> Line:
    place = f"line {found.line}: " if found.line is not None else ""
    mark = "  (--fix)" if found.rule.fixes else ""
    tone = "bad" if found.rule.severity == ERROR else "warn"
    return Line(f"  {found.rule.severity:<7}  {found.rule.code}  {place}{found.message}{mark}", tone)
