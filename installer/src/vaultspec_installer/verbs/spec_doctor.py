"""`spec doctor`."""

from vaultspec_core.verb import Flag, Verb

VERBS = (
    Verb(
        ("spec", "doctor"),
        "Diagnose the whole workspace; each finding comes with the command that mends it.",
        "vaultspec_installer.commands.doctor:spec_doctor",
        "vaultspec-core spec doctor --format github",
        flags=(
            Flag("--gate-errors", "Exit 0 when there are only warnings."),
            Flag(
                "--format",
                "What is printed: text, annotations of a GitHub workflow, or a SARIF 2.1.0 document.",
                value="FORMAT",
                choices=("text", "github", "sarif"),
                default="text",
            ),
        ),
        workspace=False,
        exits=((1, "warnings were found"), (2, "errors were found")),
    ),
)
