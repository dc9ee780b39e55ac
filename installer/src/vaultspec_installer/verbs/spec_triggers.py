"""`spec triggers ...`: commands that follow events of the vault."""

from vaultspec_core.verb import DRY_RUN, Flag, Operand, Verb

_RUN = "vaultspec_installer.commands"
_NAME = Operand("name", "The trigger's name.")

VERBS = (
    Verb(
        ("spec", "triggers", "list"),
        "List the triggers of the workspace and whether they are trusted.",
        f"{_RUN}.declared:list_declared",
        "vaultspec-core spec triggers list",
    ),
    Verb(
        ("spec", "triggers", "show"),
        "Print one trigger.",
        f"{_RUN}.declared:show",
        "vaultspec-core spec triggers show rebuild",
        operands=(_NAME,),
    ),
    Verb(
        ("spec", "triggers", "status"),
        "Say which triggers would run at which event.",
        f"{_RUN}.triggers:status",
        "vaultspec-core spec triggers status",
    ),
    Verb(
        ("spec", "triggers", "add"),
        "Add a trigger; it runs once it is trusted.",
        f"{_RUN}.triggers:add",
        "vaultspec-core spec triggers add rebuild --event document.created --command 'make site'",
        operands=(Operand("name", "The trigger's name, in kebab-case."),),
        flags=(
            Flag("--event", "The event that it follows.", value="EVENT", default="config.synced"),
            Flag("--command", "A line for the shell.", value="COMMAND"),
            Flag("--force", "Overwrite one of this name."),
            DRY_RUN,
        ),
        denied="declares a command to run",
    ),
    Verb(
        ("spec", "triggers", "run"),
        "Run trusted triggers: one by its name, or all of an event.",
        f"{_RUN}.triggers:run",
        "vaultspec-core spec triggers run document.created",
        operands=(Operand("name", "An event, or a trigger's name."),),
        flags=(Flag("--path", "A path that the triggers are told.", value="PATH", path=True),),
        denied="runs commands",
        exits=((1, "a trigger failed, or is not trusted"),),
    ),
    Verb(
        ("spec", "triggers", "trust"),
        "Approve triggers at a terminal, as they are now; any later change ends the approval.",
        f"{_RUN}.declared:trust",
        "vaultspec-core spec triggers trust rebuild",
        operands=(Operand("name", "The trigger's name; else each in turn.", required=False),),
        flags=(Flag("--revoke", "Take the approval back instead."),),
        json=False,
        denied="is an operator's decision",
    ),
    Verb(
        ("spec", "triggers", "remove"),
        "Delete a trigger.",
        f"{_RUN}.triggers:remove",
        "vaultspec-core spec triggers remove rebuild --yes",
        operands=(_NAME,),
        flags=(Flag("--yes", "Do not ask."), Flag("--force", "The same as --yes.")),
        denied="changes which commands run",
    ),
    Verb(
        ("spec", "triggers", "rename"),
        "Rename a trigger, which ends its approval.",
        f"{_RUN}.triggers:rename",
        "vaultspec-core spec triggers rename rebuild site",
        operands=(
            Operand("old_name", "The name of one that is there."),
            Operand("new_name", "The new name, in kebab-case."),
        ),
        denied="changes which commands run",
    ),
    Verb(
        ("spec", "triggers", "edit"),
        "Open a trigger in an editor.",
        f"{_RUN}.triggers:edit",
        "vaultspec-core spec triggers edit rebuild",
        operands=(_NAME,),
        flags=(Flag("--editor", "The editor to open, with its arguments.", value="COMMAND"),),
        json=False,
        denied="starts an editor",
    ),
)
