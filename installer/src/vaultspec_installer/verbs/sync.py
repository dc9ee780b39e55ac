"""`sync`."""

from vaultspec_core.verb import DIFF, DRY_RUN, FORCE, Flag, Operand, Verb

VERBS = (
    Verb(
        ("sync",),
        "Bring everything that vaultspec manages in this workspace up to date.",
        "vaultspec_installer.commands.sync:sync",
        "vaultspec-core sync --check",
        operands=(Operand("provider", "One client only.", required=False),),
        flags=(
            FORCE,
            Flag("--prune", "Also remove owned entries whose definition is gone."),
            Flag("--skip", "Leave a part out, this time.", value="PART", many=True),
            Flag("--check", "Write nothing; exit 1 when something would change."),
            Flag("--strict-secrets", "Refuse literal secrets in committed files."),
            DRY_RUN,
            DIFF,
        ),
        denied="writes clients' files",
    ),
)
