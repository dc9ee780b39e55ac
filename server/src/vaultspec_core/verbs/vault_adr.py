"""`vault adr supersede`."""

from vaultspec_core.verb import DRY_RUN, Flag, Operand, Verb

VERBS = (
    Verb(
        ("vault", "adr", "supersede"),
        "Let one decision record supersede another, on both of them.",
        "vaultspec_core.commands.links:supersede_decision",
        "vaultspec-core vault adr supersede 2026-07-01-auth-adr --by 2026-07-12-auth-adr",
        operands=(Operand("old_adr", "The record that is superseded: its stem or path.", path=True),),
        flags=(Flag("--by", "The record that takes its place: its stem or path.", value="REF", path=True), DRY_RUN),
    ),
)
