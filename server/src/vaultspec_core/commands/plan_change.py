"""One change of a plan by a verb: one edit and one write under the vault's lock, what came of it, and what a call of a verb must give."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from vaultspec_core.commands.opening import open_vault, with_diff
from vaultspec_core.commands.plan_tree import headline, next_act, row
from vaultspec_core.plan.canonical import canonical
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.model import Plan
from vaultspec_core.plan.progress import totals
from vaultspec_core.plan.rewrite import existing, rewrite
from vaultspec_core.plan.steps import Edited
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report
from vaultspec_core.vault.resolve import resolve_plan
from vaultspec_core.verb import Call

Edit = Callable[[str], Edited]


class Deed(NamedTuple):
    """What a verb does: for the sentence when it did it, for that when it only would, and for the envelope."""

    did: str
    would: str
    status: str = "updated"


ADD = Deed("Added", "Would add", "created")
INSERT = Deed("Inserted", "Would insert", "created")
EDIT = Deed("Changed", "Would change")
MOVE = Deed("Moved", "Would move")
REMOVE = Deed("Removed", "Would remove", "removed")


def change(call: Call, deed: Deed, noun: str, edit: Edit, warnings: list[str] | None = None) -> Report:
    """Make the edit in one write under the vault's lock, and say what came of it."""
    vault = open_vault(call)
    with vault.hold():
        vault.corpus.refresh()
        document = resolve_plan(vault.corpus, call["plan"])

        def compose(text: str | None) -> tuple[str, tuple[str, bool, Plan]]:
            old = existing(document.relative, text)
            edited = edit(old)
            new = canonical(edited.text) if call["canonicalise"] else edited.text
            return new, (edited.id, new != old, parse_text(new))

        try:
            identifier, changed, plan = rewrite(vault, document.relative, compose)
        except Refusal as refusal:
            mends = refusal.hint or _hint(refusal, call)
            refusal.hint = mends.replace("PLAN", document.stem) if mends else None
            raise
    about = noun if noun.startswith("the ") else f"{noun} `{identifier}`"
    done = deed.would if call.dry_run else deed.did
    message = f"{done} {about}." if changed else f"Nothing to change: {about} is so already."
    data = {
        "plan": document.stem,
        "path": document.relative,
        "changed": changed,
        "id": identifier,
        "message": message,
        "preserved_blocks": _preserved(plan),
        "warnings": warnings or [],
        **totals(plan),
    }
    body: list[Block] = [Line(message, "good" if changed else "dim")]
    body += [Line(f"  {row(step)}") for step in plan.named.get(identifier, ())[:1]]
    body.append(Line(f"{document.stem}: {headline(plan)}", "dim"))
    hint = None if plan.steps else next_act(plan, document.stem)
    report = Report(deed.status if changed else "unchanged", data, body, warnings or [], hint=hint)
    return with_diff(report, vault)


def _preserved(plan: Plan) -> int:
    """How many paragraphs and blocks of the body the grammar of plans does not know; every edit leaves them as they are."""
    known = {step.line for step in plan.steps} | {heading.line for heading in plan.structure.headings}
    count, before = 0, True
    for number in range(plan.structure.start, len(plan.structure.lines)):
        bare = not plan.structure.lines[number].strip() or number in known
        count += before and not bare
        before = bare
    return count


def _hint(refusal: Refusal, call: Call) -> str | None:
    """The command that shows what can be named, or how the verb is called."""
    if refusal.code.startswith(("unknown-", "ambiguous-")):
        return "vaultspec-core vault plan status PLAN"
    if refusal.code in ("no-place", "bad-text", "bad-operation"):
        return f"vaultspec-core {call.verb.name} --help"
    return "vaultspec-core vault plan check PLAN" if refusal.code == "plan-guard" else None


def demand(call: Call, *keys: str) -> None:
    missing = [_flag(key) for key in keys if call[key] is None]
    if missing:
        raise usage(call, f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} required")


def demand_any(call: Call, *keys: str) -> None:
    if all(call[key] is None for key in keys):
        raise usage(call, f"give {' or '.join(map(_flag, keys))}")
    if call.options.get("before") is not None and call.options.get("after") is not None:
        raise usage(call, "give one of --before and --after")


def demand_place(call: Call) -> None:
    demand_any(call, "before", "after")


def _flag(key: str) -> str:
    return f"--{key.replace('_', '-')}"


def usage(call: Call, message: str) -> Refusal:
    return Refusal("usage", message, f"vaultspec-core {call.verb.name} --help", exit_code=USAGE)
