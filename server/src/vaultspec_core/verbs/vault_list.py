"""`vault list`."""

from vaultspec_core.verb import Flag, Operand, Verb

VERBS = (
    Verb(
        ("vault", "list"),
        "List or filter every document of the vault.",
        "vaultspec_core.commands.listing:list_documents",
        "vaultspec-core vault list adr --feature search-api",
        operands=(Operand("doc_type", "adr, audit, exec, index, plan, reference or research.", required=False),),
        flags=(
            Flag("--feature", "Only documents of this feature.", value="TAG"),
            Flag("--date", "Only documents created on this day.", value="DATE"),
            Flag("--limit", "At most this many documents.", value="N", number=True),
            Flag("--offset", "Leave out so many documents first.", value="N", number=True),
        ),
        schema="vaultspec.vault.list.v2",
    ),
)
