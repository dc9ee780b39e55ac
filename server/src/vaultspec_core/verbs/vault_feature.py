"""`vault feature ...`: features as a whole."""

from vaultspec_core.verb import DRY_RUN, Flag, Operand, Verb

_TAG = Operand("feature_tag", "The feature's tag.")
_HINTS = Flag("--no-hints", "Leave out the hint on what to do next.")

VERBS = (
    Verb(
        ("vault", "feature", "list"),
        "List the features of the vault with what they hold.",
        "vaultspec_core.commands.listing:list_features",
        "vaultspec-core vault feature list --stale-days 30",
        flags=(
            Flag("--type", "Only features with a document of this type.", value="TYPE"),
            Flag("--date", "Only features with a document created on this day.", value="DATE"),
            Flag("--orphaned", "Only features with an orphaned document."),
            Flag("--stale-days", "Only features without activity for so many days.", value="N", number=True),
            Flag("--limit", "At most this many features.", value="N", number=True),
            Flag("--offset", "Leave out so many features first.", value="N", number=True),
        ),
        schema="vaultspec.vault.feature.list.v2",
    ),
    Verb(
        ("vault", "feature", "index"),
        "Regenerate the index of a feature, or of all.",
        "vaultspec_core.commands.repair:regenerate_indexes",
        "vaultspec-core vault feature index --feature search-api",
        flags=(Flag("--feature", "Only this feature.", value="TAG"), DRY_RUN),
        denied="refreshes launches in clients' files",
    ),
    Verb(
        ("vault", "feature", "rename"),
        "Rename a feature: tags, file names, folders of records, links and index.",
        "vaultspec_core.commands.renames:rename_tag",
        "vaultspec-core vault feature rename search-api full-text-search --dry-run",
        operands=(
            Operand("old_feature", "The feature's tag."),
            Operand("new_feature", "The new tag, in kebab-case."),
        ),
        flags=(Flag("--force", "Also when the new feature has documents already: merge the two."), DRY_RUN, _HINTS),
    ),
    Verb(
        ("vault", "feature", "archive"),
        "Move every document of a feature to the archive.",
        "vaultspec_core.commands.archives:feature_archive",
        "vaultspec-core vault feature archive search-api",
        operands=(_TAG,),
        flags=(DRY_RUN, _HINTS),
    ),
    Verb(
        ("vault", "feature", "unarchive"),
        "Bring every archived document of a feature back.",
        "vaultspec_core.commands.archives:feature_unarchive",
        "vaultspec-core vault feature unarchive search-api",
        operands=(_TAG,),
        flags=(DRY_RUN,),
    ),
)
