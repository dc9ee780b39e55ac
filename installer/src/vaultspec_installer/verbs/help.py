"""Help as a verb: `--help` anywhere is another spelling of it."""

from vaultspec_core.verb import Operand, Verb

VERBS = (
    Verb(
        ("help",),
        "Show what a command or a group of commands does.",
        run="vaultspec_installer.help:show",
        example="vaultspec-core help spec mcps sync",
        operands=(Operand("command", "The words of the command or group.", required=False, variadic=True),),
        workspace=False,
    ),
)
