"""`uninstall`."""

from vaultspec_core.verb import DIFF, DRY_RUN, Flag, Operand, Verb

VERBS = (
    Verb(
        ("uninstall",),
        "Take vaultspec out of a workspace; what is yours stays and is listed.",
        "vaultspec_installer.commands.uninstall:uninstall",
        "vaultspec-core uninstall --dry-run",
        operands=(Operand("provider", "One client only.", required=False),),
        flags=(
            Flag("--force", "Do it without asking."),
            Flag("--remove-vault", "Delete the vault as well, with all its documents."),
            Flag(
                "--skip",
                "Leave a part as it is: mcp, precommit, gitignore, gitattributes or a client.",
                value="PART",
                many=True,
            ),
            DRY_RUN,
            DIFF,
        ),
        denied="tears the workspace down",
    ),
)
