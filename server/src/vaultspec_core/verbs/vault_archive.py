"""`vault archive documents | restore`."""

from vaultspec_core.verb import DRY_RUN, Flag, Verb

_MANIFEST = Flag("--manifest", "A file that lists paths, one a line or as a JSON list.", value="FILE", path=True)

VERBS = (
    Verb(
        ("vault", "archive", "documents"),
        "Move the documents that a file lists to the archive.",
        "vaultspec_core.commands.archives:documents",
        "vaultspec-core vault archive documents --manifest old.txt",
        flags=(_MANIFEST, DRY_RUN),
    ),
    Verb(
        ("vault", "archive", "restore"),
        "Bring the archived documents that a file lists back.",
        "vaultspec_core.commands.archives:restore",
        "vaultspec-core vault archive restore --manifest old.txt",
        flags=(
            _MANIFEST,
            Flag("--deduplicate-identical", "Remove an archived copy whose live document is the same."),
            DRY_RUN,
        ),
    ),
)
