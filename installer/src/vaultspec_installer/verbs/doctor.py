"""`doctor`."""

from vaultspec_core.verb import Verb

VERBS = (
    Verb(
        ("doctor",),
        "Diagnose the workspace and check its vault.",
        "vaultspec_installer.commands.doctor:doctor",
        "vaultspec-core doctor",
        workspace=False,
        exits=((1, "warnings were found, or errors in the vault"), (2, "errors were found")),
    ),
)
