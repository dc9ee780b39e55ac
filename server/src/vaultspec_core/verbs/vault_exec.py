"""`vault exec ...`: the ledgers of plans, and the records of single steps that came before them."""

from vaultspec_core.verb import DRY_RUN, Flag, Verb

_FEATURE = Flag("--feature", "The feature's tag.", value="TAG")
_RECORD = Flag("--record", "The record: its path or stem.", value="PATH", path=True)
_EXAMPLE = ".vault/exec/2026-07-12-search-api/2026-07-12-search-api-P01-S03.md"


def _repair(word: str, summary: str, example: str, *flags: Flag) -> Verb:
    return Verb(
        ("vault", "exec", word),
        summary,
        f"vaultspec_core.commands.execution:{word}",
        f"vaultspec-core vault exec {word} --record {_EXAMPLE}{example}",
        flags=(_RECORD, *flags, DRY_RUN),
    )


VERBS = (
    Verb(
        ("vault", "exec", "log"),
        "Append what was done for a step to its plan's ledger.",
        "vaultspec_core.commands.execution:log_step",
        'vaultspec-core vault exec log --feature search-api --step S01 --row A:src/scanner.py --verify "pytest=pass"',
        flags=(
            _FEATURE,
            Flag("--step", "The step's identifier (S01) or display path (P01.S01).", value="ID"),
            Flag("--related", "The plan's stem or path, when its feature has several.", value="PLAN", path=True),
            Flag("--row", "OP:path, with A, M or D, or R:old->new.", value="ROW", many=True),
            Flag("--verify", "A check that ran: COMMAND=pass or COMMAND=fail.", value="RESULT"),
            Flag("--by", "The persona that closed the step.", value="NAME"),
            Flag("--note", "An exception: data loss, skipped work, a persistent failure.", value="TEXT", many=True),
            DRY_RUN,
        ),
    ),
    Verb(
        ("vault", "exec", "fold"),
        "Fold a feature's records of single steps into its plan's ledger; they themselves go to the archive.",
        "vaultspec_core.commands.execution:fold_records",
        "vaultspec-core vault exec fold --feature search-api --force",
        flags=(_FEATURE, Flag("--force", "Do it; without this nothing is written."), DRY_RUN),
    ),
    _repair(
        "relink",
        "Let a record be about another step of its plan.",
        " --step S04",
        Flag("--step", "The step's identifier (S04) or display path (P01.S04).", value="ID"),
    ),
    _repair("retire", "Archive a record whose step its plan has retired.", ""),
    _repair("detach", "Take a step that its plan has never had out of a record.", ""),
)
