"""`vault rename`."""

from vaultspec_core.verb import DRY_RUN, Flag, Operand, Verb

VERBS = (
    Verb(
        ("vault", "rename"),
        "Rename a document; links to it follow, in frontmatter and prose.",
        "vaultspec_core.commands.renames:rename_document",
        "vaultspec-core vault rename 2026-07-12-search-api-adr --to 2026-07-12-search-api-index-adr",
        operands=(Operand("ref", "The document: stem, file name, path or [[wiki-link]].", path=True),),
        flags=(
            Flag("--to", "The new stem.", value="STEM"),
            Flag("--expected-blob-hash", "Refuse when the document is no longer this one.", value="OID"),
            DRY_RUN,
        ),
    ),
)
