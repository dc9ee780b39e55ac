"""`vault add | edit | set-body | set-frontmatter`: single documents."""

from vaultspec_core.verb import DRY_RUN, Flag, Operand, Verb

_REF = Operand("ref", "The document: stem, file name, path or [[wiki-link]].", path=True)
_FILE = Flag("--body-file", "Read the new body from this file.", value="FILE", path=True)
_STDIN = Flag("--body-stdin", "Read the new body from stdin.")
_HASH = Flag("--expected-blob-hash", "Refuse when the document is no longer this one.", value="OID")
_DATE = Flag("--date", "Creation date, ISO 8601.", value="DATE")
_TAGS = Flag("--tags", "The document's tags, all of them; repeatable.", value="TAG", many=True)
_RELATED = Flag("--related", "A document to link; repeatable.", value="REF", many=True, path=True)
_HINTS = Flag("--no-hints", "Leave out the hint on what to do next.")

VERBS = (
    Verb(
        ("vault", "add"),
        "Create a document from its template.",
        "vaultspec_core.commands.documents:add",
        'vaultspec-core vault add adr --feature search-api --title "Rank by BM25"',
        operands=(Operand("doc_type", "research, adr, plan, reference or audit."),),
        flags=(
            Flag("--feature", "The feature, in kebab-case.", value="FEATURE"),
            Flag("--title", "The title in the heading.", value="TITLE"),
            _DATE,
            _RELATED,
            _TAGS,
            Flag("--tier", "Complexity of a plan.", value="TIER", choices=("L1", "L2", "L3", "L4")),
            Flag("--topic", "Kebab-case infix for a second document of one type.", value="TOPIC"),
            Flag("--content", "Prose to seed under a Context heading.", value="TEXT"),
            DRY_RUN,
            _HINTS,
        ),
    ),
    Verb(
        ("vault", "edit"),
        "Edit a document: its body in an editor at a terminal, or body and frontmatter from flags.",
        "vaultspec_core.commands.documents:edit_document",
        "vaultspec-core vault edit 2026-07-12-search-api-adr",
        operands=(_REF,),
        flags=(
            _FILE,
            _STDIN,
            _DATE,
            _TAGS,
            _RELATED,
            _HASH,
            Flag("--editor", "The editor to open, with its arguments.", value="COMMAND"),
            DRY_RUN,
        ),
    ),
    Verb(
        ("vault", "set-body"),
        "Replace the whole body of a document; its frontmatter stays.",
        "vaultspec_core.commands.documents:set_body",
        "vaultspec-core vault set-body 2026-07-12-search-api-adr --body-file draft.md",
        operands=(_REF,),
        flags=(_FILE, _STDIN, _HASH, DRY_RUN),
    ),
    Verb(
        ("vault", "set-frontmatter"),
        "Set date, tags or related documents of a document; its body stays.",
        "vaultspec_core.commands.documents:set_frontmatter",
        "vaultspec-core vault set-frontmatter 2026-07-12-search-api-adr --related search-api-research",
        operands=(_REF,),
        flags=(_DATE, _TAGS, _RELATED, _HASH, DRY_RUN),
    ),
)
