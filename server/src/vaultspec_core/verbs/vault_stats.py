"""`vault stats`."""

from vaultspec_core.verb import Flag, Verb

VERBS = (
    Verb(
        ("vault", "stats"),
        "Count documents by type, features, orphaned documents and dangling links.",
        "vaultspec_core.commands.listing:stats",
        "vaultspec-core vault stats --feature search-api",
        flags=(
            Flag("--feature", "Only documents of this feature.", value="TAG"),
            Flag("--type", "Only documents of this type.", value="TYPE"),
            Flag("--date", "Only documents created on this day.", value="DATE"),
            Flag("--orphaned", "Only documents that nothing links and that link nothing."),
            Flag("--invalid", "Only documents in which a check finds errors."),
        ),
    ),
)
