"""The verbs that change a plan, on the same functions as the tools `plan_edit` and `plan_progress`: one edit, one write."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from vaultspec_core.commands.opening import open_vault, with_diff
from vaultspec_core.commands.plan_tree import headline, next_act, row
from vaultspec_core.plan import containers, steps, tiers
from vaultspec_core.plan.author import carry_out
from vaultspec_core.plan.canonical import canonical
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.lookup import find_step
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


ADD, INSERT = Deed("Added", "Would add", "created"), Deed("Inserted", "Would insert", "created")
EDIT, MOVE = Deed("Changed", "Would change"), Deed("Moved", "Would move")
REMOVE, RENUMBER = Deed("Removed", "Would remove", "removed"), Deed("Renumbered", "Would renumber")
CLOSE, OPEN = Deed("Closed", "Would close"), Deed("Reopened", "Would reopen")
TOGGLE = Deed("Toggled", "Would toggle")
PROMOTE, DEMOTE = Deed("Promoted to", "Would promote to"), Deed("Demoted to", "Would demote to")

_PROMOTIONS = {
    "L1": 'vaultspec-core vault plan tier promote PLAN --phase-title "..." --phase-intent "..."',
    "L2": 'vaultspec-core vault plan tier promote PLAN --wave-title "..." --wave-intent "..."',
    "L3": 'vaultspec-core vault plan tier promote PLAN --epic-intent "..."',
}
"""What a promotion from a tier needs, as a command."""


def step_add(call: Call) -> Report:
    """A new step at the end of its phase."""
    _needed(call, "action", "scope")
    return _authored(call, ADD, operation="add", phase_id=call["phase"])


def step_insert(call: Call) -> Report:
    """A new step next to another."""
    _needed(call, "action", "scope")
    _beside(call)
    return _authored(call, INSERT, operation="insert", before=call["before"], after=call["after"])


def step_edit(call: Call) -> Report:
    """Another action, scope or both."""
    _any(call, "action", "scope")
    return _authored(call, EDIT, operation="edit", step_id=call["step"])


def step_remove(call: Call) -> Report:
    """Out with the row; its identifier is retired."""
    return _authored(call, REMOVE, operation="remove", step_id=call["step"])


def step_move(call: Call) -> Report:
    """The same row elsewhere."""
    _any(call, "to_phase", "before", "after")
    where = {"phase": call["to_phase"], "before": call["before"], "after": call["after"]}
    return _edited(call, MOVE, "Step", lambda text: steps.move_step(text, call["step"], **where))


def step_check(call: Call) -> Report:
    """Close a step."""
    return _edited(call, CLOSE, "Step", lambda text: steps.set_state(text, call["step"], True))


def step_uncheck(call: Call) -> Report:
    """Open a step again."""
    return _edited(call, OPEN, "Step", lambda text: steps.set_state(text, call["step"], False))


def step_toggle(call: Call) -> Report:
    """The other state."""
    return _edited(call, TOGGLE, "Step", lambda text: _toggled(text, call["step"]))


def container_add(call: Call) -> Report:
    """A new phase or wave at the end."""
    _needed(call, "title")
    title, intent = call["title"], call["intent"]
    if _noun(call) == "Wave":
        return _edited(call, ADD, "Wave", lambda text: containers.add_wave(text, title, intent))
    return _edited(call, ADD, "Phase", lambda text: containers.add_phase(text, title, intent, call["wave"]))


def container_insert(call: Call) -> Report:
    """A new phase or wave next to another."""
    _needed(call, "title")
    _beside(call)
    insert = containers.insert_wave if _noun(call) == "Wave" else containers.insert_phase
    where = {"before": call["before"], "after": call["after"]}
    return _edited(call, INSERT, _noun(call), lambda text: insert(text, call["title"], call["intent"], **where))


def container_edit(call: Call) -> Report:
    """Another title, intent or both."""
    _any(call, "title", "intent")
    change = containers.edit_wave if _noun(call) == "Wave" else containers.edit_phase
    named = call[_noun(call).lower()]
    return _edited(call, EDIT, _noun(call), lambda text: change(text, named, call["title"], call["intent"]))


def container_move(call: Call) -> Report:
    """The same phase or wave elsewhere, with all that it holds."""
    where = {"before": call["before"], "after": call["after"]}
    if _noun(call) == "Wave":
        _beside(call)
        return _edited(call, MOVE, "Wave", lambda text: containers.move_wave(text, call["wave"], **where))
    _any(call, "to_wave", "before", "after")
    wave = call["to_wave"]
    return _edited(call, MOVE, "Phase", lambda text: containers.move_phase(text, call["phase"], wave=wave, **where))


def container_remove(call: Call) -> Report:
    """Out with a phase or wave and all that it holds; the identifiers are retired."""
    remove = containers.remove_wave if _noun(call) == "Wave" else containers.remove_phase
    return _edited(call, REMOVE, _noun(call), lambda text: remove(text, call[_noun(call).lower()]))


def phase_renumber(call: Call) -> Report:
    """Another identifier; the old one is retired."""
    _needed(call, "to")
    return _edited(call, RENUMBER, "Phase", lambda text: containers.renumber_phase(text, call["phase"], call["to"]))


def epic_edit(call: Call) -> Report:
    """The epic intent, made or replaced."""
    _needed(call, "text")
    return _edited(call, EDIT, "the epic intent", lambda text: containers.set_epic_intent(text, call["text"]))


def tier_promote(call: Call) -> Report:
    """One tier deeper."""
    phase, wave = _words(call, "phase"), _words(call, "wave")

    def promote(text: str) -> Edited:
        try:
            new = tiers.promote(text, phase=phase, wave=wave, epic=call["epic_intent"])
        except Refusal as refusal:
            refusal.hint = _PROMOTIONS.get(parse_text(text).shape)
            raise
        return Edited(new, parse_text(new).tier)

    return _edited(call, PROMOTE, "tier", promote)


def tier_demote(call: Call) -> Report:
    """One tier flatter; the identifiers of what goes are retired."""

    def demote(text: str) -> Edited:
        try:
            new = tiers.demote(text, force=bool(call["force"]))
        except Refusal as refusal:
            refusal.hint = (
                "vaultspec-core vault plan tier demote PLAN --force" if parse_text(text).shape != "L1" else None
            )
            raise
        return Edited(new, parse_text(new).tier)

    return _edited(call, DEMOTE, "tier", demote)


def _authored(call: Call, deed: Deed, **operation: str | None) -> Report:
    """A step as the tool `plan_edit` writes it."""
    given = {**operation, "action": call.options.get("action"), "scope": call.options.get("scope")}
    warnings: list[str] = []

    def carry(text: str) -> Edited:
        new, step, warnings[:] = carry_out(text, given)
        return Edited(new, step)

    return _edited(call, deed, "Step", carry, warnings)


def _edited(call: Call, deed: Deed, noun: str, edit: Edit, warnings: list[str] | None = None) -> Report:
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
    if deed is TOGGLE:
        deed = CLOSE if plan.named[identifier][0].checked else OPEN
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


def _toggled(text: str, reference: str) -> Edited:
    return steps.set_state(text, reference, not find_step(parse_text(text), reference).checked)


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


def _noun(call: Call) -> str:
    return "Wave" if call.verb.words[2] == "wave" else "Phase"


def _words(call: Call, noun: str) -> tiers.Words | None:
    """Title and intent of what a promotion makes; both or none."""
    title, intent = call[f"{noun}_title"], call[f"{noun}_intent"]
    if (title is None) != (intent is None):
        _needed(call, f"{noun}_title", f"{noun}_intent")
    return None if title is None else tiers.Words(title, intent)


def _needed(call: Call, *keys: str) -> None:
    missing = [_flag(key) for key in keys if call[key] is None]
    if missing:
        raise _usage(call, f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} required")


def _any(call: Call, *keys: str) -> None:
    if all(call[key] is None for key in keys):
        raise _usage(call, f"give {' or '.join(map(_flag, keys))}")
    if call.options.get("before") is not None and call.options.get("after") is not None:
        raise _usage(call, "give one of --before and --after")


def _beside(call: Call) -> None:
    _any(call, "before", "after")


def _flag(key: str) -> str:
    return f"--{key.replace('_', '-')}"


def _usage(call: Call, message: str) -> Refusal:
    return Refusal("usage", message, f"vaultspec-core {call.verb.name} --help", exit_code=USAGE)
