"""`spec reference ...`."""

from vaultspec_core.verb import Flag, Operand, Verb

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
    Verb(
        ("spec", "reference", "generate"),
        "Write the generated sections of the Markdown files in docs/ again.",
        "vaultspec_installer.commands.reference:generate",
        "vaultspec-core spec reference generate --check",
        flags=(Flag("--check", "Write nothing; exit 1 when a section is out of date."),),
        workspace=False,
    ),
)
