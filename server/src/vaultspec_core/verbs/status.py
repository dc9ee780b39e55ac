"""`status`."""

from vaultspec_core.verb import Flag, Operand, Verb

VERBS = (
    Verb(
        ("status",),
        "Orient in the vault: every feature and the plans still open, or the trace of one plan or feature.",
        "vaultspec_core.commands.status:status",
        "vaultspec-core status search-api",
        operands=(Operand("subject", "A feature tag, or a plan's stem or path.", required=False, path=True),),
        flags=(
            Flag("--limit", "At most this many features and plans.", value="N", number=True),
            Flag("--since", "Only features and plans with activity on or after this day.", value="DATE"),
            Flag("--paths", "Also give the path of every document named."),
            Flag("--verbose-exec", "Show closed steps and their evidence as well, not only open ones."),
            Flag("--no-hints", "Leave out the hint on what to do next."),
        ),
    ),
)
