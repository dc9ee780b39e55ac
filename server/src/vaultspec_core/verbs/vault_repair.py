"""`vault repair`."""

from vaultspec_core.verb import DRY_RUN, Flag, Verb

VERBS = (
    Verb(
        ("vault", "repair"),
        "Run pending migrations, repair what checks can repair, and regenerate indexes.",
        "vaultspec_core.commands.repair:repair",
        "vaultspec-core vault repair --dry-run",
        flags=(
            Flag("--feature", "Only documents of this feature.", value="TAG"),
            Flag("--include-index", "Regenerate indexes, which is done unless told otherwise.", negatable=True),
            Flag("--verbose", "Also show each repair."),
            DRY_RUN,
        ),
        denied="refreshes launches in clients' files",
        exits=((1, "errors are left, or a phase could not be done"),),
        schema="vaultspec.vault.repair.v2",
    ),
)
