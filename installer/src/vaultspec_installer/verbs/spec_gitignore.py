"""`spec gitignore ...`."""

from vaultspec_core.verb import DIFF, DRY_RUN, Verb

VERBS = (
    Verb(
        ("spec", "gitignore", "enable"),
        "Keep our block in .gitignore, and remember that.",
        "vaultspec_installer.commands.repository:enable_gitignore",
        "vaultspec-core spec gitignore enable",
        flags=(DRY_RUN, DIFF),
        denied="changes settings of the workspace",
    ),
    Verb(
        ("spec", "gitignore", "disable"),
        "Take our block out of .gitignore, and remember that.",
        "vaultspec_installer.commands.repository:disable_gitignore",
        "vaultspec-core spec gitignore disable",
        flags=(DRY_RUN, DIFF),
        denied="changes settings of the workspace",
    ),
)
