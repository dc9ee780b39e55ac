"""`spec mcps ...`: definitions, and their enrollment in the clients."""

from vaultspec_core.verb import DIFF, DRY_RUN, Flag, Operand, Verb

_STRICT = Flag("--strict-secrets", "Refuse literal secrets instead of warning of them.")

_PROVIDER = Operand("provider", "One client, or `all`.", required=False)
_SCOPE = Flag(
    "--scope",
    "How far the enrollment reaches.",
    value="SCOPE",
    choices=("project", "local", "user"),
    default="project",
)
_PRUNE = Flag("--prune", "Also remove owned entries whose definition is gone.")
_CHECK = Flag("--check", "Write nothing; exit 1 when something would change.")
_REPAIR = Flag("--repair-ownership", "Set a bad ownership record aside and rebuild it from what equals our rendering.")
_OVERWRITE = Flag("--force", "Also overwrite entries that were edited by hand or written by somebody else.")

VERBS = (
    Verb(
        ("spec", "mcps", "status"),
        "Judge the enrollment of each client; exit 0 only when all is well.",
        "vaultspec_installer.commands.mcps_status:status",
        "vaultspec-core spec mcps status --json",
        operands=(_PROVIDER,),
        flags=(_SCOPE, _STRICT),
    ),
    Verb(
        ("spec", "mcps", "probe"),
        "Start each enrolled server as its client would, and ask it for its tools.",
        "vaultspec_installer.commands.probe:probe",
        "vaultspec-core spec mcps probe --timeout 10",
        operands=(Operand("server", "The one to start; else each that is enrolled.", required=False),),
        flags=(
            Flag("--provider", "Only in this client's file.", value="NAME"),
            _SCOPE,
            Flag("--timeout", "How long a server may take, in seconds.", value="SECONDS", number=True, default=30),
        ),
        denied="starts programs",
        exits=((1, "a server failed"),),
    ),
    Verb(
        ("spec", "mcps", "sync"),
        "Reconcile the definitions into the clients' own configuration.",
        "vaultspec_installer.commands.enrollment:sync",
        "vaultspec-core spec mcps sync --dry-run --diff",
        operands=(_PROVIDER,),
        flags=(_SCOPE, _OVERWRITE, _PRUNE, _CHECK, _REPAIR, _STRICT, DRY_RUN, DIFF),
        denied="writes clients' files",
    ),
    Verb(
        ("spec", "mcps", "diff"),
        "Print the diff that a sync would make, and write nothing; exit 1 when there is one.",
        "vaultspec_installer.commands.enrollment:diff",
        "vaultspec-core spec mcps diff",
        operands=(_PROVIDER,),
        flags=(_SCOPE, _OVERWRITE, _PRUNE, _STRICT),
    ),
    Verb(
        ("spec", "mcps", "uninstall"),
        "Take owned enrollment out; definitions and entries that are not ours stay.",
        "vaultspec_installer.commands.enrollment:uninstall",
        "vaultspec-core spec mcps uninstall --scope user --dry-run",
        operands=(_PROVIDER,),
        flags=(_SCOPE, Flag("--force", "Also remove entries that were edited by hand."), DRY_RUN, DIFF),
        denied="writes clients' files",
    ),
    Verb(
        ("spec", "mcps", "list"),
        "List the canonical definitions of MCP servers, invalid ones with their faults.",
        "vaultspec_installer.commands.definitions:list_definitions",
        "vaultspec-core spec mcps list",
    ),
    Verb(
        ("spec", "mcps", "add"),
        "Write a canonical definition; no client's file is touched.",
        "vaultspec_installer.commands.definitions:add",
        "vaultspec-core spec mcps add search --command uvx --arg search-mcp --env REGION=eu",
        operands=(Operand("server", "The server's name.", required=False),),
        flags=(
            Flag("--name", "The server's name, as a flag.", value="NAME"),
            Flag("--command", "The program that starts the server.", value="PROGRAM"),
            Flag("--arg", "One argument of it; in order, repeatable.", value="ARG", many=True),
            Flag("--env", "One variable of its environment; repeatable.", value="NAME=VALUE", many=True),
            Flag("--config", "The whole definition as JSON.", value="JSON"),
            Flag("--from-json", "The same; @FILE reads a file, - reads stdin.", value="JSON|@FILE|-"),
            Flag("--force", "Overwrite a definition of this name."),
            _STRICT,
            DRY_RUN,
            DIFF,
        ),
        denied="changes which programs clients start",
    ),
    Verb(
        ("spec", "mcps", "remove"),
        "Delete a canonical definition: your own first, then the bundled one; no client's file is touched.",
        "vaultspec_installer.commands.definitions:remove",
        "vaultspec-core spec mcps remove search --force",
        operands=(Operand("server", "The server's name."),),
        flags=(Flag("--force", "Delete without asking."), DRY_RUN, DIFF),
        denied="changes which programs clients start",
    ),
)
