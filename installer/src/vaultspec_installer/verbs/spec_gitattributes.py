"""`spec gitattributes ...`."""

from vaultspec_core.verb import DIFF, DRY_RUN, Verb

VERBS = (
    Verb(
        ("spec", "gitattributes", "enable"),
        "Keep our block in .gitattributes, and remember that.",
        "vaultspec_installer.commands.repository:enable_gitattributes",
        "vaultspec-core spec gitattributes enable",
        flags=(DRY_RUN, DIFF),
        denied="changes settings of the workspace",
    ),
    Verb(
        ("spec", "gitattributes", "disable"),
        "Take our block out of .gitattributes, and remember that.",
        "vaultspec_installer.commands.repository:disable_gitattributes",
        "vaultspec-core spec gitattributes disable",
        flags=(DRY_RUN, DIFF),
        denied="changes settings of the workspace",
    ),
)
