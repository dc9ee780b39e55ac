"""`vault plan tier promote | demote`."""

from __future__ import annotations

from vaultspec_core.commands.plan_change import Deed, change, demand
from vaultspec_core.plan import tiers
from vaultspec_core.plan.grammar import parse_text
from vaultspec_core.plan.steps import Edited
from vaultspec_core.report import Refusal, Report
from vaultspec_core.verb import Call

PROMOTE, DEMOTE = Deed("Promoted to", "Would promote to"), Deed("Demoted to", "Would demote to")

_PROMOTIONS = {
    "L1": 'vaultspec-core vault plan tier promote PLAN --phase-title "..." --phase-intent "..."',
    "L2": 'vaultspec-core vault plan tier promote PLAN --wave-title "..." --wave-intent "..."',
    "L3": 'vaultspec-core vault plan tier promote PLAN --epic-intent "..."',
}
"""What a promotion from a tier needs, as a command."""


def tier_promote(call: Call) -> Report:
    """One tier deeper."""
    phase, wave = _words(call, "phase"), _words(call, "wave")

    def promote(text: str) -> Edited:
        try:
            plan = parse_text(tiers.promote(text, phase=phase, wave=wave, epic=call["epic_intent"]))
        except Refusal as refusal:
            if refusal.code == "no-place":
                refusal.hint = _PROMOTIONS.get(parse_text(text).shape)
            raise
        return Edited(plan, plan.tier)

    return change(call, PROMOTE, "tier", promote)


def tier_demote(call: Call) -> Report:
    """One tier flatter; the identifiers of what goes are retired."""

    def demote(text: str) -> Edited:
        try:
            plan = parse_text(tiers.demote(text, force=bool(call["force"])))
        except Refusal as refusal:
            if refusal.code == "no-place" and parse_text(text).shape != "L1":
                refusal.hint = "vaultspec-core vault plan tier demote PLAN --force"
            raise
        return Edited(plan, plan.tier)

    return change(call, DEMOTE, "tier", demote)


def _words(call: Call, noun: str) -> tiers.Words | None:
    """Title and intent of what a promotion makes; both or none."""
    title, intent = call[f"{noun}_title"], call[f"{noun}_intent"]
    if (title is None) != (intent is None):
        demand(call, f"{noun}_title", f"{noun}_intent")
    return None if title is None else tiers.Words(title, intent)
