"""`spec hooks ...`: commands that clients run at their own events."""

from vaultspec_core.verb import DIFF, DRY_RUN, Flag, Operand, Verb

_RUN = "vaultspec_installer.commands"

VERBS = (
    Verb(
        ("spec", "hooks", "list"),
        "List the hooks of the workspace and whether they are trusted.",
        f"{_RUN}.declared:list_declared",
        "vaultspec-core spec hooks list",
    ),
    Verb(
        ("spec", "hooks", "show"),
        "Print one hook.",
        f"{_RUN}.declared:show",
        "vaultspec-core spec hooks show lint",
        operands=(Operand("name", "The hook's name."),),
    ),
    Verb(
        ("spec", "hooks", "status"),
        "Say which hooks stand in which client's file.",
        f"{_RUN}.hooks:status",
        "vaultspec-core spec hooks status",
        exits=((1, "a sync would change something, or cannot"),),
    ),
    Verb(
        ("spec", "hooks", "sync"),
        "Render trusted hooks into the clients' own files, and take out those that are trusted no more.",
        f"{_RUN}.hooks:sync",
        "vaultspec-core spec hooks sync --dry-run --diff",
        operands=(Operand("provider", "One client, or `all`.", required=False),),
        flags=(DRY_RUN, DIFF),
        denied="writes commands into clients' files",
    ),
    Verb(
        ("spec", "hooks", "trust"),
        "Approve hooks at a terminal, as they are now; any later change ends the approval.",
        f"{_RUN}.declared:trust",
        "vaultspec-core spec hooks trust lint",
        operands=(Operand("name", "The hook's name; else each in turn.", required=False),),
        flags=(Flag("--revoke", "Take the approval back instead."),),
        json=False,
        denied="is an operator's decision",
    ),
    Verb(
        ("spec", "hooks", "add"),
        "Add a trigger.",
        f"{_RUN}.triggers:add",
        "vaultspec-core spec hooks add rebuild --event document.created --command 'make site'",
        operands=(Operand("name", "The trigger's name, in kebab-case."),),
        flags=(
            Flag("--event", "The event that it follows.", value="EVENT", default="config.synced"),
            Flag("--command", "A line for the shell.", value="COMMAND"),
            Flag("--force", "Overwrite one of this name."),
        ),
        denied="declares a command to run",
        deprecated="use `spec triggers add`",
    ),
    Verb(
        ("spec", "hooks", "run"),
        "Run trusted triggers.",
        f"{_RUN}.triggers:run",
        "vaultspec-core spec hooks run document.created",
        operands=(Operand("name", "An event, or a trigger's name."),),
        denied="runs commands",
        deprecated="use `spec triggers run`",
    ),
)
