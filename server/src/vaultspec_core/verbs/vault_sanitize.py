"""`vault sanitize annotations`."""

from vaultspec_core.verb import DRY_RUN, Flag, Verb

VERBS = (
    Verb(
        ("vault", "sanitize", "annotations"),
        "Take the guidance of templates out of documents; comments that no template wrote stay.",
        "vaultspec_core.commands.checks:sanitize_annotations",
        "vaultspec-core vault sanitize annotations --feature search-api",
        flags=(
            Flag("--feature", "Only documents of this feature.", value="TAG"),
            Flag("--limit", "At most this many findings.", value="N", number=True),
            Flag("--offset", "Leave out so many findings first.", value="N", number=True),
            Flag("--verbose", "Also show what is only informational."),
            DRY_RUN,
        ),
    ),
)
