"""`spec reference ...`."""

from vaultspec_core.verb import Operand, Verb

VERBS = (
    Verb(
        ("spec", "reference", "schema"),
        "Print the JSON Schema (draft 2020-12) of a file or of the --json documents.",
        "vaultspec_installer.commands.schema:show",
        "vaultspec-core spec reference schema definition",
        operands=(Operand("schema", "Which one.", choices=("definition", "workspace", "ownership", "envelope")),),
        workspace=False,
    ),
    Verb(
        ("spec", "reference", "verbs"),
        "List every verb with its options, for programs.",
        "vaultspec_installer.commands.reference:verbs",
        "vaultspec-core spec reference verbs --json",
        workspace=False,
    ),
)
