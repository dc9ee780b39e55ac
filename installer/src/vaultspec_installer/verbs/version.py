"""The version as a verb: `--version` is another spelling of it."""

from vaultspec_core.verb import Verb

VERBS = (
    Verb(
        ("version",),
        "Print the version.",
        run="vaultspec_installer.help:version",
        example="vaultspec-core version --json",
        workspace=False,
    ),
)
