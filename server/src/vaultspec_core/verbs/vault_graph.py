"""`vault graph`."""

from vaultspec_core.verb import Flag, Verb

VERBS = (
    Verb(
        ("vault", "graph"),
        "Show which documents link to which: as a tree, as data, as Mermaid or as DOT.",
        "vaultspec_core.commands.graphs:graph",
        "vaultspec-core vault graph --feature search-api --format mermaid",
        flags=(
            Flag("--feature", "Only documents of this feature.", value="TAG"),
            Flag("--node", "Only this document and what is near it.", value="REF", path=True),
            Flag("--depth", "So many links away from --node; by default 1.", value="N", number=True),
            Flag("--metrics", "Only counts and density."),
            Flag("--body", "Also give the body of each document as data."),
            Flag("--derived", "Also give pairs that are not linked but share neighbours, as data."),
            Flag("--derived-limit", "At most this many of such pairs.", value="N", number=True),
            Flag("--derived-offset", "Leave out so many of such pairs first.", value="N", number=True),
            Flag("--ascii", "Draw the tree of plain characters, which is what is drawn without it too."),
            Flag(
                "--format", "Print the network in a language for drawings.", value="FORMAT", choices=("mermaid", "dot")
            ),
        ),
        schema="vaultspec.vault.graph.v2",
    ),
)
