"""`migrations status | run`."""

from vaultspec_core.verb import DIFF, DRY_RUN, Flag, Verb

VERBS = (
    Verb(
        ("migrations", "status"),
        "Say which migrations there are and which have something to do here; exit 1 when one has.",
        "vaultspec_installer.commands.migrations:status",
        "vaultspec-core migrations status",
    ),
    Verb(
        ("migrations", "run"),
        "Run what is pending and say what changed.",
        "vaultspec_installer.commands.migrations:run_pending",
        "vaultspec-core migrations run --dry-run",
        flags=(Flag("--yes", "Do not ask before documents are deleted.", short="-y"), DRY_RUN, DIFF),
        denied="writes clients' files",
    ),
)
