"""`vault check ...`: the suite, and each validator by its name."""

from vaultspec_core.verb import Flag, Verb

_FEATURE = Flag("--feature", "Only documents of this feature.", value="TAG")
_FIX = Flag("--fix", "Repair what can be repaired without touching authored text.")
_LIMIT = Flag("--limit", "At most this many findings of each check.", value="N", number=True)
_OFFSET = Flag("--offset", "Leave out so many findings first.", value="N", number=True)
_VERBOSE = Flag("--verbose", "Also show what is only informational, and checks without findings.")

_FILTERED = {
    "frontmatter": "Tags, dates and related links in the frontmatter have the shape that is required.",
    "annotations": "No guidance of a template is left in a document.",
    "markdown": "No trailing white space, no runs of blank lines, one line end at the end of the file.",
    "links": "Wiki-links name stems, not files.",
    "dangling": "Every link leads to a document of the vault or its archive.",
    "body-links": "Prose holds neither wiki-links nor relative links; `related` holds them.",
    "placeholders": "No placeholder of a template is left unfilled.",
    "orphans": "Every document is linked, or stands beside others of its feature.",
    "features": "Every feature has an index that is complete, and a plan before records.",
    "exec-mapping": "Ledgers and plans agree on which steps were done.",
    "body-sections": "Every section that the document's schema requires is there and says something.",
    "references": "Research of a feature with decisions is linked.",
    "schema": "Decisions have grounds, and approved plans rest on accepted decisions.",
    "adr-status": "The heading of a decision record ends with a status that is known.",
    "modified-stamp": "`modified` is a day not before `date`, and `body_hash` is that of the body.",
    "code-boundary": "No source file of the repository names a document of the vault.",
}
_EVERYWHERE = {
    "structure": "The vault holds its own folders only, and every file name says date, feature and type.",
    "feature-rename-integrity": "Folders of execution records hold their own feature.",
    "rename-integrity": "Rules, skills and agents carry the name of their file.",
    "encoding": "Every document can be read and is UTF-8.",
    "foreign": "Type folders hold documents only.",
}
_WITHOUT_FIX = {
    "placeholders",
    "exec-mapping",
    "body-sections",
    "code-boundary",
    "feature-rename-integrity",
    "encoding",
    "foreign",
}


def _one(name: str, summary: str) -> Verb:
    feature = (_FEATURE,) if name in _FILTERED else ()
    fix = () if name in _WITHOUT_FIX else (_FIX,)
    return Verb(
        ("vault", "check", name),
        summary,
        "vaultspec_core.commands.checks:check_one",
        f"vaultspec-core vault check {name}{' --fix' if fix else ''}",
        flags=(*feature, *fix, _LIMIT, _OFFSET, _VERBOSE),
        exits=((1, "errors were found"),),
    )


VERBS = (
    Verb(
        ("vault", "check", "all"),
        "Run every check of the suite on the vault.",
        "vaultspec_core.commands.checks:check_all",
        "vaultspec-core vault check all --fix",
        flags=(_FEATURE, _FIX, _LIMIT, Flag("--no-hints", "Leave out the hint on what to do next."), _VERBOSE),
        exits=((1, "errors were found"),),
    ),
    *(_one(name, summary) for name, summary in {**_FILTERED, **_EVERYWHERE}.items()),
)
