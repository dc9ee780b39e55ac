"""`vault plan ...`: read, check and edit plans."""

from vaultspec_core.verb import DRY_RUN, Flag, Operand, Verb

_EDITS = {
    "step": "vaultspec_core.commands.plan_steps",
    "tier": "vaultspec_core.commands.plan_tiers",
}
_CONTAINERS = "vaultspec_core.commands.plan_containers"
_PLANS = "vaultspec_core.commands.plans"
_STEM = "2026-07-12-search-api-plan"

_PLAN = Operand("plan", "The plan's stem or path, or a feature that has one plan.", path=True)
_STEP = Operand("step", "The step's identifier (S01) or display path (P01.S01).")
_PHASE = Operand("phase", "The phase's identifier (P01) or display path (W01.P01).")
_WAVE = Operand("wave", "The wave's identifier (W01).")

_ACTION = Flag("--action", "What the step does, in one imperative line.", value="TEXT")
_SCOPE = Flag("--scope", "The file or area that the step touches.", value="TEXT")
_TITLE = Flag("--title", "The title, in one line.", value="TEXT")
_INTENT = Flag("--intent", "What it is for, in paragraphs.", value="TEXT")
_CANONICALISE = Flag("--canonicalise", "Also write every display path, and the tier, as they are meant; prose stays.")
_CHANGE = (DRY_RUN, _CANONICALISE)


def _beside(noun: str) -> tuple[Flag, Flag]:
    return (
        Flag("--before", f"The {noun} to stand before.", value="ID"),
        Flag("--after", f"The {noun} to stand after.", value="ID"),
    )


def _read(
    words: str, summary: str, run: str, example: str = "", flags: tuple[Flag, ...] = (), exits: str | None = None
) -> Verb:
    return Verb(
        ("vault", "plan", *words.split()),
        summary,
        f"{_PLANS}:{run}",
        f"vaultspec-core vault plan {words} {_STEM}{example}",
        operands=(_PLAN,),
        flags=flags,
        exits=((1, exits),) if exits else (),
    )


def _edit(words: str, summary: str, run: str, example: str, operand: Operand | None, *flags: Flag) -> Verb:
    return Verb(
        ("vault", "plan", *words.split()),
        summary,
        f"{_EDITS.get(words.split()[0], _CONTAINERS)}:{run}",
        f"vaultspec-core vault plan {words} {_STEM} {example}".rstrip(),
        operands=(_PLAN, operand) if operand else (_PLAN,),
        flags=(*flags, *_CHANGE),
    )


VERBS = (
    _read("status", "Show a plan's waves, phases and steps, how far it is and what comes next.", "status"),
    _read(
        "check",
        "Say what is wrong with a plan's structure, rows and identifiers.",
        "check",
        " --fix",
        flags=(Flag("--fix", "First write out display paths and the tier where they are missing or wrong."),),
        exits="errors were found",
    ),
    _read(
        "query",
        "List the steps of a plan that are open, closed, or in one phase or wave.",
        "query",
        " --open",
        flags=(
            Flag("--open", "Only open steps."),
            Flag("--closed", "Only closed steps."),
            Flag("--phase", "Only steps of this phase.", value="ID"),
            Flag("--wave", "Only steps of this wave.", value="ID"),
        ),
    ),
    _edit(
        "step add",
        "Add an open step at the end of a phase, or of an L1 plan.",
        "step_add",
        '--action "keep the index" --scope src/index.py --phase P01',
        None,
        _ACTION,
        _SCOPE,
        Flag("--phase", "The phase that the step goes to, from tier L2 on.", value="ID"),
    ),
    _edit(
        "step insert",
        "Insert an open step next to another; nothing is renumbered.",
        "step_insert",
        '--action "keep the index" --scope src/index.py --after S01',
        None,
        _ACTION,
        _SCOPE,
        *_beside("step"),
    ),
    _edit(
        "step edit",
        "Give a step another action, scope or both.",
        "step_edit",
        'S02 --action "keep one index"',
        _STEP,
        _ACTION,
        _SCOPE,
    ),
    _edit(
        "step move",
        "Move a step to a phase or next to another step; its identifier stays.",
        "step_move",
        "S02 --to-phase P02",
        _STEP,
        Flag("--to-phase", "The phase to move to the end of.", value="ID"),
        *_beside("step"),
    ),
    _edit("step remove", "Remove a step and retire its identifier for good.", "step_remove", "S02", _STEP),
    _edit("step check", "Close a step.", "step_check", "S01", _STEP),
    _edit("step uncheck", "Open a closed step again.", "step_uncheck", "S01", _STEP),
    _edit("step toggle", "Close an open step, open a closed one.", "step_toggle", "S01", _STEP),
    _edit(
        "phase add",
        "Add a phase at the end of a wave, or of an L2 plan.",
        "container_add",
        '--title "Index" --intent "Everything is found."',
        None,
        _TITLE,
        _INTENT,
        Flag("--wave", "The wave that the phase goes to, from tier L3 on.", value="ID"),
    ),
    _edit(
        "phase insert",
        "Insert a phase next to another; nothing is renumbered.",
        "container_insert",
        '--title "Scan" --before P02',
        None,
        _TITLE,
        _INTENT,
        *_beside("phase"),
    ),
    _edit(
        "phase edit",
        "Give a phase another title, intent or both.",
        "container_edit",
        'P01 --title "Index"',
        _PHASE,
        _TITLE,
        _INTENT,
    ),
    _edit(
        "phase move",
        "Move a phase with its steps to a wave or next to another phase.",
        "container_move",
        "P02 --to-wave W01",
        _PHASE,
        Flag("--to-wave", "The wave to move to the end of.", value="ID"),
        *_beside("phase"),
    ),
    _edit(
        "phase remove", "Remove a phase with its steps and retire their identifiers.", "container_remove", "P02", _PHASE
    ),
    _edit(
        "phase renumber",
        "Give a phase an identifier that was never used and retire the old one.",
        "phase_renumber",
        "P02 --to P07",
        _PHASE,
        Flag("--to", "The new identifier.", value="ID"),
    ),
    _edit("wave add", "Add a wave at the end.", "container_add", '--title "Foundations"', None, _TITLE, _INTENT),
    _edit(
        "wave insert",
        "Insert a wave next to another; nothing is renumbered.",
        "container_insert",
        '--title "Scan" --after W01',
        None,
        _TITLE,
        _INTENT,
        *_beside("wave"),
    ),
    _edit(
        "wave edit",
        "Give a wave another title, intent or both.",
        "container_edit",
        'W01 --title "Foundations"',
        _WAVE,
        _TITLE,
        _INTENT,
    ),
    _edit(
        "wave move",
        "Move a wave with all that it holds next to another.",
        "container_move",
        "W02 --before W01",
        _WAVE,
        *_beside("wave"),
    ),
    _edit(
        "wave remove",
        "Remove a wave with its phases and steps and retire their identifiers.",
        "container_remove",
        "W02",
        _WAVE,
    ),
    _read("epic intent show", "Print what the epic of an L4 plan is for.", "epic"),
    _edit(
        "epic intent edit",
        "Say what the epic of an L4 plan is for.",
        "epic_edit",
        '--text "Search answers at once."',
        None,
        Flag("--text", "The intent, in paragraphs.", value="TEXT"),
    ),
    _read("tier show", "Print the tier of a plan.", "tier"),
    _edit(
        "tier promote",
        "Promote a plan by one tier: a phase around its steps, a wave around its phases, or an epic intent.",
        "tier_promote",
        '--phase-title "Index" --phase-intent "Everything is found."',
        None,
        Flag("--phase-title", "The title of the phase that L2 puts around the steps.", value="TEXT"),
        Flag("--phase-intent", "What that phase is for.", value="TEXT"),
        Flag("--wave-title", "The title of the wave that L3 puts around the phases.", value="TEXT"),
        Flag("--wave-intent", "What that wave is for.", value="TEXT"),
        Flag("--epic-intent", "What the epic of L4 is for.", value="TEXT"),
    ),
    _edit(
        "tier demote",
        "Demote a plan by one tier; headings go, their identifiers are retired, steps stay.",
        "tier_demote",
        "",
        None,
        Flag("--force", "Also when several phases or waves would go."),
    ),
    Verb(
        ("vault", "plan", "trailer", "emit"),
        "Print the line of a commit message that ties it to a step, phase or feature.",
        "vaultspec_core.commands.trailers:emit",
        "vaultspec-core vault plan trailer emit --step P01.S02",
        flags=(
            Flag("--step", "The path of a step or phase (W01.P02.S06, P02).", value="PATH"),
            Flag("--feature", "The feature's tag.", value="TAG"),
        ),
        workspace=False,
    ),
    Verb(
        ("vault", "plan", "trailer", "validate"),
        "Say which trailers of a commit message are malformed; never blocks a commit.",
        "vaultspec_core.commands.trailers:validate",
        "vaultspec-core vault plan trailer validate .git/COMMIT_EDITMSG",
        operands=(Operand("message_file", "The file with the message.", path=True),),
        workspace=False,
    ),
)
