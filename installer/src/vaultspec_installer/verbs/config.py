"""`config ...`: the settings in `.vaultspec/config.toml`."""

from vaultspec_core.verb import DIFF, DRY_RUN, Operand, Verb

_KEY = Operand("key", "The setting.", choices=("editor",))
_DENIED = "changes which program is started"

VERBS = (
    Verb(
        ("config", "list"),
        "List every setting and its value.",
        "vaultspec_installer.commands.config:list_settings",
        "vaultspec-core config list",
    ),
    Verb(
        ("config", "get"),
        "Print one setting; exit 1 when it is not set.",
        "vaultspec_installer.commands.config:get",
        "vaultspec-core config get editor",
        operands=(_KEY,),
    ),
    Verb(
        ("config", "set"),
        "Set one setting; the rest of the file stays as it is.",
        "vaultspec_installer.commands.config:set_setting",
        'vaultspec-core config set editor "code --wait"',
        operands=(_KEY, Operand("value", "Its value.")),
        flags=(DRY_RUN, DIFF),
        denied=_DENIED,
    ),
    Verb(
        ("config", "unset"),
        "Take one setting out; the rest of the file stays as it is.",
        "vaultspec_installer.commands.config:unset",
        "vaultspec-core config unset editor",
        operands=(_KEY,),
        flags=(DRY_RUN, DIFF),
        denied=_DENIED,
    ),
)
