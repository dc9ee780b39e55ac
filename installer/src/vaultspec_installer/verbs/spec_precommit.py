"""`spec precommit ...`."""

from vaultspec_core.verb import DIFF, DRY_RUN, Flag, Verb

VERBS = (
    Verb(
        ("spec", "precommit", "enable"),
        "Keep our hooks in .pre-commit-config.yaml, and remember that.",
        "vaultspec_installer.commands.repository:enable_precommit",
        "vaultspec-core spec precommit enable",
        flags=(DRY_RUN, DIFF),
        denied="changes settings of the workspace",
    ),
    Verb(
        ("spec", "precommit", "disable"),
        "Take our hooks out of .pre-commit-config.yaml, and remember that.",
        "vaultspec_installer.commands.repository:disable_precommit",
        "vaultspec-core spec precommit disable",
        flags=(DRY_RUN, DIFF),
        denied="changes settings of the workspace",
    ),
    Verb(
        ("spec", "precommit", "migrate"),
        "Write our hooks into prek.toml, for a repository that uses prek.",
        "vaultspec_installer.commands.repository:migrate_precommit",
        "vaultspec-core spec precommit migrate --dry-run",
        flags=(Flag("--remove-yaml", "Also take our block out of .pre-commit-config.yaml."), DRY_RUN, DIFF),
        denied="changes which commands run at commit",
    ),
)
