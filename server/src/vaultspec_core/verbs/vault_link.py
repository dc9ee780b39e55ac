"""`vault link list | add | remove`: links in the frontmatter."""

from vaultspec_core.verb import DRY_RUN, Flag, Operand, Verb

_SRC = Operand("src", "The document that links: its stem or path.", path=True)
_DST = Operand("dst", "The document that is linked: its stem or path.", path=True)

VERBS = (
    Verb(
        ("vault", "link", "list"),
        "List the links of a document, both ways, or all links.",
        "vaultspec_core.commands.links:list_links",
        "vaultspec-core vault link list 2026-07-12-search-api-adr",
        operands=(Operand("src", "The document: its stem or path.", required=False, path=True),),
        flags=(Flag("--feature", "Only links out of documents of this feature.", value="TAG"),),
    ),
    Verb(
        ("vault", "link", "add"),
        "Let a document name another as related.",
        "vaultspec_core.commands.links:add",
        "vaultspec-core vault link add 2026-07-12-search-api-adr 2026-07-11-search-api-research",
        operands=(_SRC, _DST),
        flags=(Flag("--force", "Also when there is no such document yet."), DRY_RUN),
    ),
    Verb(
        ("vault", "link", "remove"),
        "Take a related document out of a document's frontmatter.",
        "vaultspec_core.commands.links:remove",
        "vaultspec-core vault link remove 2026-07-12-search-api-adr 2026-07-11-search-api-research",
        operands=(_SRC, _DST),
        flags=(DRY_RUN,),
    ),
)
